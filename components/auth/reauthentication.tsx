"use client";

import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { z } from "zod";
import { CodeField } from "@/components/auth/code-field";
import { PasswordField } from "@/components/auth/password-field";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { useApiForm } from "@/components/ui/use-api-form";
import { handleReauthentication } from "@/lib/api-client";
import type { Proof } from "@/lib/api-error";
import { reauthenticate } from "@/lib/auth/client";
import { codeInput, passwordInput, type ReauthenticationInput } from "@/lib/auth/schemas";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

interface Question {
  proof: Proof;
  answer: (isGiven: boolean) => void;
}

/**
 * Asks for the password or a code when a call of this page needs it. lib/api-client.ts then repeats the
 * call; meanwhile the page stays as it is.
 */
export function Reauthentication({ Dialog }: { Dialog: ComponentType<DialogProps> }) {
  const [question, setQuestion] = useState<Question | null>(null);

  useEffect(() => {
    let close: (() => void) | undefined;
    let pending: Promise<boolean> | null = null;
    const ask = (proof: Proof) =>
      new Promise<boolean>((resolve) => {
        close = () => resolve(false);
        const answer: Question["answer"] = (isGiven) => {
          // Rendered at once, so that the dialog returns the focus before the call continues.
          flushSync(() => setQuestion(null));
          resolve(isGiven);
        };
        setQuestion({ proof, answer });
      }).finally(() => {
        pending = null;
      });
    const stop = handleReauthentication((proof) => {
      // Concurrent calls wait for the same answer.
      pending ??= ask(proof);
      return pending;
    });
    return () => {
      stop();
      close?.();
    };
  }, []);

  return (
    <Dialog
      open={question !== null}
      onClose={() => question?.answer(false)}
      title="Confirmez votre identité"
    >
      {question && <ProofForm {...question} />}
    </Dialog>
  );
}

const SCHEMAS: Record<Proof, z.ZodType<ReauthenticationInput, ReauthenticationInput>> = {
  password: passwordInput,
  code: codeInput,
};

function ProofForm({ proof, answer }: Question) {
  const form = useApiForm({
    schema: SCHEMAS[proof],
    fields: [proof],
    send: async (input) => {
      await reauthenticate(input);
      answer(true);
      return { isDone: true };
    },
    fallback: "Erreur lors de la vérification.",
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <p>
        Votre connexion date de plus de dix minutes. Avant ce changement, confirmez que c’est bien
        vous.
      </p>
      {proof === "code" ? (
        <CodeField
          data-autofocus
          {...form.field("code")}
          hint="Celui de votre application, ou un de vos codes de récupération."
          autoCapitalize="characters"
          spellCheck={false}
        />
      ) : (
        <PasswordField
          data-autofocus
          {...form.field("password")}
          label="Mot de passe"
          autoComplete="current-password"
          required
        />
      )}
      <FormAlert {...form.alertProps} />
      <ModalActions>
        <Button variant="secondary" onClick={() => answer(false)} disabled={form.isSending}>
          Annuler
        </Button>
        <Button {...form.submitProps} pendingLabel="Vérification en cours...">
          Confirmer
        </Button>
      </ModalActions>
    </form>
  );
}
