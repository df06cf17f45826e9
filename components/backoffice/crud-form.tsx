"use client";

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { ApiError } from "@/lib/api-client";
import { type SaveRequest, saveRow } from "@/lib/backoffice/client";
import { currentOf, differencesOf, type Problem, problemsOfSave } from "@/lib/backoffice/rules";
import { REQUIRED } from "@/lib/texts";
import type { CrudRow, FormEntity } from "./crud-entity";
import { ConfirmDialog, Dialog } from "./dialog";

interface CrudFormProps<Row extends CrudRow, Values extends object> {
  entity: FormEntity<Row, Values>;
  /** Null to add one. */
  row: Row | null;
  /** After a save: the list is loaded before the dialog closes. */
  onSaved: (isNew: boolean) => Promise<void>;
  /** After a save of a row that was deleted meanwhile; the form keeps what was typed. */
  onNotFound?: () => void;
  onClose: () => void;
}

/** The dialog that adds or changes one row. */
export function CrudForm<Row extends CrudRow, Values extends object>({
  entity,
  row: openedRow,
  onSaved,
  onNotFound,
  onClose,
}: CrudFormProps<Row, Values>) {
  /** The row that the form was filled from; after a conflict, the latest one. */
  const [row, setRow] = useState(openedRow);
  const [values, setValues] = useState<Values>(() => initialValues(entity, openedRow));
  const [pristineJson, setPristineJson] = useState(() => JSON.stringify(values));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [conflict, setConflict] = useState<Row | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const [isConfirmingDiscard, setIsConfirmingDiscard] = useState(false);
  const isBusy = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const listId = useId();
  const isDirty = JSON.stringify(values) !== pristineJson;
  useUnloadWarning(isDirty);

  // Missing required fields are marked inline; every other message is in the list, once.
  const isInline = ({ field, message }: Problem) => message === REQUIRED && field !== undefined;
  const listedMessages = [
    ...new Set(problems.filter((each) => !isInline(each)).map((p) => p.message)),
  ];

  // In an effect, since the fields must be marked first.
  useEffect(() => {
    if (problems.length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  async function save(base: Row | null) {
    if (isBusy.current || isWaiting) return;
    const wrong = entity.check(values, base);
    setProblems(wrong);
    if (wrong.length > 0) return;
    isBusy.current = true;
    setConflict(null);
    setIsSending(true);
    try {
      const saved = await saveRow<Row>(withVersion(entity.request(values, base), base));
      if (saved) entity.afterSave?.(saved);
      await onSaved(base === null);
    } catch (error) {
      isBusy.current = false;
      setIsSending(false);
      if (!(error instanceof ApiError)) throw error;
      if (error.isSessionOver) return;
      if (error.status === 404) onNotFound?.();
      const current = currentOf<Row>(error);
      setConflict(current);
      // Something may have been typed since the form was sent.
      if (base && current) setValues((typed) => withShopFields({ typed, base, current }));
      const { saveFailed: fallback, hasErrorField = false } = entity;
      setProblems(problemsOfSave({ error, fallback, hasError: hasErrorField }));
    }
  }

  /** The form's values, with what the shop has changed meanwhile in fields that were not edited. */
  function withShopFields({ typed, base, current }: { typed: Values; base: Row; current: Row }) {
    const previous = entity.valuesOf(base);
    const latest = entity.valuesOf(current);
    const untyped = (entity.shopFields ?? []).filter((name) => typed[name] === previous[name]);
    return { ...typed, ...Object.fromEntries(untyped.map((name) => [name, latest[name]])) };
  }

  function takeTheirs(current: Row) {
    const theirs = entity.valuesOf(current);
    setRow(current);
    setValues(theirs);
    setPristineJson(JSON.stringify(theirs));
    setConflict(null);
    setProblems([]);
  }

  function keepMine(current: Row) {
    setRow(current);
    void save(current);
  }

  function close() {
    if (!isBusy.current) onClose();
  }

  /** Escape is easily pressed by mistake: it does not discard what was typed without asking. */
  function closeOrConfirm() {
    if (isDirty && !isBusy.current) setIsConfirmingDiscard(true);
    else close();
  }

  return (
    <Dialog
      open
      onClose={close}
      onEscape={closeOrConfirm}
      title={row ? entity.editTitle : entity.addLabel}
      size={entity.formSize ?? "md"}
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save(row);
        }}
        className="flex min-h-0 flex-col"
      >
        <div className="flex min-h-0 flex-col gap-5 overflow-y-auto px-6 py-5">
          <entity.Fields
            values={values}
            set={(name, value) => setValues((previous) => ({ ...previous, [name]: value }))}
            problem={(name) => {
              const own = problems.find(({ field }) => field === name);
              if (!own) return {};
              return isInline(own) ? { error: own.message } : { errorId: listId };
            }}
            row={row}
            setWaiting={setWaiting}
          />
          {conflict && (
            <Conflict
              differences={differencesOf({
                mine: values,
                theirs: entity.valuesOf(conflict),
                labels: entity.labels,
                secretFields: entity.secretFields ?? [],
              })}
              onKeep={() => keepMine(conflict)}
              onTake={() => takeTheirs(conflict)}
            />
          )}
        </div>
        <div className="flex shrink-0 flex-col gap-3 border-line border-t px-6 py-4">
          {listedMessages.length > 0 && (
            <div
              id={listId}
              role="alert"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls
              tabIndex={0}
              className="max-h-32 overflow-y-auto rounded-md bg-danger-soft py-3 pr-4 pl-8 text-danger text-sm"
            >
              <ul className="list-disc space-y-1">
                {listedMessages.map((message) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            </div>
          )}
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={close} disabled={isSending}>
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
      </form>
      <ConfirmDialog
        open={isConfirmingDiscard}
        title="Abandonner les modifications&#8239;?"
        confirmLabel="Abandonner"
        cancelLabel="Continuer la saisie"
        onConfirm={onClose}
        onCancel={() => setIsConfirmingDiscard(false)}
      >
        Ce que vous avez saisi n’est pas enregistré.
      </ConfirmDialog>
    </Dialog>
  );
}

function initialValues<Row extends CrudRow, Values extends object>(
  entity: FormEntity<Row, Values>,
  row: Row | null,
): Values {
  return row ? entity.valuesOf(row) : entity.newValues();
}

function withVersion(request: SaveRequest, row: CrudRow | null): SaveRequest {
  if (row?.version === undefined) return request;
  return { ...request, json: { ...request.json, version: row.version } };
}

/** Has the browser ask before it leaves the page with unsaved changes. */
function useUnloadWarning(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventUnload);
    return () => window.removeEventListener("beforeunload", preventUnload);
  }, [isDirty]);
}

