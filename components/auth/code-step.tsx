"use client";

import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { type FormOutcome, useApiForm } from "@/components/ui/use-api-form";
import { ApiError } from "@/lib/api-client";
import { type CodeAnswer, verifyLoginCode } from "@/lib/auth/calls";
import type { SessionAnswer } from "@/lib/auth/client";
import { codeInput } from "@/lib/auth/schemas";

export const CODE_LENGTH = 6;

const CHECK_FAILED = "Erreur lors de la vérification 2FA";

interface CodeStepProps {
  /** Stands for the password that was given. */
  tempToken: string;
  /** The code was good. */
  onOpened: (session: SessionAnswer) => FormOutcome;
  /** Back to e-mail and password; with a sentence, where the temporary token serves no longer. */
  onRestart: (sentence?: string) => void;
}

/** The second step of the login: a code of the authenticator app, or a recovery code. */
export function CodeStep({ tempToken, onOpened, onRestart }: CodeStepProps) {
  const [isRecovery, setIsRecovery] = useState(false);
  const form = useApiForm({
    schema: codeInput,
    fields: ["code"],
    send: async ({ code }) => {
      try {
        const answer = await verifyLoginCode({ tempToken, code });
        if (!answer.valid) return { errors: { code: "Code 2FA invalide" } };
        if (!isSession(answer)) return { errors: { general: "Erreur lors de la connexion 2FA" } };
        return onOpened(answer);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        onRestart([CHECK_FAILED, error.sentence].filter(Boolean).join("\n"));
        return {};
      }
    },
    fallback: () => CHECK_FAILED,
  });

  function toggleRecovery() {
    setIsRecovery(!isRecovery);
    form.form.resetField("code");
    form.focus("code");
  }

  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <Alert kind="info" messages={["Veuillez saisir le code 2FA généré par votre application."]} />
      <TextField
        {...form.field("code")}
        // It appears because of what was just sent.
        autoFocus
        label="Code 2FA"
        hint={
          isRecovery ? "Un de vos codes de récupération\u00a0: chacun ne sert qu’une fois." : null
        }
        inputMode={isRecovery ? "text" : "numeric"}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={CODE_LENGTH}
        required
      />
      <FormAlert {...form.alertProps} />
      <Button {...form.submitProps} size="lg" pendingLabel="Connexion en cours...">
        Se connecter
      </Button>
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1">
        <button type="button" onClick={toggleRecovery} className="link min-h-8">
          {isRecovery ? "Utiliser le code de l’application" : "Utiliser un code de récupération"}
        </button>
        <button type="button" onClick={() => onRestart()} className="link min-h-8">
          Changer de compte
        </button>
      </div>
    </form>
  );
}

function isSession(answer: CodeAnswer): answer is CodeAnswer & SessionAnswer {
  return Boolean(answer.token);
}
