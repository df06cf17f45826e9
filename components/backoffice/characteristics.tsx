"use client";

import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { CloseIcon } from "@/components/ui/icons";

export interface Characteristic {
  name: string;
  value: string;
}

const trimmed = ({ name, value }: Characteristic): Characteristic => ({
  name: name.trim(),
  value: value.trim(),
});

/** The characteristics with the typed one, if both its fields are filled. */
export function withTyped(
  value: readonly Characteristic[],
  typed: Characteristic,
): readonly Characteristic[] {
  const next = trimmed(typed);
  if (next.name === "" || next.value === "") return value;
  // Names are unique: a new value replaces the old one.
  return [...value.filter((each) => each.name !== next.name), next];
}

/** The field of the typed characteristic that is missing; null if it is complete or empty. */
export function missingPart(typed: Characteristic): keyof Characteristic | null {
  const { name, value } = trimmed(typed);
  if ((name === "") === (value === "")) return null;
  return name === "" ? "name" : "value";
}

interface CharacteristicsProps {
  value: readonly Characteristic[];
  onChange: (next: readonly Characteristic[]) => void;
  /** The content of the fields, which is added by the button or when the form is saved. */
  typed: Characteristic;
  onType: (typed: Characteristic) => void;
  nameProblem: { error?: string };
  valueProblem: { error?: string };
}

/** Names and values, added one at a time, and only if both are filled. */
export function Characteristics({
  value,
  onChange,
  typed,
  onType,
  nameProblem,
  valueProblem,
}: CharacteristicsProps) {
  function add() {
    const next = withTyped(value, typed);
    if (next === value) return;
    onChange(next);
    onType({ name: "", value: "" });
  }

  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 font-medium text-sm">Caractéristiques</legend>
      {value.length > 0 && (
        <ul className="flex flex-col gap-1">
          {value.map((each) => (
            <li
              key={each.name}
              className="flex items-center justify-between gap-3 rounded-md bg-surface py-1 pr-1 pl-3 text-sm"
            >
              <span>
                <span className="text-muted">{each.name}&nbsp;:</span> {each.value}
              </span>
              <button
                type="button"
                aria-label={`Retirer ${each.name}`}
                className="grid size-8 shrink-0 place-items-center rounded-md hover:bg-surface-strong"
                onClick={() => onChange(value.filter(({ name: other }) => other !== each.name))}
              >
                <CloseIcon size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles keys of its fields */}
      <div
        className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]"
        onKeyDown={(event) => {
          // Enter adds the characteristic; it does not send the form.
          if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label="Nom de la caractéristique"
          value={typed.name}
          onChange={({ target }) => onType({ ...typed, name: target.value })}
          {...nameProblem}
        />
        <TextField
          label="Valeur de la caractéristique"
          value={typed.value}
          onChange={({ target }) => onType({ ...typed, value: target.value })}
          {...valueProblem}
        />
        <Button variant="secondary" onClick={add}>
          Ajouter la caractéristique
        </Button>
      </div>
    </fieldset>
  );
}
