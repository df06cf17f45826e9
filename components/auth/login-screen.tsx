"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { CodeStep } from "@/components/auth/code-step";
import { GuestArea } from "@/components/auth/guest-area";
import { GuestLink } from "@/components/auth/guest-link";
import { MailboxHint } from "@/components/auth/mailbox-hint";
import { PasswordField } from "@/components/auth/password-field";
import { SkipWait } from "@/components/auth/skip-wait";
import { useGuest } from "@/components/auth/use-guest";
import { useOpenSession } from "@/components/auth/use-open-session";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { type FormOutcome, useApiForm } from "@/components/ui/use-api-form";
import type { ApiError } from "@/lib/api-error";
import { logIn } from "@/lib/auth/client";
import { loginInput } from "@/lib/auth/schemas";
import { NOT_VERIFIED, WRONG_CREDENTIALS } from "@/lib/auth/texts";
import { readLastEmail } from "@/lib/browser/last-email";
import type { SessionAnswer } from "@/lib/browser/session";
import { ADDED_REDIRECTING } from "@/lib/cart/addition-texts";

const VERIFY_FIRST = `${NOT_VERIFIED} Veuillez vérifier vos emails pour activer votre compte.`;

const sentenceAbout = ({ sentence }: ApiError) =>
  sentence === NOT_VERIFIED ? VERIFY_FIRST : WRONG_CREDENTIALS;

/** @param hasMailbox does the shop show the mails that it sends? */
export function LoginScreen({ hasMailbox }: { hasMailbox: boolean }) {
  const guest = useGuest({ opensSession: true });
  const { openSession, redirectNow, isAdded } = useOpenSession(guest);
  const [tempToken, setTempToken] = useState<string | null>(null);
  const isLocked = tempToken !== null;

  function open(session: SessionAnswer, success: string): FormOutcome {
    openSession({ email: form.form.getValues("username"), ...session });
    return { success, isDone: true };
  }

  const form = useApiForm({
    schema: loginInput,
    fields: ["username", "password"],
    send: async (input) => {
      const outcome = await logIn(input);
      if ("session" in outcome) return open(outcome.session, "Connexion réussie ! Redirection...");
      setTempToken(outcome.tempToken);
      return {};
    },
    fallback: sentenceAbout,
  });

  const fillInEmail = useEffectEvent(() => {
    const email = readLastEmail();
    // The visitor or the browser may have filled in the field before.
    if (email && !form.form.getValues("username")) form.form.setValue("username", email);
  });
  useEffect(() => fillInEmail(), []);

  const skip = <SkipWait onSkip={redirectNow} />;
  return (
    <GuestArea guest={guest}>
      <div className="flex flex-col gap-5">
        {guest.notice === "expired" && (
          <Alert kind="warning">Votre session a expiré. Veuillez vous reconnecter.</Alert>
        )}
        {guest.notice === "registered" && (
          <Alert kind="success">
            Ouvrez le lien que nous vous avons envoyé par e-mail, puis connectez-vous.
          </Alert>
        )}
        {hasMailbox && (guest.notice === "registered" || form.result?.text === VERIFY_FIRST) && (
          <MailboxHint />
        )}
        <form {...form.formProps} className="flex flex-col gap-5">
          <TextField
            {...form.field("username")}
            label="Email"
            type="email"
            autoComplete="username"
            required
            disabled={isLocked}
          />
          <PasswordField
            {...form.field("password")}
            label="Mot de passe"
            autoComplete="current-password"
            required
            disabled={isLocked}
          />
          {!isLocked && (
            <>
              <p className="-mt-2">
                <GuestLink
                  href="/forget-password"
                  className="link inline-flex min-h-8 items-center"
                >
                  Mot de passe oublié&#8239;?
                </GuestLink>
              </p>
              <FormAlert {...form.alertProps} action={skip} />
              <Button {...form.submitProps} size="lg" pendingLabel="Connexion en cours...">
                Se connecter
              </Button>
            </>
          )}
        </form>
        {isLocked && (
          <CodeStep
            tempToken={tempToken}
            successAction={skip}
            onOpened={(session) => open(session, "Connexion 2FA réussie ! Redirection...")}
            onRestart={(sentence) => {
              // Rendered at once, since a disabled field cannot be focused.
              flushSync(() => setTempToken(null));
              form.focus("username");
              form.show(sentence ? { kind: "error", text: sentence } : null);
            }}
          />
        )}
        {isAdded && <Alert kind="success">{ADDED_REDIRECTING}</Alert>}
      </div>
    </GuestArea>
  );
}
