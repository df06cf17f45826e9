"use client";

import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import type { ApiError } from "@/lib/api-error";
import { SEND_FAILED } from "@/lib/stock-alerts/texts";
import { isEmail } from "@/lib/text/email";
import { REQUIRED, WRONG_EMAIL } from "@/lib/text/texts";

/** Asks for a mail when a sold-out product is back in stock. The field is uncontrolled. */
export function AlertForm({ productId }: { productId: number }) {
  const titleId = useId();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [result, setResult] = useState<FormResult | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem("email") as HTMLInputElement;
    const email = field.value.trim();
    const wrong = email === "" ? REQUIRED : isEmail(email) ? null : WRONG_EMAIL;
    setProblem(wrong);
    setResult(null);
    if (wrong !== null) return field.focus();
    setSending(true);
    try {
      const { requestStockAlert } = await import("@/lib/stock-alerts/client");
      const { message } = await requestStockAlert({ productId, email });
      setResult({ kind: "success", text: message });
      field.value = "";
    } catch (error) {
      // The class of these errors is loaded only with the first call.
      const { errors = {}, sentence } = error as Partial<ApiError>;
      if (errors.email) setProblem(errors.email);
      else setResult({ kind: "error", text: sentence || SEND_FAILED });
    }
    setSending(false);
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      aria-labelledby={titleId}
      className="noscript:hidden mt-3 flex flex-col gap-3 rounded-lg border border-line p-4 print:hidden"
    >
      <h2 id={titleId} className="font-semibold">
        Être prévenu de son retour
      </h2>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        error={problem}
        hint="Un seul message, puis votre adresse est effacée."
      />
      <FormAlert result={result} />
      <Button
        type="submit"
        variant="secondary"
        busy={isSending}
        pendingLabel="Envoi en cours..."
        block
      >
        Prévenez-moi
      </Button>
    </form>
  );
}
