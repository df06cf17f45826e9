import { zodResolver } from "@hookform/resolvers/zod";
import { type FormEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type FieldValues, type Path, useForm } from "react-hook-form";
import type { z } from "zod";
import type { FormResult } from "@/components/ui/form-alert";
import { useHydrated } from "@/components/ui/use-hydrated";
import { ApiError } from "@/lib/api-client";

/** What came of a form that was sent. */
export interface FormOutcome {
  /** The sentence about a success. */
  success?: string;
  /** What is wrong after all, by field; "general" for the whole. */
  errors?: Record<string, string>;
  /** Nothing more can be sent: the page is about to be left. */
  isDone?: boolean;
}

interface ApiFormOptions<Input extends FieldValues, Output> {
  /** The API's own schema of the request: what it says stands beside the fields. */
  schema: z.ZodType<Output, Input>;
  /** The fields' names in the order of the form. */
  fields: readonly Path<Input>[];
  /** What the fields hold, where it is known only later; a new object fills them anew. */
  values?: Input | undefined;
  /** @throws ApiError, which is shown */
  send: (input: Output) => Promise<FormOutcome>;
  /** What is said of a refusal without a sentence, and of faults of the shop or the connection. */
  fallback: string | ((error: ApiError) => string);
}

/**
 * A form that is checked by the API's schema and then sent. The fields are the browser's own, so
 * that what was typed or filled in before the page's script arrived counts, and stays after an
 * error; until then nothing can be sent.
 */
export function useApiForm<Input extends FieldValues, Output>({
  schema,
  fields,
  values,
  send,
  fallback,
}: ApiFormOptions<Input, Output>) {
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver<Input, unknown, Output>(schema),
    ...(values && { values }),
  });
  const isHydrated = useHydrated();
  const alertId = useId();
  const element = useRef<HTMLFormElement>(null);
  const isBusy = useRef(false);
  const [isSending, setIsSending] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);
  /** Fields that the sentence below the form is about. */
  const [inAlert, setInAlert] = useState<readonly string[]>([]);
  const { errors } = form.formState;

  function show(next: FormResult | null, about: readonly string[] = []) {
    setResult(next);
    setInAlert(about);
  }

  /** react-hook-form's own way takes a detour by a timer. */
  function focus(name: Path<Input>) {
    const control = element.current?.elements.namedItem(name);
    if (control instanceof HTMLElement) control.focus();
  }

  /** One sentence stands beside its field; several, or one about the whole, below the form. */
  function showErrors(sentences: Record<string, string>) {
    const names = Object.keys(sentences);
    const known = fields.filter((name) => names.includes(name));
    const [only] = known;
    if (only !== undefined && names.length === 1) {
      form.setError(only, { type: "server", message: sentences[only] ?? "" });
    } else {
      show({ kind: "error", text: Object.values(sentences).join("\n") }, known);
    }
    if (only !== undefined) focus(only);
  }

  function showRefusal(error: ApiError) {
    if (Object.keys(error.errors).length > 0) return showErrors(error.errors);
    const usual = typeof fallback === "string" ? error.sentence || fallback : fallback(error);
    show({ kind: "error", text: error.isLimit && error.sentence ? error.sentence : usual });
  }

  async function submit(input: Output) {
    if (isBusy.current) return;
    isBusy.current = true;
    show(null);
    setIsSending(true);
    let finish: () => void;
    try {
      const outcome = await send(input);
      finish = () => {
        if (outcome.success) show({ kind: "success", text: outcome.success });
        if (outcome.errors) showErrors(outcome.errors);
      };
      if (outcome.isDone) setIsDone(true);
      else isBusy.current = false;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The page is being left: it goes on being busy.
      if (error.isSessionOver) return;
      isBusy.current = false;
      finish = () => showRefusal(error);
    }
    // At once: a disabled button cannot be given the focus back, nor can a sentence be read out
    // that is not there yet.
    flushSync(() => setIsSending(false));
    flushSync(finish);
    if (document.activeElement === document.body)
      element.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }

  const onSubmit = form.handleSubmit(submit, (problems) => {
    const whole = problems[""]?.message;
    if (typeof whole !== "string") return show(null);
    const empty = fields.filter((name) => !form.getValues(name));
    show({ kind: "error", text: whole }, empty);
    const [first] = empty;
    if (first !== undefined) focus(first);
  });

  return {
    form,
    /** A request runs. */
    isSending,
    isDone,
    result,
    show,
    focus,
    /** For `<form>`. */
    formProps: {
      ref: element,
      // Nothing may be sent by the browser itself, least of all in an address.
      method: "post" as const,
      noValidate: true,
      onSubmit,
      onInput: ({ target }: FormEvent) =>
        setInAlert((names) => names.filter((name) => name !== (target as HTMLInputElement).name)),
    },
    /** For the field of this name. */
    field: (name: Path<Input>) => {
      const message = form.getFieldState(name, form.formState).error?.message;
      return {
        ...form.register(name),
        error: message ?? null,
        errorId: inAlert.includes(name) ? alertId : undefined,
      };
    },
    /** For `FormAlert`. */
    alertProps: { id: alertId, result },
    /** For the button that sends. */
    submitProps: {
      type: "submit" as const,
      busy: isSending,
      disabled: !isHydrated || isDone,
    },
    hasErrors: Object.keys(errors).length > 0,
  };
}
