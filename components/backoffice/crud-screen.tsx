"use client";

import { Check, Download, Eye, History, Pencil, Trash2 } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import {
  type ComponentProps,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";
import useSWR from "swr";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/field";
import { PlusIcon } from "@/components/ui/icons";
import { Pagination } from "@/components/ui/pagination";
import { Spinner } from "@/components/ui/spinner";
import { ApiError } from "@/lib/api-client";
import { deleteRow, downloadCsv, listRows, type RowPage } from "@/lib/backoffice/client";
import {
  addressOfExport,
  addressOfRows,
  type ListView,
  PAGE_SIZES,
  parseView,
  queryOfView,
} from "@/lib/backoffice/view";
import type { ActionTools, BulkAction, CrudEntity, CrudRow } from "./crud-entity";
import { CrudFilters, type ViewChange } from "./crud-filters";
import { CrudForm } from "./crud-form";
import { CrudTable } from "./crud-table";
import { HistoryWindow } from "./history-window";
import { Question } from "./window";

type Dialog<Row> =
  | { kind: "add" }
  | { kind: "edit" | "delete" | "history"; row: Row }
  | { kind: "delete-selected" }
  | null;

interface Notice {
  kind: "success" | "error";
  content: ReactNode;
}

const numbers = new Intl.NumberFormat("fr-FR");

/** A page of rows, and where it is from. */
type LoadedPage<Row> = RowPage<Row> & { address: string };

async function loadPage<Row>(address: string): Promise<LoadedPage<Row>> {
  return { ...(await listRows<Row>(address)), address };
}

/**
 * The one screen of the back office: a table with search, filters, order and pages that the address
 * remembers, a form in a window to add and change, questions before deleting, the selection of
 * several rows, an export, and each row's history. An entity says what is shown and sent.
 */
export function CrudScreen<Row extends CrudRow, Values extends object>({
  entity,
}: {
  entity: CrudEntity<Row, Values>;
}) {
  const { view, setView, hrefOf } = useView(entity);
  const address = addressOfRows({ path: entity.path, view });
  const {
    data: latest,
    error,
    isValidating,
    mutate,
  } = useSWR<LoadedPage<Row>, ApiError>(address, loadPage<Row>, {
    keepPreviousData: true,
    shouldRetryOnError: false,
  });
  const [dialog, setDialog] = useState<Dialog<Row>>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [selection, setSelection] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const [isExporting, setIsExporting] = useState(false);

  const isPresent = latest?.address === address;
  const failedToLoad = error && !error.isSessionOver && !isPresent;
  const isPastEnd = latest !== undefined && latest.rows.length === 0 && latest.total > 0;
  // The former view stays until the next one comes, where that one does.
  const data = failedToLoad || isPastEnd ? undefined : latest;
  const rows = data?.rows;
  const total = data?.total ?? 0;
  const pageCount = Math.max(Math.ceil(total / view.pageSize), 1);
  const selected = rows?.filter(({ id }) => selection.has(id)) ?? [];
  const isBusy = (id: number) => busy.has(id);
  const close = () => setDialog(null);

  const wayBack =
    isPastEnd && isPresent ? hrefOf({ ...view, page: lastPage({ view, data: latest }) }) : null;
  useEffect(() => {
    if (wayBack) window.history.replaceState(null, "", wayBack);
  }, [wayBack]);

  function open(next: Dialog<Row>) {
    setNotice(null);
    setDialog(next);
  }

  function change(to: ViewChange, isTyping = false) {
    setSelection(new Set());
    setView(to, isTyping);
  }

  function setRowBusy(id: number, isOn: boolean) {
    setBusy((former) => {
      const next = new Set(former);
      if (isOn) next.add(id);
      else next.delete(id);
      return next;
    });
  }

  /** The list as it is now. */
  async function reload() {
    const fresh = await mutate();
    setSelection((former) => {
      const left = new Set(fresh?.rows.map(({ id }) => id));
      return new Set([...former].filter((id) => left.has(id)));
    });
  }

  async function runOnRow(id: number, run: () => Promise<unknown>): Promise<ApiError | null> {
    setRowBusy(id, true);
    try {
      await run();
      return null;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      return problem;
    } finally {
      setRowBusy(id, false);
    }
  }

  const tools: ActionTools = {
    isBusy,
    change: async (id, run, done) => {
      setNotice(null);
      const problem = await runOnRow(id, async () => {
        const answer = await run();
        await reload();
        setNotice(success(done(answer)));
      });
      if (!problem || problem.isSessionOver) return;
      await reload();
      setNotice(failureNotice([problem], CHANGE_FAILED));
    },
  };

  async function remove(row: Row) {
    close();
    const problem = await runOnRow(row.id, async () => {
      await deleteRow(entity.deletePath(row));
      await reload();
    });
    if (problem?.isSessionOver) return;
    setNotice(
      problem ? failureNotice([problem], DELETE_FAILED) : success("Suppression effectuée."),
    );
  }

  /** One after the other: each is a request of its own, and the table tells how far it has come. */
  async function runOnSelection(run: BulkAction<Row>["run"], failed: string) {
    close();
    setNotice(null);
    const failures: ApiError[] = [];
    for (const row of selected) {
      const problem = await runOnRow(row.id, () => run(row));
      if (problem?.isSessionOver) return;
      if (problem) failures.push(problem);
    }
    await reload();
    const done = selected.length - failures.length;
    setNotice(
      failures.length > 0
        ? failureNotice(failures, failed)
        : success(done === 1 ? "1 élément traité." : `${done} éléments traités.`),
    );
  }

  async function finishSave(isNew: boolean) {
    // A new row comes first where nothing else is asked for, and may be nowhere otherwise.
    if (isNew && queryOfView(view) !== "") change(() => ({ search: "", order: null, filters: {} }));
    await reload();
    close();
    setNotice(success(isNew ? "Ajout effectué." : "Modification enregistrée."));
  }

  async function exportRows() {
    setNotice(null);
    setIsExporting(true);
    try {
      const day = new Date().toISOString().slice(0, 10);
      await downloadCsv({
        address: addressOfExport({ path: entity.path, view }),
        name: `${entity.fileName}-${day}.csv`,
      });
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      if (!problem.isSessionOver) setNotice(failureNotice([problem], EXPORT_FAILED));
    }
    setIsExporting(false);
  }

  const placeholder = failedToLoad ? (
    <div className="flex flex-col items-center gap-3">
      <p role="alert">La liste n’a pas pu être chargée.</p>
      <Button variant="secondary" size="sm" onClick={() => mutate()}>
        Réessayer
      </Button>
    </div>
  ) : rows ? (
    entity.emptyText
  ) : (
    <Spinner label="Chargement" />
  );

  return (
    // On a high screen all of it fits, and only the rows scroll.
    <div className="flex min-w-0 flex-col gap-5 lg:[@media(min-height:40rem)]:max-h-[calc(100dvh-3rem)]">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="font-semibold text-heading md:text-2xl">{entity.heading}</h1>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            className="max-sm:px-2.5 max-sm:text-sm"
            onClick={exportRows}
            busy={isExporting}
            pendingLabel="Export en cours..."
          >
            <Download size={18} aria-hidden="true" />
            Exporter (CSV)
          </Button>
          <Button
            className="max-sm:px-2.5 max-sm:text-sm"
            aria-label={entity.addLabel}
            onClick={() => open({ kind: "add" })}
          >
            <PlusIcon />
            Ajouter
          </Button>
        </div>
      </div>
      <CrudFilters
        view={view}
        onChange={change}
        filters={entity.filters}
        columns={entity.columns}
        searchHint={entity.searchHint}
      />
      {notice && <Alert kind={notice.kind}>{notice.content}</Alert>}
      {selected.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
        <div
          role="group"
          aria-label="Actions sur la sélection"
          className="flex flex-wrap items-center gap-2 rounded-md bg-accent-soft px-4 py-2"
        >
          <p aria-live="polite" className="mr-2 font-medium text-sm">
            {selected.length === 1 ? "1 sélectionné" : `${selected.length} sélectionnés`}
          </p>
          {entity.bulkActions?.map(({ label, run }) => (
            <Button
              key={label}
              size="sm"
              variant="secondary"
              disabled={busy.size > 0}
              onClick={() => runOnSelection(run, CHANGE_FAILED)}
            >
              {label} la sélection
            </Button>
          ))}
          <Button
            size="sm"
            variant="danger"
            disabled={busy.size > 0}
            onClick={() => open({ kind: "delete-selected" })}
          >
            Supprimer la sélection
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setSelection(new Set())}>
            Tout désélectionner
          </Button>
        </div>
      )}
      <CrudTable
        caption={entity.heading}
        columns={entity.columns}
        rows={rows}
        placeholder={placeholder}
        isStale={isValidating && rows !== undefined && busy.size === 0}
        order={view.order}
        onOrder={(order) => change(() => ({ order }))}
        selection={selection}
        onSelect={setSelection}
        isBusy={isBusy}
        actions={(row) => (
          <>
            {entity.rowActions?.(row, tools)}
            <RowButton label="Modifier" onClick={() => open({ kind: "edit", row })}>
              <Pencil size={18} aria-hidden="true" />
            </RowButton>
            <RowButton label="Historique" onClick={() => open({ kind: "history", row })}>
              <History size={18} aria-hidden="true" />
            </RowButton>
            <RowButton
              label="Supprimer"
              disabled={isBusy(row.id)}
              onClick={() => open({ kind: "delete", row })}
              className="hover:text-danger"
            >
              {isBusy(row.id) ? (
                <Spinner size={18} label="En cours" />
              ) : (
                <Trash2 size={18} aria-hidden="true" />
              )}
            </RowButton>
          </>
        )}
      />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="text-muted text-sm">{data && rangeText({ view, data })}</p>
        <Pagination
          page={Math.min(view.page, pageCount)}
          pageCount={pageCount}
          href={(page) => hrefOf({ ...view, page })}
          onSelect={(page) => change(() => ({ page }))}
        />
        <div className="flex items-center gap-2">
          <span aria-hidden="true" className="text-muted text-sm">
            Lignes par page
          </span>
          <SelectField
            label="Lignes par page"
            hideLabel
            className="w-20"
            value={String(view.pageSize)}
            onChange={({ target }) => change(() => ({ pageSize: Number(target.value) }))}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </SelectField>
        </div>
      </div>

      {(dialog?.kind === "add" || dialog?.kind === "edit") && (
        <CrudForm
          entity={entity}
          row={dialog.kind === "edit" ? dialog.row : null}
          onSaved={finishSave}
          onClose={close}
        />
      )}
      {dialog?.kind === "history" && (
        <HistoryWindow
          entity={entity.historyName}
          id={dialog.row.id}
          labels={entity.labels}
          onClose={close}
        />
      )}
      <Question
        open={dialog?.kind === "delete"}
        title={entity.deleteQuestion}
        confirmLabel="Supprimer"
        onConfirm={() => dialog?.kind === "delete" && remove(dialog.row)}
        onCancel={close}
      >
        {dialog?.kind === "delete" && entity.deleteWarning?.(dialog.row)}
      </Question>
      <Question
        open={dialog?.kind === "delete-selected"}
        title={
          selected.length === 1
            ? entity.deleteQuestion
            : `Supprimer les ${selected.length} éléments sélectionnés\u202f?`
        }
        confirmLabel="Supprimer"
        onConfirm={() => runOnSelection((row) => deleteRow(entity.deletePath(row)), DELETE_FAILED)}
        onCancel={close}
      >
        {dialog?.kind === "delete-selected" &&
          [...new Set(selected.map((row) => entity.deleteWarning?.(row)))].map(
            (text) => text && <p key={text}>{text}</p>,
          )}
      </Question>
    </div>
  );
}

