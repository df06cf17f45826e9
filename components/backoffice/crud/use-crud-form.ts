"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { type SubmitEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { errorsOfProblems, problemsOfErrors } from "@/components/backoffice/forms/form-errors";
import { useFocusOnError } from "@/components/backoffice/forms/use-focus-on-error";
import { useDraft } from "@/components/ui/use-draft";
import { ApiError } from "@/lib/api-error";
import { type SaveRequest, saveRow } from "@/lib/backoffice/client";
import { currentOf, type Problem, problemsOfSave } from "@/lib/backoffice/rules";
import { SESSION_OVER } from "@/lib/backoffice/texts";
import { frenchIssue } from "@/lib/http/api/french-issues";
import type { CrudRow, FormEntity } from "./crud-entity";
import { type SaveBlocker, valuesOf } from "./crud-field";

type Json = Record<string, unknown>;

/** Asks for all messages of every field. */
const ALL = { criteriaMode: "all", fields: {}, shouldUseNativeValidation: false } as const;

/**
 * Makes the body of the request from the typed values, and validates it by the API's own schema. The
 * problems of a field that the entity's `check` finds take precedence.
 */
function resolverOf<Row extends CrudRow, Values extends FieldValues>(
  { schema, check, toJson }: FormEntity<Row, Values>,
  { row, saveBlocker }: { row: Row | null; saveBlocker: SaveBlocker | null },
): Resolver<Values, unknown, Json> {
  return async (values, context) => {
    const json = toJson(values, row);
    const bodySchema = schema(values, row) as z.ZodType<unknown, FieldValues>;
    const validate = zodResolver(bodySchema, { error: frenchIssue }, { raw: true });
    const { errors } = await validate(json, context, ALL);
    const { field = "", message } = saveBlocker ?? {};
    const blockers = message ? [{ field, message }] : [];
    const own = errorsOfProblems([...(check?.(values, row) ?? []), ...blockers]);
    const all = { ...errors, ...Object.fromEntries(own.map(({ field, error }) => [field, error])) };
    return Object.keys(all).length === 0
      ? { values: json, errors: {} }
      : { values: {}, errors: all as FieldErrors<Values> };
  };
}

function requestOf<Row extends CrudRow, Values extends FieldValues>(
  { path, savePath }: FormEntity<Row, Values>,
  { values, row, json }: { values: Values; row: Row | null; json: Json },
): SaveRequest {
  const ownPath = row ? `${path}/${row.id}` : path;
  return {
    method: row ? "PUT" : "POST",
    path: savePath?.(values, row) ?? ownPath,
    json: { ...json, ...(row?.version !== undefined && { version: row.version }) },
  };
}

export interface CrudFormOptions<Row extends CrudRow, Values extends FieldValues> {
  entity: FormEntity<Row, Values>;
  /** Null in the form that adds. */
  row: Row | null;
  /** Called after a save. */
  onSaved: (isNew: boolean) => Promise<void>;
  /** Called when the row was deleted before the save. */
  onNotFound?: (() => void) | undefined;
}

interface CrudDraft {
  values: object;
  /** The version of the row that filled the form. */
  version?: number | undefined;
}

/** Keeps a draft of the form when the session ends, without secrets. */
function useCrudDraft<Row extends CrudRow, Values extends FieldValues>({
  entity,
  form,
  row,
  setRow,
}: {
  entity: FormEntity<Row, Values>;
  form: UseFormReturn<Values, unknown, Json>;
  row: Row | null;
  setRow: (row: Row) => void;
}) {
  const { isDirty } = form.formState;
  return useDraft<CrudDraft>({
    key: `${entity.path}/${row?.id ?? "new"}`,
    read: () => {
      const kept = Object.entries(form.getValues()).filter(
        ([name]) => !entity.secretFields?.includes(name),
      );
      return isDirty ? { values: Object.fromEntries(kept), version: row?.version } : null;
    },
    restore: ({ values, version }) => {
      for (const [name, value] of Object.entries(values))
        form.setValue(name as Path<Values>, value, { shouldDirty: true });
      // The draft's version: a change of the row made meanwhile is a conflict, and is not overwritten.
      if (row && version !== undefined) setRow({ ...row, version });
    },
  });
}

