"use client";

import { type ComponentProps, useId, useState } from "react";
import { TextField } from "@/components/ui/field";

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, "type" | "action" | "id">;

/** A password, hidden unless the visitor chooses to see it. */
export function PasswordField(props: PasswordFieldProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      {...props}
      id={id}
      type={isShown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      action={
        <button
          type="button"
          aria-pressed={isShown}
          aria-controls={id}
          disabled={props.disabled}
          onClick={() => setIsShown(!isShown)}
          className="min-h-9 rounded-sm px-2.5 font-medium text-accent text-sm hover:bg-surface disabled:text-muted"
        >
          {isShown ? "Masquer" : "Afficher"}
        </button>
      }
    />
  );
}
