"use client";

import type { ComponentProps } from "react";
import { PasswordField } from "@/components/auth/password-field";
import { StrengthMeter } from "@/components/auth/strength-meter";

type FieldProps = Omit<ComponentProps<typeof PasswordField>, "label">;

export const PASSWORD_ADVICE =
  "8 caractères au moins, dont une majuscule, une minuscule, un chiffre et un caractère spécial.";

interface NewPasswordFieldsProps {
  password: FieldProps;
  confirmation: FieldProps;
  /** The value of the password field. */
  value: string;
}

/** A new password with its strength, and the password's confirmation. */
export function NewPasswordFields({ password, confirmation, value }: NewPasswordFieldsProps) {
  return (
    <>
      <div className="flex flex-col gap-2.5">
        <PasswordField
          {...password}
          label="Mot de passe"
          autoComplete="new-password"
          hint={PASSWORD_ADVICE}
          required
        />
        <StrengthMeter password={value} />
      </div>
      <PasswordField
        {...confirmation}
        label="Confirmer le mot de passe"
        autoComplete="new-password"
        required
      />
    </>
  );
}
