"use client";

import type { InputProps } from "@/components/backoffice/crud/crud-field";
import { removeItem } from "@/components/backoffice/forms/remove-item";
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

/** The most characteristics shown in the table, which keeps its rows low; the form has all. */
const MOST_SHOWN = 8;

/** The characteristics in the table. */
export function CharacteristicList({ list }: { list: readonly Characteristic[] }) {
  if (list.length === 0) return "–";
  const more = list.length - MOST_SHOWN;
  return (
    <ul>
      {list.slice(0, MOST_SHOWN).map(({ name, value }) => (
        <li key={name}>
          <span className="text-muted">{`${name}\u00a0:`}</span> <span>{value}</span>
        </li>
      ))}
      {more > 0 && (
        <li className="text-muted">{`et ${more} ${more === 1 ? "autre" : "autres"}`}</li>
      )}
    </ul>
  );
}

interface CharacteristicsProps {
  list: InputProps<readonly Characteristic[], unknown>;
  /** The content of the two fields, which is added by the button or when the form is saved. */
  name: InputProps<string, unknown>;
  value: InputProps<string, unknown>;
}

/** Names and values, added one at a time, and only if both are filled. */
export function Characteristics({ list, name, value }: CharacteristicsProps) {
  function add() {
    const next = withTyped(list.value, { name: name.value, value: value.value });
    if (next === list.value) return;
    list.onChange(next);
    name.onChange("");
    value.onChange("");
  }

  return (
    <fieldset data-items className="flex flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 font-medium text-sm">{list.label}</legend>
      {list.value.length > 0 && (
        <ul className="flex flex-col gap-1">
          {list.value.map((each) => (
            <li
              key={each.name}
              className="flex items-center justify-between gap-3 rounded-md bg-surface py-1 pr-1 pl-3 text-sm"
            >
              <span>
                <span className="text-muted">{`${each.name}\u00a0:`}</span>{" "}
                <span>{each.value}</span>
              </span>
              <button
                type="button"
                aria-label={`Retirer ${each.name}`}
                className="grid size-8 shrink-0 place-items-center rounded-md hover:bg-surface-strong"
                data-remove
                onClick={({ currentTarget }) =>
                  removeItem(currentTarget, () =>
                    list.onChange(list.value.filter((other) => other !== each)),
                  )
                }
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
          label={name.label}
          value={name.value}
          onChange={({ target }) => name.onChange(target.value)}
          {...name.problem}
        />
        <TextField
          label={value.label}
          value={value.value}
          onChange={({ target }) => value.onChange(target.value)}
          {...value.problem}
        />
        <Button variant="secondary" onClick={add}>
          Ajouter la caractéristique
        </Button>
      </div>
    </fieldset>
  );
}
