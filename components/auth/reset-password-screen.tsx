"use client";

import { GuestArea } from "@/components/auth/guest-area";
import { NewPasswordFields } from "@/components/auth/new-password-fields";
import { useGuest } from "@/components/auth/use-guest";
import { useLaterVisit } from "@/components/auth/use-later-visit";
import { tokenOfAddress, useTokenCheck } from "@/components/auth/use-token-check";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Spinner } from "@/components/ui/spinner";
import { useApiForm } from "@/components/ui/use-api-form";
import { ApiError } from "@/lib/api-client";
import { isResetToken, resetPassword } from "@/lib/auth/calls";
import { newPasswordForm } from "@/lib/auth/schemas";

const REDIRECT_DELAY = 2000;
const RESET_FAILED = "Une erreur est survenue lors de la réinitialisation du mot de passe";

/** Whether the link is good; what the shop refuses is not. */
const ask = async (token: string) => {
  try {
    return token !== "" && (await isResetToken(token));
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (isRefused && !error.isLimit) return false;
    throw error;
  }
};

/** A new password, for who holds the link of a mail. */
export function ResetPasswordScreen() {
  const guest = useGuest();
  const check = useTokenCheck({ guest, ask });
  return (
    <GuestArea guest={guest}>
      {check.state === "loading" && (
        <p className="flex items-center gap-3 text-muted">
          <Spinner />
          Vérification du lien en cours...
        </p>
      )}
      {check.state === "failed" && <RetryAlert message={RESET_FAILED} onRetry={check.retry} />}
      {check.state === "answered" && (check.answer ? <NewPasswordForm /> : <WrongToken />)}
    </GuestArea>
  );
}

function WrongToken() {
  return (
    <div className="flex flex-col items-start gap-5">
      <Alert kind="error" messages={["Token invalide"]} className="w-full" />
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
  const visitLater = useLaterVisit();
  const form = useApiForm({
    schema: newPasswordForm,
    fields: ["password", "confirmation"],
    send: async ({ password }) => {
      await resetPassword({ token: tokenOfAddress(), password });
      visitLater({ path: "/login", delay: REDIRECT_DELAY });
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
        password={form.field("password")}
        confirmation={form.field("confirmation")}
        value={form.form.watch("password") ?? ""}
      />
      <FormAlert {...form.alertProps} />
      <Button {...form.submitProps} size="lg" pendingLabel="Enregistrement en cours...">
        Enregistrer
      </Button>
    </form>
  );
}
