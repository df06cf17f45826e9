"use client";

import { useState } from "react";
import { CodeStep } from "@/components/auth/code-step";
import { PasswordField } from "@/components/auth/password-field";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { type FormOutcome, useApiForm } from "@/components/ui/use-api-form";
import { logIn } from "@/lib/auth/client";
import { loginInput } from "@/lib/auth/schemas";
import { WRONG_CREDENTIALS } from "@/lib/auth/texts";
import {
  getSessionCookie,
  readEmail,
  readSession,
  revokeToken,
  type SessionAnswer,
  writeSession,
} from "@/lib/browser/session";

/** Logs the session's user in again, in a dialog over the text being written. */
export function LoginAgainForm({ answer }: { answer: (isGiven: boolean) => void }) {
  const [email] = useState(readEmail);
  const [values] = useState({ username: email ?? "", password: "" });
  const [tempToken, setTempToken] = useState<string | null>(null);
  const form = useApiForm({
    schema: loginInput,
    fields: ["username", "password"],
    values,
    send: async (input) => {
      const outcome = await logIn(input);
      if ("session" in outcome) return open(outcome.session);
      setTempToken(outcome.tempToken);
      return {};
    },
    fallback: () => WRONG_CREDENTIALS,
  });

  async function open(session: SessionAnswer): Promise<FormOutcome> {
    const { userId } = readSession();
    // The text being written belongs to another user.
    if (userId !== null && session.userId !== userId) {
      await revokeToken(session.token);
      return { errors: { general: "Ce compte n’est pas celui de la session qui a expiré." } };
    }
    writeSession({ email: form.form.getValues("username"), ...session });
    await getSessionCookie(session.token);
    answer(true);
    return { isDone: true };
  }

  if (tempToken !== null)
    return (
      <CodeStep
        tempToken={tempToken}
        onOpened={open}
        restartLabel="Retour"
        onRestart={(sentence) => {
          setTempToken(null);
          form.show(sentence ? { kind: "error", text: sentence } : null);
        }}
      />
    );
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <p>Votre session a expiré. Veuillez vous reconnecter. Ce que vous avez saisi est conservé.</p>
      {email === null ? (
        <TextField
          data-autofocus
          {...form.field("username")}
          label="Email"
          type="email"
          autoComplete="username"
          required
        />
      ) : (
        <p className="[overflow-wrap:anywhere]">
          Compte&nbsp;: <span className="font-medium">{email}</span>
        </p>
      )}
      <PasswordField
        data-autofocus={email !== null || undefined}
        {...form.field("password")}
        label="Mot de passe"
        autoComplete="current-password"
        required
      />
      <FormAlert {...form.alertProps} />
      <ModalActions>
        <Button variant="secondary" onClick={() => answer(false)} disabled={form.isSending}>
          Annuler
        </Button>
        <Button {...form.submitProps} pendingLabel="Connexion en cours...">
          Se connecter
        </Button>
      </ModalActions>
    </form>
  );
}
