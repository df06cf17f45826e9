"use client";

import { NewPasswordFields } from "@/components/auth/new-password-fields";
import { SkipWait } from "@/components/auth/skip-wait";
import { TokenCheck, tokenOfUrl } from "@/components/auth/token-check";
import { useDelayedRedirect } from "@/components/auth/use-delayed-redirect";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { RetryAlert } from "@/components/ui/retry-alert";
import { useApiForm } from "@/components/ui/use-api-form";
import { ApiError } from "@/lib/api-error";
import { isResetToken, resetPassword } from "@/lib/auth/client";
import { newPasswordForm } from "@/lib/auth/schemas";

const RESET_FAILED = "Une erreur est survenue lors de la réinitialisation du mot de passe";

/** Whether the link is valid; false if the API refuses the token. */
const checkToken = async (token: string) => {
  try {
    return token !== "" && (await isResetToken(token));
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (isRefused && !error.isRateLimited) return false;
    throw error;
  }
};

/** Sets a new password by a mailed link. */
export function ResetPasswordScreen() {
  return (
    <TokenCheck
      check={checkToken}
      loading="Vérification du lien en cours..."
      failed={(retry) => <RetryAlert message={RESET_FAILED} onRetry={retry} />}
      answered={(isValid) => (isValid ? <NewPasswordForm /> : <WrongToken />)}
    />
  );
}

function WrongToken() {
  return (
    <div className="flex flex-col items-start gap-5">
      <Alert kind="error" className="w-full">
        Token invalide
      </Alert>
      <p className="text-muted">
        Ce lien a déjà servi, ou il a plus d’une heure. Demandez-en un autre&nbsp;: il arrive
        aussitôt par e-mail.
      </p>
      <ButtonLink href="/forget-password" prefetch={false}>
        Demander un nouveau lien
      </ButtonLink>
    </div>
  );
}

function NewPasswordForm() {
  const { redirectLater, redirectNow } = useDelayedRedirect();
  const form = useApiForm({
    schema: newPasswordForm,
    fields: ["password", "confirmation"],
    send: async ({ password }) => {
      await resetPassword({ token: tokenOfUrl(), password });
      redirectLater({ path: "/login" });
      return {
        success: "Votre mot de passe a été réinitialisé avec succès ! Redirection...",
        isDone: true,
      };
    },
    fallback: ({ sentence }) => sentence || RESET_FAILED,
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <NewPasswordFields
        password={form.field("password", { checks: ["confirmation"] })}
        confirmation={form.field("confirmation")}
        value={form.form.watch("password") ?? ""}
      />
      <FormAlert {...form.alertProps} action={<SkipWait onSkip={redirectNow} />} />
      <Button {...form.submitProps} size="lg" pendingLabel="Enregistrement en cours...">
        Enregistrer
      </Button>
    </form>
  );
}
