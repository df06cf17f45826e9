"use client";

import { Fragment, useId } from "react";
import type { FieldValues } from "react-hook-form";
import { FormDialog } from "@/components/backoffice/forms/form-dialog";
import { Button } from "@/components/ui/button";
import { DraftNotice } from "@/components/ui/draft-notice";
import { differencesOf, isBesideField } from "@/lib/backoffice/rules";
import { CrudConflict } from "./crud-conflict";
import type { CrudRow } from "./crud-entity";
import { type FieldProblem, inputNames, labelsOf } from "./crud-field";
import { type CrudFormOptions, useCrudForm } from "./use-crud-form";

interface CrudFormProps<Row extends CrudRow, Values extends FieldValues>
  extends Omit<CrudFormOptions<Row, Values>, "onNotFound"> {
  onReload?: () => void;
  onClose: () => void;
}

/** The dialog that adds or changes one row. */
export function CrudForm<Row extends CrudRow, Values extends FieldValues>({
  onReload = () => undefined,
  onClose,
  ...options
}: CrudFormProps<Row, Values>) {
  const { entity } = options;
  const form = useCrudForm({ ...options, onNotFound: onReload });
  const { row, isDirty } = form;
  const listId = useId();

  // Every message without a place beside a field is in the list, once.
  const isInline = ({ field = "", message }: (typeof form.problems)[number]) =>
    isBesideField(message) && entity.fields[field]?.input !== undefined;
  const listed = new Set(form.problems.filter((each) => !isInline(each)).map((p) => p.message));

  function problemOf(name: string): FieldProblem {
    const own = form.problems.find(
      ({ field = "" }) => field === name || field.startsWith(`${name}.`),
    );
    if (!own) return {};
    return isInline(own) ? { error: own.message } : { errorId: listId };
  }

  const control = <Name extends keyof Values & string>(name: Name) => ({
    name,
    label: entity.fields[name].label,
    value: form.values[name],
    onChange: (value: Values[Name]) => form.setValue(name, value),
    problem: problemOf(name),
    row,
    blockSave: form.setSaveBlocker,
  });
  const field = (name: keyof Values & string) => (
    <Fragment key={name}>{entity.fields[name].input?.render?.(control(name))}</Fragment>
  );

  return (
    <FormDialog
      isDirty={isDirty}
      isBusy={form.isSending}
      onClose={onClose}
      title={row ? entity.editTitle : entity.addLabel}
      size={entity.formSize ?? "md"}
    >
      <form {...form.formProps} className="flex min-h-0 flex-col">
        <div className="flex min-h-0 flex-col gap-5 overflow-y-auto px-6 py-5">
          {row && entity.notice?.(row, onReload)}
          <DraftNotice isRestored={form.isRestored} />
          {entity.layout
            ? entity.layout({ field, control, values: form.values })
            : inputNames(entity.fields).map(field)}
          {form.conflict && (
            <CrudConflict
              differences={differencesOf({
                mine: form.values,
                theirs: form.conflict,
                labels: labelsOf(entity.fields),
                secretFields: entity.secretFields ?? [],
              })}
              onKeep={form.keepMine}
              onTake={form.takeTheirs}
            />
          )}
        </div>
        <FormFooter form={form} messages={[...listed]} listId={listId} onCancel={onClose} />
      </form>
    </FormDialog>
  );
}

interface FormFooterProps {
  form: { row: unknown; isSending: boolean; isWaiting: boolean };
  messages: readonly string[];
  listId: string;
  onCancel: () => void;
}

/** The messages without a place beside a field, and the buttons. */
function FormFooter({
  form: { row, isSending, isWaiting },
  messages,
  listId,
  onCancel,
}: FormFooterProps) {
  return (
    <div className="flex shrink-0 flex-col gap-3 border-line border-t px-6 py-4">
      {messages.length > 0 && <MessageList id={listId} messages={messages} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel} disabled={isSending}>
          Annuler
        </Button>
        <Button
          type="submit"
          busy={isSending}
          disabled={isWaiting}
          pendingLabel={row ? "Enregistrement en cours..." : "Ajout en cours..."}
        >
          {row ? "Enregistrer" : "Ajouter"}
        </Button>
      </div>
    </div>
  );
}

function MessageList({ id, messages }: { id: string; messages: readonly string[] }) {
  return (
    <div
      id={id}
      role="alert"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls
      tabIndex={0}
      className="max-h-32 overflow-y-auto rounded-md bg-danger-soft py-3 pr-4 pl-8 text-danger text-sm"
    >
      <ul className="list-disc space-y-1">
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