interface ConflictProps {
  differences: ReturnType<typeof differencesOf>;
  onKeep: () => void;
  onTake: () => void;
}

/** Somebody else has saved the same object: shows both versions, to choose one. */
function Conflict({ differences, onKeep, onTake }: ConflictProps) {
  return (
    <section
      aria-label="Comparer les deux versions"
      className="flex flex-col gap-4 rounded-md border border-warning bg-warning-soft p-4"
    >
      {differences.length === 0 ? (
        <p>Les deux versions disent la même chose.</p>
      ) : (
        <div className="overflow-x-auto">
          <table className="w-full text-left text-sm">
            <thead>
              <tr>
                <th scope="col" className="py-1 pr-4 font-medium">
                  Champ
                </th>
                <th scope="col" className="py-1 pr-4 font-medium">
                  Votre version
                </th>
                <th scope="col" className="py-1 font-medium">
                  Version enregistrée
                </th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ field, label, mine, theirs }) => (
                <tr key={field} className="border-warning/30 border-t align-top">
                  <th scope="row" className="py-1.5 pr-4 font-normal">
                    {label}
                  </th>
                  <td className="py-1.5 pr-4 [overflow-wrap:anywhere]">{mine}</td>
                  <td className="py-1.5 [overflow-wrap:anywhere]">{theirs}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" onClick={onKeep}>
          Garder ma version
        </Button>
        <Button variant="secondary" size="sm" onClick={onTake}>
          Reprendre la version enregistrée
        </Button>
      </div>
    </section>
  );
}
