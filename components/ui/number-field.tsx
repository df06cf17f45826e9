"use client";

import type { ComponentProps } from "react";
import { TextField } from "@/components/ui/field";
import { useNumberInput } from "@/components/ui/use-number-input";

interface NumberFieldProps extends Omit<ComponentProps<typeof TextField>, "type" | "inputMode"> {
  min: number;
  /** 1 for whole numbers. */
  step: number;
}

/** An amount, a weight, a size, a number of pieces: the one field for numbers. */
export function NumberField({ error, ...props }: NumberFieldProps) {
  const { problem, numberProps } = useNumberInput();
  return (
    <TextField
      {...props}
      {...numberProps}
      inputMode={props.step === 1 ? "numeric" : "decimal"}
      error={problem ?? error ?? null}
      liveError
    />
  );
}
