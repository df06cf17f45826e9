"use client";

import type { ComponentProps } from "react";
import { PasswordCriteria } from "@/components/auth/password-criteria";
import { PasswordField } from "@/components/auth/password-field";
import { StrengthMeter } from "@/components/auth/strength-meter";

type FieldProps = Omit<ComponentProps<typeof PasswordField>, "label">;

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
          hint={<PasswordCriteria password={value} />}
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
