"use client";

import { useRef, useState } from "react";
import { PasswordCriteria } from "@/components/auth/password-criteria";
import { PasswordField } from "@/components/auth/password-field";
import { StrengthMeter } from "@/components/auth/strength-meter";
import { Button } from "@/components/ui/button";
import { DraftNotice } from "@/components/ui/draft-notice";
import { TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { useApiForm } from "@/components/ui/use-api-form";
import { type AccountJson, updateAccount } from "@/lib/account/client";
import { profileInput } from "@/lib/account/schemas";
import { changedFields } from "@/lib/browser/changed-fields";

interface ProfileFormProps {
  account: AccountJson;
  onSaved: (account: AccountJson) => void;
}

const FIELDS = ["nom", "lastname", "password"] as const;

const valuesOf = ({ nom, lastname }: AccountJson) => ({ nom, lastname, password: "" });

export function ProfileForm({ account, onSaved }: ProfileFormProps) {
  // Initial values only: typed values stay when the account is loaded again.
  const [values] = useState(() => valuesOf(account));
  /** The stored values, as far as this form knows. */
  const stored = useRef(values);
  const form = useApiForm({
    schema: profileInput,
    fields: FIELDS,
    values,
    draftKey: "profile",
    send: async (input) => {
      const { getValues, resetField } = form.form;
      const sent = getValues();
      const saved = await updateAccount(changedFields(input, stored.current));
      stored.current = valuesOf(saved);
      onSaved(saved);
      // Values typed during the request stay, too.
      for (const name of FIELDS)
        if (getValues(name) === sent[name])
          resetField(name, { defaultValue: valuesOf(saved)[name] });
      return { success: "Informations mises à jour !" };
    },
    fallback: () => "Erreur lors de la mise à jour.",
  });
  const password = form.form.watch("password") ?? "";
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <DraftNotice isRestored={form.isRestored} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField {...form.field("nom")} label="Nom" autoComplete="family-name" required />
        <TextField {...form.field("lastname")} label="Prénom" autoComplete="given-name" required />
      </div>
      <TextField
        label="Email"
        type="email"
        value={account.email}
        readOnly
        autoComplete="username"
        hint="Votre adresse ne se modifie pas sur cette page."
      />
      <div className="flex flex-col gap-2.5">
        <PasswordField
          {...form.field("password")}
          label="Mot de passe"
          optional="nouveau, facultatif"
          autoComplete="new-password"
          hint={
            <>
              <span>Laissez vide pour garder le vôtre. Un nouveau doit avoir{"\u00a0"}:</span>
              <PasswordCriteria password={password} />
            </>
          }
        />
        {password && <StrengthMeter password={password} />}
      </div>
      <FormAlert {...form.alertProps} />
      <Button
        {...form.submitProps}
        size="lg"
        pendingLabel="Enregistrement en cours..."
        className="sm:self-start"
      >
        Enregistrer
      </Button>
    </form>
  );
}
