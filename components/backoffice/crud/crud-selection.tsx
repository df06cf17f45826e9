import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { BulkAction } from "./crud-entity";

interface CrudSelectionProps<Row> {
  selected: readonly Row[];
  isBusy: boolean;
  actions: readonly BulkAction<Row>[];
  onAction: (action: BulkAction<Row>) => void;
  onDelete: () => void;
  onClear: () => void;
}

export function CrudSelection<Row>({
  selected,
  isBusy,
  actions,
  onAction,
  onDelete,
  onClear,
}: CrudSelectionProps<Row>) {
  const count = selected.length;
  const [pressed, setPressed] = useState<string | null>(null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
    <div
      role="group"
      aria-label="Actions sur la sélection"
      className="flex flex-wrap items-center gap-2 rounded-md bg-accent-soft px-4 py-2 print:hidden"
    >
      <p aria-live="polite" className="mr-2 font-medium text-sm">
        {count === 1 ? "1 sélectionné" : `${count} sélectionnés`}
      </p>
      {actions.map((action) => (
        <Button
          key={action.label}
          size="sm"
          variant="secondary"
          busy={isBusy && pressed === action.label}
          disabled={isBusy || !selected.some(action.isFor ?? (() => true))}
          onClick={() => {
            setPressed(action.label);
            onAction(action);
          }}
        >
          {"run" in action ? `${action.label} la sélection` : action.label}
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
