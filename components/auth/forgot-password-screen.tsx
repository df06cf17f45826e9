"use client";

import { GuestArea } from "@/components/auth/guest-area";
import { MailboxHint } from "@/components/auth/mailbox-hint";
import { useGuest } from "@/components/auth/use-guest";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { useApiForm } from "@/components/ui/use-api-form";
import { requestPasswordReset } from "@/lib/auth/client";
import { resetRequestInput } from "@/lib/auth/schemas";
import { RESET_REQUESTED } from "@/lib/auth/texts";

/** @param hasMailbox does the shop show the mails that it sends? */
export function ForgotPasswordScreen({ hasMailbox }: { hasMailbox: boolean }) {
  const guest = useGuest();
  const form = useApiForm({
    schema: resetRequestInput,
    fields: ["email"],
    send: async (input) => {
      const { message } = await requestPasswordReset(input);
      return { success: message || RESET_REQUESTED };
    },
    fallback: ({ sentence }) =>
      sentence || "Une erreur est survenue lors de la demande de réinitialisation",
  });

  return (
    <GuestArea guest={guest}>
      <form {...form.formProps} className="flex flex-col gap-5">
        <TextField
          {...form.field("email")}
          label="Email"
          type="email"
          autoComplete="username"
          required
        />
        <FormAlert {...form.alertProps} />
        {hasMailbox && form.result?.kind === "success" && <MailboxHint />}
        <Button {...form.submitProps} size="lg" pendingLabel="Envoi en cours...">
          Envoyer
        </Button>
      </form>
    </GuestArea>
  );
}
