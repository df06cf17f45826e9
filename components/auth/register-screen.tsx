"use client";

import { GuestArea } from "@/components/auth/guest-area";
import { MailboxHint } from "@/components/auth/mailbox-hint";
import { NewPasswordFields } from "@/components/auth/new-password-fields";
import { SkipWait } from "@/components/auth/skip-wait";
import { useDelayedRedirect } from "@/components/auth/use-delayed-redirect";
import { useGuest } from "@/components/auth/use-guest";
import { returnPath } from "@/components/auth/use-return-path";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { useApiForm } from "@/components/ui/use-api-form";
import { register } from "@/lib/auth/client";
import { registrationForm } from "@/lib/auth/schemas";
import { rememberEmail } from "@/lib/browser/last-email";
import { storeLoginNotice } from "@/lib/browser/session";
import { loginUrl } from "@/lib/guards";

/** @param hasMailbox does the shop show the mails that it sends? */
export function RegisterScreen({ hasMailbox }: { hasMailbox: boolean }) {
  const guest = useGuest();
  const { redirectLater, redirectNow } = useDelayedRedirect();
  const form = useApiForm({
    schema: registrationForm,
    fields: ["nom", "lastname", "email", "password", "confirmation"],
    send: async ({ confirmation: _, ...registration }) => {
      const retour = returnPath();
      const { message } = await register({ ...registration, ...(retour && { retour }) });
      rememberEmail(registration.email);
      storeLoginNotice("registered");
      redirectLater({ path: loginUrl(retour) });
      return { success: message || "Inscription réussie ! Redirection...", isDone: true };
    },
    fallback: ({ status, sentence }) => {
      if (status === 0) return "Une erreur de connexion est survenue";
      return sentence || "Une erreur est survenue lors de l'inscription";
    },
  });

  return (
    <GuestArea guest={guest}>
      <form {...form.formProps} className="flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField {...form.field("nom")} label="Nom" autoComplete="family-name" required />
          <TextField
            {...form.field("lastname")}
            label="Prénom"
            autoComplete="given-name"
            required
          />
        </div>
        <TextField
          {...form.field("email")}
          label="Email"
          type="email"
          autoComplete="email"
          required
        />
        <NewPasswordFields
          password={form.field("password", { checks: ["confirmation"] })}
          confirmation={form.field("confirmation")}
          value={form.form.watch("password") ?? ""}
        />
        <FormAlert {...form.alertProps} action={<SkipWait onSkip={redirectNow} />} />
        {hasMailbox && form.isDone && <MailboxHint />}
        <Button {...form.submitProps} size="lg" pendingLabel="Inscription en cours...">
          S'inscrire
        </Button>
      </form>
    </GuestArea>
  );
}
