import { zodResolver } from "@hookform/resolvers/zod";
import { type FormEvent, type RefObject, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import type { FormResult } from "@/components/ui/form-alert";
import { useModalLock } from "@/components/ui/modal-lock";
import { useDraft } from "@/components/ui/use-draft";
import { ApiError } from "@/lib/api-error";

export interface FormOutcome {
  /** The success message. */
  success?: string;
  /** Error messages by field; "general" for the form as a whole. */
  errors?: Record<string, string>;
  /** The form accepts no more submissions: the page is about to navigate away. */
  isDone?: boolean;
}

interface ApiFormOptions<Input extends FieldValues, Output> {
  /** The API's own schema of the request: its messages are shown beside the fields. */
  schema: z.ZodType<Output, Input>;
  /** The names of the fields, in the order of the form. */
  fields: readonly Path<Input>[];
  /** Initial values, which may arrive later; a new object resets the fields. */
  values?: Input | undefined;
  /** May throw an `ApiError`, which is shown. */
  send: (input: Output) => Promise<FormOutcome>;
  /** Key of the draft that is kept when the session ends (useDraft). Without a key no draft is kept. */
  draftKey?: string;
  /** The message for server and connection errors, and for errors without a message of their own. */
  fallback: string | ((error: ApiError) => string);
}

/**
 * A form that is validated by the API's schema and then sent. The fields are uncontrolled, so that
 * text typed or autofilled before hydration counts, and stays after an error. A form that is submitted
 * before hydration is sent after it (EarlyTaps).
 */
export function useApiForm<Input extends FieldValues, Output>({
  schema,
  fields,
  values,
  send,
  draftKey,
  fallback,
}: ApiFormOptions<Input, Output>) {
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver<Input, unknown, Output>(schema),
    ...(values && { values }),
  });
  const alertId = useId();
  const element = useRef<HTMLFormElement>(null);
  const isBusy = useRef(false);
  const [isSending, setIsSending] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { result, inAlert, forget, show, focus, showErrors, showRefusal } = useFormMessages({
    form,
    element,
    fields,
    fallback,
  });
  const draft = useFormDraft({ form, fields, draftKey, isDone });
  useModalLock(isSending || isDone);

  async function submit(input: Output) {
    if (isBusy.current) return;
    isBusy.current = true;
    show(null);
    setIsSending(true);
    try {
      const outcome = await send(input);
      isBusy.current = Boolean(outcome.isDone);
      if (outcome.isDone) setIsDone(true);
      if (!outcome.errors) draft.forget();
      if (outcome.success) show({ kind: "success", text: outcome.success });
      if (outcome.errors) showErrors(outcome.errors);
    } catch (error) {
      // The page is navigating away: it stays busy.
      if (error instanceof ApiError && error.isSessionOver) return;
      isBusy.current = false;
      setIsSending(false);
      if (!(error instanceof ApiError)) throw error;
      showRefusal(error);
    }
    setIsSending(false);
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
    isSending,
    isRestored: draft.isRestored,
    isDone,
    result,
    show,
    focus,
    formProps: {
      ref: element,
      // If the browser itself ever submits the form, the values must not end up in a URL.
      method: "post" as const,
      noValidate: true,
      onSubmit,
      onInput: ({ target }: FormEvent) => forget((target as HTMLInputElement).name),
    },
    /**
     * For the field of this name.
     *
     * @param checks dependent fields, which are validated again when this field changes
     */
    field: (name: Path<Input>, { checks = [] }: { checks?: Path<Input>[] } = {}) => {
      const message = form.getFieldState(name, form.formState).error?.message;
      return {
        ...form.register(name, { deps: checks }),
        error: message ?? null,
        errorId: inAlert.includes(name) ? alertId : undefined,
      };
    },
    /** Props of the `FormAlert`. */
    alertProps: { id: alertId, result },
    submitProps: {
      type: "submit" as const,
      busy: isSending,
      disabled: isDone,
    },
    hasErrors: Object.keys(form.formState.errors).length > 0,
  };
}

/** Keeps a draft of the form when the session ends, without passwords. */
function useFormDraft<Input extends FieldValues, Output>({
  form,
  fields,
  draftKey,
  isDone,
}: {
  form: UseFormReturn<Input, unknown, Output>;
  isDone: boolean;
} & Pick<ApiFormOptions<Input, Output>, "fields" | "draftKey">) {
  const { isDirty } = form.formState;
  return useDraft<Record<string, unknown>>({
    key: draftKey ?? null,
    read: () =>
      isDirty && !isDone
        ? Object.fromEntries(
            Object.entries(form.getValues()).filter(([name]) => !/password/i.test(name)),
          )
        : null,
    restore: (kept) => {
      for (const name of fields)
        if (name in kept)
          form.setValue(name, kept[name] as PathValue<Input, Path<Input>>, { shouldDirty: true });
    },
  });
}

/** Shows the messages of a form: beside a field, or below the form. */
function useFormMessages<Input extends FieldValues, Output>({
  form,
  element,
  fields,
  fallback,
}: {
  form: UseFormReturn<Input, unknown, Output>;
  element: RefObject<HTMLFormElement | null>;
} & Pick<ApiFormOptions<Input, Output>, "fields" | "fallback">) {
  const [result, setResult] = useState<FormResult | null>(null);
  /** Fields that the message below the form is about. */
  const [inAlert, setInAlert] = useState<readonly string[]>([]);

  function show(next: FormResult | null, about: readonly string[] = []) {
    setResult(next);
    setInAlert(about);
  }

  /** Focuses a field synchronously, unlike react-hook-form's `setFocus`. */
  function focus(name: Path<Input>) {
    const control = element.current?.elements.namedItem(name);
    if (control instanceof HTMLElement) control.focus();
  }

  /** Shows a single message beside its field; several messages, or one about the whole form, below the form. */
  function showErrors(sentences: Record<string, string>) {
    const names = Object.keys(sentences);
    const failedFields = fields.filter((name) => names.includes(name));
    const [only] = failedFields;
    // Synchronously: the message must exist when its field gets the focus, to be announced with it.
    flushSync(() => {
      if (only !== undefined && names.length === 1) {
        form.setError(only, { type: "server", message: sentences[only] ?? "" });
      } else {
        show({ kind: "error", text: Object.values(sentences).join("\n") }, failedFields);
      }
    });
    if (only !== undefined) focus(only);
  }

  function showRefusal(error: ApiError) {
    if (Object.keys(error.errors).length > 0) return showErrors(error.errors);
    const usual = typeof fallback === "string" ? error.sentence || fallback : fallback(error);
    show({ kind: "error", text: error.instruction || usual });
  }

  /** Stops linking a changed field to the message below the form. */
  const forget = (changed: string) =>
    setInAlert((names) => names.filter((name) => name !== changed));

  return { result, inAlert, forget, show, focus, showErrors, showRefusal };
}
