import type { FieldValues } from "react-hook-form";
import type { CrudEntity, CrudRow } from "./crud-entity";
import { labelsOf } from "./crud-field";
import { CrudForm } from "./crud-form";
import { ConfirmDialog } from "./dialog";
import { HistoryDialog } from "./history-dialog";

export type OpenDialog<Row> =
  | { kind: "add" }
  | { kind: "edit" | "delete" | "history"; row: Row }
  | { kind: "delete-selected" }
  | null;

interface CrudDialogsProps<Row extends CrudRow, Values extends FieldValues> {
  entity: CrudEntity<Row, Values>;
  dialog: OpenDialog<Row>;
  selected: readonly Row[];
  onSaved: (isNew: boolean) => Promise<void>;
  onNotFound: () => void;
  onDelete: (row: Row) => void;
  onDeleteSelected: () => void;
  onClose: () => void;
}

/** The form, the history, or a question before deleting. */
export function CrudDialogs<Row extends CrudRow, Values extends FieldValues>({
  entity,
  dialog,
  selected,
  onSaved,
  onNotFound,
  onDelete,
  onDeleteSelected,
  onClose,
}: CrudDialogsProps<Row, Values>) {
  const instead =
    dialog?.kind === "edit"
      ? entity.insteadOfForm?.(dialog.row, { onDone: onNotFound, onClose })
      : null;
  return (
    <>
      {instead}
      {(dialog?.kind === "add" || dialog?.kind === "edit") && !instead && (
        <CrudForm
          entity={entity}
          row={dialog.kind === "edit" ? dialog.row : null}
          onSaved={onSaved}
          onNotFound={onNotFound}
          onClose={onClose}
        />
      )}
      {dialog?.kind === "history" && (
        <HistoryDialog
          entity={entity.historyName}
          id={dialog.row.id}
          labels={labelsOf(entity.fields)}
          onClose={onClose}
        />
      )}
      <ConfirmDialog
        open={dialog?.kind === "delete"}
        title={entity.deleteQuestion}
        confirmLabel="Supprimer"
        onConfirm={() => {
          onClose();
          if (dialog?.kind === "delete") onDelete(dialog.row);
        }}
        onCancel={onClose}
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
        onConfirm={() => {
          onClose();
          onDeleteSelected();
        }}
        onCancel={onClose}
      >
        {dialog?.kind === "delete-selected" &&
          [...new Set(selected.map((row) => entity.deleteWarning?.(row)))].map(
            (text) => text && <p key={text}>{text}</p>,
          )}
      </ConfirmDialog>
    </>
  );
}
