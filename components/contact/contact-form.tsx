"use client";

import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/button";
import { TextareaField, TextField } from "@/components/ui/field";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
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

/**
 * The fields are uncontrolled: text typed before hydration stays, and a browser without
 * JavaScript posts the same form.
 */
export function ContactForm() {
  const [isSending, setIsSending] = useState(false);
  const [problems, setProblems] = useState<Partial<ContactInput>>({});
  const [result, setResult] = useState<FormResult | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const form = event.currentTarget;
    const input = readForm(form);
    if (showProblems(form, contactProblems(input))) return;

    setIsSending(true);
    const outcome = await sendContactMessage(input);
    if (outcome.isSent) form.reset();
    setIsSending(false);
    if (outcome.isSent) setResult({ kind: "success", text: MESSAGE_SENT });
    else if (!showProblems(form, outcome.errors)) setResult({ kind: "error", text: outcome.error });
  }

  /** Shows the messages beside their fields and focuses the first. Returns whether there are any. */
  function showProblems(form: HTMLFormElement, errors: Partial<ContactInput>): boolean {
    flushSync(() => {
      setProblems(errors);
      setResult(null);
    });
    const first = CONTACT_FIELDS.find((field) => errors[field]);
    if (first) control(form, first).focus();
    return first !== undefined;
  }

  /** Removes a message as soon as its field is valid; adds none while somebody is typing. */
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
      <FormAlert result={result} />
      <Button
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
