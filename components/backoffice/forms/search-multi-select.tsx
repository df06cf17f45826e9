"use client";

import { CloseIcon } from "@/components/ui/icons";
import { removeItem } from "./remove-item";
import { type Option, SearchSelect, type SearchSelectProps, Swatch } from "./search-select";

interface SearchMultiSelectProps extends Omit<SearchSelectProps, "value" | "onChange"> {
  value: readonly Option[];
  onChange: (options: Option[]) => void;
}

/** Selects several options: each is added to a list below the field, from which it can be removed. */
export function SearchMultiSelect({ value, onChange, ...props }: SearchMultiSelectProps) {
  return (
    <div data-items className="flex flex-col gap-2">
      <SearchSelect
        {...props}
        clearOnSelect
        value={null}
        excludedIds={value.map(({ id }) => id)}
        onChange={(option) => option && onChange([...value, option])}
      />
      {value.length > 0 && (
        <ul aria-label="Choix" aria-description={props.label} className="flex flex-wrap gap-1.5">
          {value.map((option) => (
            <li
              key={option.id}
              className="flex items-center gap-1.5 rounded-full bg-surface-strong py-0.5 pr-1 pl-2.5 text-sm"
            >
              {option.color && <Swatch color={option.color} />}
              <span>{option.label}</span>
              <button
                type="button"
                aria-label={`Retirer ${option.label}`}
                className="grid size-6 place-items-center rounded-full hover:bg-line"
                data-remove
                onClick={({ currentTarget }) =>
                  removeItem(currentTarget, () =>
                    onChange(value.filter(({ id }) => id !== option.id)),
                  )
                }
              >
                <CloseIcon size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
