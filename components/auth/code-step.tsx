"use client";

import Link from "next/link";
import { type ReactNode, useState } from "react";
import { CodeField } from "@/components/auth/code-field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { type FormOutcome, useApiForm } from "@/components/ui/use-api-form";
import { ApiError } from "@/lib/api-error";
import { type CodeAnswer, verifyLoginCode } from "@/lib/auth/client";
import { codeInput } from "@/lib/auth/schemas";
import type { SessionAnswer } from "@/lib/browser/session";

const CHECK_FAILED = "Erreur lors de la vérification 2FA";

interface CodeStepProps {
  /** Proves that the password was right. */
  tempToken: string;
  /** Called when the code was right. */
  onOpened: (session: SessionAnswer) => FormOutcome | Promise<FormOutcome>;
  /** Back to e-mail and password; with a message if the temporary token is no longer valid. */
  onRestart: (sentence?: string) => void;
  restartLabel?: string;
  /** A control beside the success message. */
  successAction?: ReactNode;
}

/** The second step of the login: a code of the authenticator app, or a recovery code. */
export function CodeStep({
  tempToken,
  onOpened,
  onRestart,
  restartLabel = "Changer de compte",
  successAction,
}: CodeStepProps) {
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
      <Alert kind="info" live={false}>
        Veuillez saisir le code 2FA généré par votre application.
      </Alert>
      <CodeField
        {...form.field("code")}
        // The field replaces the button that was just pressed.
        autoFocus
        hint={
          isRecovery ? "Un de vos codes de récupération\u00a0: chacun ne sert qu’une fois." : null
        }
        inputMode={isRecovery ? "text" : "numeric"}
        autoCapitalize="characters"
        spellCheck={false}
      />
      <FormAlert {...form.alertProps} action={successAction} />
      <Button {...form.submitProps} size="lg" pendingLabel="Connexion en cours...">
        Se connecter
      </Button>
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1">
        <button type="button" onClick={toggleRecovery} className="link min-h-8">
          {isRecovery ? "Utiliser le code de l’application" : "Utiliser un code de récupération"}
        </button>
        <button type="button" onClick={() => onRestart()} className="link min-h-8">
          {restartLabel}
        </button>
      </div>
      <p className="text-muted">
        Ni téléphone ni code de récupération&#8239;?{" "}
        <Link href="/contact" className="link">
          Contactez la boutique
        </Link>
        .
      </p>
    </form>
  );
}

function isSession(answer: CodeAnswer): answer is CodeAnswer & SessionAnswer {
  return Boolean(answer.token);
}