/** The state of the form that adds or changes one row: values, problems, conflict. */
export function useCrudForm<Row extends CrudRow, Values extends FieldValues>({
  entity,
  row: openedRow,
  onSaved,
  onNotFound,
}: CrudFormOptions<Row, Values>) {
  const read = (from: Row | null) => valuesOf(entity.fields, from) as Values;
  /** The row that filled the form; after a conflict, the latest version. */
  const [row, setRow] = useState(openedRow);
  const [conflict, setConflict] = useState<Row | null>(null);
  const [saveBlocker, setSaveBlocker] = useState<SaveBlocker | null>(null);
  const [isSending, setIsSending] = useState(false);
  const isBusy = useRef(false);
  const form = useForm<Values, unknown, Json>({
    defaultValues: read(openedRow) as DefaultValues<Values>,
    resolver: resolverOf(entity, { row, saveBlocker }),
    reValidateMode: "onSubmit",
    shouldFocusError: false,
  });
  const { errors, isDirty, submitCount } = form.formState;
  const draft = useCrudDraft({ entity, form, row, setRow });
  const isWaiting = saveBlocker !== null && saveBlocker.message === undefined;
  const element = useFocusOnError(submitCount);

  function setValue<Name extends keyof Values & string>(name: Name, value: Values[Name]) {
    const of = name as string as Path<Values>;
    form.setValue(of, value as PathValue<Values, Path<Values>>, { shouldDirty: true });
  }

  function showRefusal(error: ApiError) {
    if (error.isSessionOver) return showProblems([{ message: SESSION_OVER }]);
    if (error.status === 404) onNotFound?.();
    const current = currentOf<Row>(error);
    setConflict(current);
    if (row && current) {
      // Values may have been typed since the form was sent.
      const [typed, previous, latest] = [form.getValues(), read(row), read(current)];
      for (const name of entity.shopFields ?? [])
        if (typed[name] === previous[name]) setValue(name, latest[name]);
    }
    const { saveFailed: fallback, hasErrorField: hasError = false } = entity;
    showProblems(problemsOfSave({ error, fallback, hasError }));
  }

  function showProblems(problems: readonly Problem[]) {
    for (const { field, error } of errorsOfProblems(problems))
      form.setError(field as Path<Values>, error);
  }

  async function send(json: Json) {
    if (isBusy.current) return;
    isBusy.current = true;
    setConflict(null);
    setIsSending(true);
    try {
      const saved = await saveRow<Row>(requestOf(entity, { values: form.getValues(), row, json }));
      if (saved) entity.afterSave?.(saved);
      await onSaved(row === null);
    } catch (error) {
      isBusy.current = false;
      setIsSending(false);
      if (!(error instanceof ApiError)) throw error;
      showRefusal(error);
    }
  }

  return {
    row,
    values: form.watch(),
    setValue,
    problems: problemsOfErrors(errors),
    isDirty,
    isRestored: draft.isRestored,
    isSending,
    /** An upload of the form is still running. */
    isWaiting,
    setSaveBlocker,
    /** The values that somebody else has saved meanwhile. */
    conflict: conflict && read(conflict),
    takeTheirs: () => {
      setRow(conflict);
      form.reset(read(conflict));
      setConflict(null);
    },
    keepMine: () => {
      // Sends the form again, as a change of the latest version.
      flushSync(() => setRow(conflict));
      element.current?.requestSubmit();
    },
    formProps: {
      ref: element,
      noValidate: true,
      onSubmit: (event: SubmitEvent) => {
        event.preventDefault();
        if (!isBusy.current && !isWaiting) void form.handleSubmit(send)(event);
      },
    },
  };
}
