"use client";

import type { ClipboardEvent, ComponentProps } from "react";
import { TextField } from "@/components/ui/field";

const CODE_LENGTH = 6;

/** A code of the authenticator app, or a recovery code. */
export function CodeField(props: Omit<ComponentProps<typeof TextField>, "label">) {
  return (
    <TextField
      {...props}
      onPaste={pasteCode}
      label="Code 2FA"
      autoComplete="one-time-code"
      maxLength={CODE_LENGTH}
      required
    />
  );
}

/** Apps show codes in groups: `maxLength` would cut a pasted code before its spaces are removed. */
function pasteCode(event: ClipboardEvent<HTMLInputElement>): void {
  const { currentTarget: input, clipboardData } = event;
  const code = clipboardData.getData("text").replace(/[\s-]+/g, "");
  event.preventDefault();
  const { selectionStart, selectionEnd, value } = input;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const room = CODE_LENGTH - (value.length - (to - from));
  input.setRangeText(code.slice(0, room), from, to, "end");
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}
