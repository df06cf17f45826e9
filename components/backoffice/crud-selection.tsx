import { Button } from "@/components/ui/button";
import type { BulkAction } from "./crud-entity";

interface CrudSelectionProps<Row> {
  count: number;
  isBusy: boolean;
  actions: readonly BulkAction<Row>[];
  onAction: (run: BulkAction<Row>["run"]) => void;
  onDelete: () => void;
  onClear: () => void;
}

/** The actions on the selected rows. */
export function CrudSelection<Row>({
  count,
  isBusy,
  actions,
  onAction,
  onDelete,
  onClear,
}: CrudSelectionProps<Row>) {
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
