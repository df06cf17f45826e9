"use client";

import { useRef, useState } from "react";
import { ApiError } from "@/lib/api-error";

export type FormErrors = Readonly<Record<string, string>>;

/** The sentence that concerns the whole form stands under this name. */
export const WHOLE = "";

/** Sends a small form of a dialog, once at a time, and keeps what was wrong with it. */
export function useSending(failed: string) {
  const [errors, setErrors] = useState<FormErrors>({});
  const [isSending, setIsSending] = useState(false);
  // A scanner's Enter may come twice before React has rendered.
  const isBusy = useRef(false);

  async function send(run: () => Promise<void>): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setErrors({});
    setIsSending(true);
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!error.isSessionOver) setErrors(errorsOf(error, failed));
    } finally {
      isBusy.current = false;
      setIsSending(false);
    }
  }

  return { errors, setErrors, isSending, send, isBusy: () => isBusy.current };
}

function errorsOf(error: ApiError, failed: string): FormErrors {
  const { violations } = error;
  if (violations.length === 0) return { [WHOLE]: error.sentence || failed };
  return Object.fromEntries(violations.map(({ propertyPath, message }) => [propertyPath, message]));
}
