"use client";

import type { ClipboardEvent, ComponentProps, FormEvent } from "react";
import { TextField } from "@/components/ui/field";

const CODE_LENGTH = 6;

/** A code of the authenticator app, or a recovery code. */
export function CodeField(props: Omit<ComponentProps<typeof TextField>, "label">) {
  return (
    <TextField
      {...props}
      onPaste={pasteCode}
      onInput={removeSeparators}
      label="Code 2FA"
      autoComplete="one-time-code"
      maxLength={CODE_LENGTH}
      required
    />
  );
}

/** Apps show codes in groups, "123 456", and people type the space, too. */
const withoutSeparators = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "");

/** `maxLength` would cut a pasted code before its spaces are removed. */
function pasteCode(event: ClipboardEvent<HTMLInputElement>): void {
  const { currentTarget: input, clipboardData } = event;
  const code = withoutSeparators(clipboardData.getData("text"));
  event.preventDefault();
  const { selectionStart, selectionEnd, value } = input;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const room = CODE_LENGTH - (value.length - (to - from));
  input.setRangeText(code.slice(0, room), from, to, "end");
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}

/** Removes a typed separator at once: it would take the place of a digit. React calls `onChange` after this. */
function removeSeparators({ currentTarget: input }: FormEvent<HTMLInputElement>): void {
  const { value, selectionStart } = input;
  const code = withoutSeparators(value);
  if (code === value) return;
  const caret = withoutSeparators(value.slice(0, selectionStart ?? value.length)).length;
  input.value = code;
  input.setSelectionRange(caret, caret);
}
