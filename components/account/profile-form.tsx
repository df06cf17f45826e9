"use client";

import { useMemo } from "react";
import { PASSWORD_ADVICE } from "@/components/auth/new-password-fields";
import { PasswordField } from "@/components/auth/password-field";
import { StrengthMeter } from "@/components/auth/strength-meter";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { useApiForm } from "@/components/ui/use-api-form";
import { type AccountJson, updateAccount } from "@/lib/account/client";
import { profileInput } from "@/lib/account/schemas";

interface ProfileFormProps {
  account: AccountJson;
  onSaved: (account: AccountJson) => void;
}

export function ProfileForm({ account, onSaved }: ProfileFormProps) {
  const values = useMemo(
    () => ({ nom: account.nom, lastname: account.lastname, password: "" }),
    [account],
  );
  const form = useApiForm({
    schema: profileInput,
    fields: ["nom", "lastname", "password"],
    values,
    send: async (input) => {
      onSaved(await updateAccount(input));
      form.form.resetField("password");
      return { success: "Informations mises à jour !" };
    },
    fallback: () => "Erreur lors de la mise à jour.",
  });
  const password = form.form.watch("password") ?? "";
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
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
        hint="Votre adresse ne peut pas être modifiée."
      />
      <div className="flex flex-col gap-2.5">
        <PasswordField
          {...form.field("password")}
          label="Mot de passe"
          optional
          autoComplete="new-password"
          hint={`Laissez vide pour garder le vôtre. Un nouveau\u00a0: ${PASSWORD_ADVICE}`}
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
