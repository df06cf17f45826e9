"use client";

import { Download, History, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import useSWR from "swr";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/field";
import { PlusIcon } from "@/components/ui/icons";
import { Pagination } from "@/components/ui/pagination";
import { Spinner } from "@/components/ui/spinner";
import { ApiError } from "@/lib/api-client";
import { deleteRow, downloadCsv, listRows, type RowPage } from "@/lib/backoffice/client";
import { exportUrl, type ListView, PAGE_SIZES, queryOfView, rowsUrl } from "@/lib/backoffice/view";
import { RowButton } from "./cells";
import type { ActionTools, BulkAction, CrudEntity, CrudRow } from "./crud-entity";
import { CrudFilters } from "./crud-filters";
import { CrudForm } from "./crud-form";
import { CrudTable } from "./crud-table";
import { ConfirmDialog } from "./dialog";
import { HistoryDialog } from "./history-dialog";
import { useListView, type ViewChange } from "./use-list-view";
import { useRowChanges } from "./use-row-changes";

type OpenDialog<Row> =
  | { kind: "add" }
  | { kind: "edit" | "delete" | "history"; row: Row }
  | { kind: "delete-selected" }
  | null;

interface Notice {
  kind: "success" | "error";
  text: string;
}

const numbers = new Intl.NumberFormat("fr-FR");

/** A page of rows, and the URL it was loaded from. */
type LoadedPage<Row> = RowPage<Row> & { url: string };

async function loadPage<Row>(url: string): Promise<LoadedPage<Row>> {
  return { ...(await listRows<Row>(url)), url };
}

/**
 * The one screen of the back office: a table whose search, filters, order and page are in the URL, a
 * form in a dialog to add and change, confirmations before deleting, the selection of several rows,
 * an export, and each row's history. An entity says what is shown and sent.
 */
export function CrudScreen<Row extends CrudRow, Values extends object>({
  entity,
}: {
  entity: CrudEntity<Row, Values>;
}) {
  const { view, setView, hrefOf } = useListView(entity);
  const url = rowsUrl({ path: entity.path, view });
  const {
    data: latest,
    error,
    isValidating,
    mutate,
  } = useSWR<LoadedPage<Row>, ApiError>(url, loadPage<Row>, {
    keepPreviousData: true,
    shouldRetryOnError: false,
  });
  const [dialog, setDialog] = useState<OpenDialog<Row>>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  /** Kept when a change fails: something may have been typed there. */
  const [followUp, setFollowUp] = useState<ReactNode>(null);
  const [selection, setSelection] = useState<ReadonlySet<number>>(new Set());
  const { busy, runOnRow, runOnRows } = useRowChanges();
  const [isExporting, setIsExporting] = useState(false);

  const isCurrent = latest?.url === url;
  const failedToLoad = error && !error.isSessionOver && !isCurrent;
  const isPastEnd = latest !== undefined && latest.rows.length === 0 && latest.total > 0;
  // The previous rows are shown until the next ones arrive, unless these cannot be loaded.
  const data = failedToLoad || isPastEnd ? undefined : latest;
  const rows = data?.rows;
  const selected = rows?.filter(({ id }) => selection.has(id)) ?? [];
  const isBusy = (id: number) => busy.has(id);
  const close = () => setDialog(null);

  const lastPageHref =
    isPastEnd && isCurrent ? hrefOf({ ...view, page: lastPage({ view, data: latest }) }) : null;
  useEffect(() => {
    if (lastPageHref) window.history.replaceState(null, "", lastPageHref);
  }, [lastPageHref]);

  function succeed(text: string, next: ReactNode = null) {
    setNotice({ kind: "success", text });
    setFollowUp(next);
  }

  function open(next: OpenDialog<Row>) {
    setNotice(null);
    setFollowUp(null);
    setDialog(next);
  }

  function change(to: ViewChange, isTyping = false) {
    setSelection(new Set());
    setView(to, isTyping);
  }

  /** Fetches the list again. */
  async function reload() {
    const fresh = await mutate();
    setSelection((previous) => {
      const remaining = new Set(fresh?.rows.map(({ id }) => id));
      return new Set([...previous].filter((id) => remaining.has(id)));
    });
  }

  const tools: ActionTools = {
    isBusy,
    change: async (id, run, done) => {
      setNotice(null);
      const problem = await runOnRow(id, async () => {
        const answer = await run();
        await reload();
        const { text, followUp: next } = done(answer);
        succeed(text, next);
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
    if (problem) setNotice(failureNotice([problem], DELETE_FAILED));
    else succeed("Suppression effectuée.");
  }

  async function runOnSelection(run: BulkAction<Row>["run"], failed: string) {
    close();
    setNotice(null);
    const failures = await runOnRows(selected, run);
    if (!failures) return;
    await reload();
    const done = selected.length - failures.length;
    if (failures.length > 0) setNotice(failureNotice(failures, failed));
    else succeed(done === 1 ? "1 élément traité." : `${done} éléments traités.`);
  }

  async function finishSave(isNew: boolean) {
    // A new row is first in the unfiltered list, and may be missing from any other.
    if (isNew && queryOfView(view) !== "") change(() => ({ search: "", order: null, filters: {} }));
    await reload();
    close();
    succeed(isNew ? "Ajout effectué." : "Modification enregistrée.");
  }

  async function exportRows() {
    setNotice(null);
    setIsExporting(true);
    try {
      const day = new Date().toISOString().slice(0, 10);
      await downloadCsv({
        url: exportUrl({ path: entity.path, view }),
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
    // On a tall screen everything fits, and only the rows scroll.
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
      {notice && <Alert kind={notice.kind}>{notice.text}</Alert>}
      {followUp}
      {selected.length > 0 && (
        <SelectionBar
          count={selected.length}
          isBusy={busy.size > 0}
          actions={entity.bulkActions ?? []}
          onAction={(run) => runOnSelection(run, CHANGE_FAILED)}
          onDelete={() => open({ kind: "delete-selected" })}
          onClear={() => setSelection(new Set())}
        />
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
      <Paging view={view} data={data} hrefOf={hrefOf} onChange={change} />

      {(dialog?.kind === "add" || dialog?.kind === "edit") && (
        <CrudForm
          entity={entity}
          row={dialog.kind === "edit" ? dialog.row : null}
          onSaved={finishSave}
          onNotFound={reload}
          onClose={close}
        />
      )}
      {dialog?.kind === "history" && (
        <HistoryDialog
          entity={entity.historyName}
          id={dialog.row.id}
          labels={entity.labels}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={dialog?.kind === "delete"}
        title={entity.deleteQuestion}
        confirmLabel="Supprimer"
        onConfirm={() => dialog?.kind === "delete" && remove(dialog.row)}
        onCancel={close}
      >
        {dialog?.kind === "delete" && entity.deleteWarning?.(dialog.row)}
      </ConfirmDialog>
      <ConfirmDialog
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
      </ConfirmDialog>
    </div>
  );
}

interface SelectionBarProps<Row> {
  count: number;
  isBusy: boolean;
  actions: readonly BulkAction<Row>[];
  onAction: (run: BulkAction<Row>["run"]) => void;
  onDelete: () => void;
  onClear: () => void;
}

/** The actions on the selected rows. */
function SelectionBar<Row>({
  count,
  isBusy,
  actions,
  onAction,
  onDelete,
  onClear,
}: SelectionBarProps<Row>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
    <div
      role="group"
      aria-label="Actions sur la sélection"
      className="flex flex-wrap items-center gap-2 rounded-md bg-accent-soft px-4 py-2"
    >
      <p aria-live="polite" className="mr-2 font-medium text-sm">
        {count === 1 ? "1 sélectionné" : `${count} sélectionnés`}
      </p>
      {actions.map(({ label, run }) => (
        <Button
          key={label}
          size="sm"
          variant="secondary"
          disabled={isBusy}
          onClick={() => onAction(run)}
        >
          {label} la sélection
        </Button>
      ))}
      <Button size="sm" variant="danger" disabled={isBusy} onClick={onDelete}>
        Supprimer la sélection
      </Button>
      <Button size="sm" variant="ghost" onClick={onClear}>
        Tout désélectionner
      </Button>
    </div>
  );
}

interface PagingProps<Row> {
  view: ListView;
  /** Undefined until it is loaded. */
  data: RowPage<Row> | undefined;
  hrefOf: (view: ListView) => string;
  onChange: (change: ViewChange) => void;
}

/** Below the table: which rows it shows, its pages, and their size. */
function Paging<Row>({ view, data, hrefOf, onChange }: PagingProps<Row>) {
  const pageCount = Math.max(Math.ceil((data?.total ?? 0) / view.pageSize), 1);
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      {/* Announces to screen readers that a search or a filter has changed the rows. */}
      <p aria-live="polite" className="text-muted text-sm">
        {data && rangeText({ view, data })}
      </p>
      <Pagination
        page={Math.min(view.page, pageCount)}
        pageCount={pageCount}
        href={(page) => hrefOf({ ...view, page })}
        onSelect={(page) => onChange(() => ({ page }))}
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
          onChange={({ target }) => onChange(() => ({ pageSize: Number(target.value) }))}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </SelectField>
      </div>
    </div>
  );
}

const DELETE_FAILED = "La suppression a échoué.";
const CHANGE_FAILED = "La modification a échoué.";
const EXPORT_FAILED = "L’export a échoué.";

function failureNotice(failures: readonly ApiError[], fallback: string): Notice {
  const sentences = [...new Set(failures.map(({ sentence }) => sentence || fallback))];
  return { kind: "error", text: sentences.join("\n") };
}

function rangeText<Row>({ view, data }: { view: ListView; data: RowPage<Row> }): string {
  const first = (view.page - 1) * view.pageSize;
  if (data.rows.length === 0) return "0 résultat";
  return `${numbers.format(first + 1)}–${numbers.format(first + data.rows.length)} sur ${numbers.format(data.total)}`;
}

/**
 * The last page, to go to from a page past the end. A very large total is an estimate: if even its
 * last page is past the end, the first one.
 */
function lastPage<Row>({ view, data }: { view: ListView; data: RowPage<Row> }): number {
  const last = Math.ceil(data.total / view.pageSize);
  return last < view.page ? last : 1;
}
