"use client";

import { useEffect, useRef, useState } from "react";
import useSWR from "swr";
import { SearchSelect } from "@/components/backoffice/forms/search-select";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { usePageTimer } from "@/components/ui/use-page-timer";
import { getRow } from "@/lib/backoffice/client";
import type { ListView } from "@/lib/backoffice/view";
import type { Filter } from "./crud-entity";
import type { Column } from "./crud-field";
import type { ViewChange } from "./use-crud-list";

/** Debounces the search, in milliseconds. */
const SEARCH_DELAY = 300;

interface CrudFiltersProps<Row> {
  view: ListView;
  onChange: (change: ViewChange, isTyping?: boolean) => void;
  filters: readonly Filter[];
  columns: readonly Column<Row>[];
  searchHint: string;
}

/** The search, the filters, and the order on screens that are too narrow for column headings. */
export function CrudFilters<Row>({
  view,
  onChange,
  filters,
  columns,
  searchHint,
}: CrudFiltersProps<Row>) {
  const box = useRef<HTMLElement>(null);
  const isFiltered = view.search !== "" || Object.keys(view.filters).length > 0;

  function setFilter(name: string, value: string) {
    onChange(({ filters: { [name]: _, ...others } }) => ({
      filters: value ? { ...others, [name]: value } : others,
    }));
  }

  return (
    <search ref={box} className="flex flex-wrap items-end gap-x-3 gap-y-3 print:hidden">
      <SearchBox
        search={view.search}
        hint={searchHint}
        onChange={(search) => onChange(() => ({ search }), true)}
      />
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={view.filters[filter.name] ?? ""}
          onChange={(value) => setFilter(filter.name, value)}
        />
      ))}
      <SelectField
        label="Trier par"
        className="w-full sm:w-52 lg:hidden"
        value={view.order ? `${view.order.field} ${view.order.direction}` : ""}
        onChange={({ target }) => {
          const [field = "", direction] = target.value.split(" ");
          const order = { field, direction: direction === "desc" ? "desc" : "asc" } as const;
          onChange(() => ({ order: field ? order : null }));
        }}
      >
        <option value="">Plus récents d’abord</option>
        {columns.map(({ orderBy, label }) =>
          orderBy === undefined ? null : (
            <optgroup key={orderBy} label={label}>
              <option value={`${orderBy} asc`}>{`${label}, croissant`}</option>
              <option value={`${orderBy} desc`}>{`${label}, décroissant`}</option>
            </optgroup>
          ),
        )}
      </SelectField>
      {isFiltered && (
        <Button
          variant="ghost"
          onClick={() => {
            onChange(() => ({ search: "", filters: {} }));
            // The focused button disappears.
            box.current?.querySelector("input")?.focus();
          }}
        >
          Effacer les filtres
        </Button>
      )}
    </search>
  );
}

interface SearchBoxProps {
  search: string;
  hint: string;
  onChange: (search: string) => void;
}

function SearchBox({ search, hint, onChange }: SearchBoxProps) {
  const [text, setText] = useState(search);
  const applied = useRef(search);
  const { start, stop } = usePageTimer();

  // The URL may change in other ways: the browser's back button, "Effacer les filtres".
  useEffect(() => {
    if (search === applied.current) return;
    stop();
    applied.current = search;
    setText(search);
  }, [search, stop]);

  function changeText(next: string) {
    setText(next);
    start(() => {
      if (next.trim() === applied.current) return;
      applied.current = next.trim();
      onChange(next.trim());
    }, SEARCH_DELAY);
  }

  return (
    <TextField
      type="search"
      label="Rechercher"
      placeholder={hint}
      className="w-full sm:w-76"
      value={text}
      onChange={({ target }) => changeText(target.value)}
      autoComplete="off"
    />
  );
}

interface FilterFieldProps {
  filter: Filter;
  value: string;
  onChange: (value: string) => void;
}

function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const { label, kind } = filter;
  const field = {
    label,
    className: "w-[calc(50%-0.375rem)] sm:w-44",
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  if (kind === "quick")
    return (
      <fieldset className="flex flex-wrap gap-2 max-sm:w-full">
        <legend className="mb-1.5 font-medium text-sm">{label}</legend>
        {filter.options.map((option) => {
          const isOn = option.value === value;
          return (
            <Button
              key={option.value}
              variant={isOn ? "primary" : "secondary"}
              className="max-sm:flex-1 max-sm:px-2 max-sm:text-sm"
              aria-pressed={isOn}
              onClick={() => onChange(isOn ? "" : option.value)}
            >
              {option.label}
            </Button>
          );
        })}
      </fieldset>
    );
  if (kind === "choice")
    return (
      <SelectField {...field}>
        <option value="">Tous</option>
        {filter.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </SelectField>
    );
  if (kind === "date") return <TextField {...field} type="date" />;
  return <SearchFilter filter={filter} value={value} onChange={onChange} />;
}

/** The URL has only the id of the selected option: the option's name is fetched. */
function SearchFilter({
  filter: { label, source },
  value,
  onChange,
}: FilterFieldProps & { filter: Extract<Filter, { kind: "search" }> }) {
  const { data } = useSWR(
    /^\d+$/.test(value) ? `${source.path}/${value}` : null,
    async (path: string) => source.toOption(await getRow<never>(path)),
    { shouldRetryOnError: false, revalidateOnFocus: false },
  );
  return (
    <SearchSelect
      label={label}
      source={source}
      className="w-[calc(50%-0.375rem)] sm:w-56"
      placeholder="Tous"
      value={value ? (data ?? { id: Number(value), label: `#${value}` }) : null}
      onChange={(option) => onChange(option ? String(option.id) : "")}
    />
  );
}
