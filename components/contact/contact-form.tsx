"use client";

import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextareaField, TextField } from "@/components/ui/field";
import { sendContactMessage } from "@/lib/contact/client";
import {
  CONTACT_FIELDS,
  type ContactField,
  type ContactInput,
  cleanContactField,
  contactProblem,
  contactProblems,
} from "@/lib/contact/rules";
import { MESSAGE_SENT } from "@/lib/contact/texts";

type Result = { kind: "success" | "error"; text: string };

/**
 * The fields are the browser's own, not React's: what was typed before the script arrived stays,
 * and a browser without scripts posts the same form.
 */
export function ContactForm() {
  const button = useRef<HTMLButtonElement>(null);
  const [isSending, setIsSending] = useState(false);
  const [problems, setProblems] = useState<Partial<ContactInput>>({});
  const [result, setResult] = useState<Result | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const input = readForm(form);
    if (showProblems(form, contactProblems(input))) return;

    setIsSending(true);
    const outcome = await sendContactMessage(input);
    if (outcome.isSent) form.reset();
    // At once: a disabled button cannot be given the focus back, nor can a sentence be read out
    // that is not there yet.
    flushSync(() => setIsSending(false));
    if (outcome.isSent) setResult({ kind: "success", text: MESSAGE_SENT });
    else if (showProblems(form, outcome.errors)) return;
    else setResult({ kind: "error", text: outcome.error });
    if (document.activeElement === document.body) button.current?.focus();
  }

  /** Puts the sentences beside their fields and the focus into the first; are there any? */
  function showProblems(form: HTMLFormElement, found: Partial<ContactInput>): boolean {
    flushSync(() => {
      setProblems(found);
      setResult(null);
    });
    const first = CONTACT_FIELDS.find((field) => found[field]);
    if (first) control(form, first).focus();
    return first !== undefined;
  }

  /** A sentence goes as soon as its field is right; none comes while somebody is typing. */
  function recheck(event: FormEvent<HTMLFormElement>) {
    const field = CONTACT_FIELDS.find((name) => name === (event.target as HTMLInputElement).name);
    if (!field || !problems[field]) return;
    const value = cleanContactField(field, control(event.currentTarget, field).value);
    setProblems({ ...problems, [field]: contactProblem(field, value) ?? undefined });
  }

  return (
    <form
      method="post"
      action="/api/contact"
      noValidate
      onSubmit={submit}
      onInput={recheck}
      className="flex flex-col gap-5"
    >
      <TextField label="Nom" name="nom" autoComplete="name" required error={problems.nom} />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        error={problems.email}
      />
      <TextareaField label="Message" name="message" rows={8} required error={problems.message} />
      {result && <Alert kind={result.kind} messages={[result.text]} />}
      <Button
        ref={button}
        type="submit"
        size="lg"
        busy={isSending}
        pendingLabel="Envoi en cours..."
        className="sm:self-start"
      >
        Envoyer
      </Button>
    </form>
  );
}

function control(form: HTMLFormElement, field: ContactField) {
  return form.elements.namedItem(field) as HTMLInputElement | HTMLTextAreaElement;
}

function readForm(form: HTMLFormElement): ContactInput {
  return {
    nom: control(form, "nom").value,
    email: control(form, "email").value,
    message: control(form, "message").value,
  };
}
