"use client";

import type { z } from "zod";
import { CodeField } from "@/components/auth/code-field";
import { PasswordField } from "@/components/auth/password-field";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { useApiForm } from "@/components/ui/use-api-form";
import { reauthenticate } from "@/lib/auth/client";
import { codeInput, passwordInput, type ReauthenticationInput } from "@/lib/auth/schemas";
import type { Proof } from "@/lib/browser/session-questions";

const SCHEMAS: Record<Proof, z.ZodType<ReauthenticationInput, ReauthenticationInput>> = {
  password: passwordInput,
  code: codeInput,
};

interface ProofFormProps {
  proof: Proof;
  answer: (isGiven: boolean) => void;
}

/** Proves that the visitor is still the session's user, by password or code. */
export function ProofForm({ proof, answer }: ProofFormProps) {
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
