import type { FieldValues } from "react-hook-form";
import { ConfirmDialog } from "@/components/backoffice/forms/dialog";
import type { CrudEntity, CrudRow } from "./crud-entity";
import { labelsOf } from "./crud-field";
import { CrudForm } from "./crud-form";
import { HistoryDialog } from "./history-dialog";

export type OpenDialog<Row> =
  | { kind: "add" }
  | { kind: "edit" | "history"; row: Row }
  | { kind: "delete"; rows: readonly Row[]; remove: () => void }
  | null;

/** The most names listed in the question before a deletion; the table shows the others. */
const MOST_NAMES = 10;

function listOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(" · ")}${more > 0 ? ` · et ${more} autre${more > 1 ? "s" : ""}` : ""}`;
}

interface CrudDialogsProps<Row extends CrudRow, Values extends FieldValues> {
  entity: CrudEntity<Row, Values>;
  dialog: OpenDialog<Row>;
  onSaved: (isNew: boolean) => Promise<void>;
  /** Loads the list again, after a change by somebody else or beside the form. */
  onReload: () => void;
  onClose: () => void;
}

export function CrudDialogs<Row extends CrudRow, Values extends FieldValues>({
  entity,
  dialog,
  onSaved,
  onReload,
  onClose,
}: CrudDialogsProps<Row, Values>) {
  const rows = dialog?.kind === "delete" ? dialog.rows : [];
  return (
    <>
      {(dialog?.kind === "add" || dialog?.kind === "edit") && (
        <CrudForm
          entity={entity}
          row={dialog.kind === "edit" ? dialog.row : null}
          onSaved={onSaved}
          onReload={onReload}
          onClose={onClose}
        />
      )}
      {dialog?.kind === "history" && (
        <HistoryDialog
          entity={entity.historyName}
          id={dialog.row.id}
          labels={labelsOf(entity.fields)}
          head={entity.historyHead?.(dialog.row)}
          onClose={onClose}
        />
      )}
      <ConfirmDialog
        open={dialog?.kind === "delete"}
        title={
          rows.length === 1
            ? entity.deleteQuestion
            : `Supprimer les ${rows.length} éléments sélectionnés\u202f?`
        }
        confirmLabel="Supprimer"
        onConfirm={() => {
          onClose();
          if (dialog?.kind === "delete") dialog.remove();
        }}
        onCancel={onClose}
      >
        {rows.length > 0 && (
          <>
            <p className="text-ink [overflow-wrap:anywhere]">{listOf(rows.map(entity.nameOf))}</p>
            {entity.deleteWarning && <p className="mt-2">{entity.deleteWarning(rows)}</p>}
          </>
        )}
      </ConfirmDialog>
    </>
  );
}