const DELETE_FAILED = "La suppression a échoué.";
const CHANGE_FAILED = "La modification a échoué.";
const EXPORT_FAILED = "L’export a échoué.";

const success = (content: ReactNode): Notice => ({ kind: "success", content });

function failureNotice(failures: readonly ApiError[], fallback: string): Notice {
  const sentences = [...new Set(failures.map(({ sentence }) => sentence || fallback))];
  return { kind: "error", content: sentences.join("\n") };
}

function rangeText<Row>({ view, data }: { view: ListView; data: RowPage<Row> }): string {
  const first = (view.page - 1) * view.pageSize;
  if (data.rows.length === 0) return "0 résultat";
  return `${numbers.format(first + 1)}–${numbers.format(first + data.rows.length)} sur ${numbers.format(data.total)}`;
}

/**
 * The last page, for who is past the end. A very large total is an estimate: where its last page is
 * not there, either, it is the first one.
 */
function lastPage<Row>({ view, data }: { view: ListView; data: RowPage<Row> }): number {
  const last = Math.ceil(data.total / view.pageSize);
  return last < view.page ? last : 1;
}

/** The view that the address names. A change of it is a change of the address, which loads nothing. */
function useView<Row extends CrudRow, Values extends object>({
  columns,
  filters,
}: CrudEntity<Row, Values>) {
  const pathname = usePathname();
  const query = useSearchParams();
  const viewOf = useCallback(
    (search: string) =>
      parseView({
        query: new URLSearchParams(search),
        fields: columns.flatMap(({ orderBy }) => orderBy ?? []),
        filters: filters.map(({ name }) => name),
      }),
    [columns, filters],
  );
  const view = useMemo(() => viewOf(query.toString()), [viewOf, query]);
  const hrefOf = (next: ListView) => `${pathname}${queryOfView(next)}`;
  return {
    view,
    hrefOf,
    setView: (to: ViewChange, isTyping: boolean) => {
      // The address is ahead of what is shown while React is still at it.
      const former = viewOf(window.location.search);
      const address = hrefOf({ ...former, page: 1, ...to(former) });
      // One step back in the browser's history leaves a search as a whole.
      if (isTyping && window.location.search.includes("search="))
        window.history.replaceState(null, "", address);
      else window.history.pushState(null, "", address);
    },
  };
}

const rowButton =
  "grid size-9 place-items-center rounded-md text-muted hover:bg-surface-strong hover:text-ink disabled:cursor-not-allowed";

/** A row's action, a picture with a name. */
export function RowButton({
  label,
  className,
  ...props
}: { label: string } & ComponentProps<"button">) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...props}
      className={`${rowButton} ${className ?? ""}`}
    />
  );
}

/** Opens a public page beside the back office. */
export function ViewLink({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      title={label}
      className={rowButton}
    >
      <Eye size={18} aria-hidden="true" />
    </a>
  );
}

/** A yes or no of a column; `warns` where a yes is nothing good. */
export function YesNo({ value, warns = false }: { value: boolean; warns?: boolean }) {
  if (value && warns) return <Badge tone="danger">Oui</Badge>;
  return value ? (
    <span className="inline-flex items-center gap-1 text-success">
      <Check size={14} aria-hidden="true" />
      Oui
    </span>
  ) : (
    <span className="text-muted">Non</span>
  );
}
