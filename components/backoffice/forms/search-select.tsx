"use client";

import clsx from "clsx";
import { type UseComboboxReturnValue, useCombobox } from "downshift";
import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import useSWR from "swr";
import { FieldFrame, type TextField, useFieldProps } from "@/components/ui/field";
import { CloseIcon } from "@/components/ui/icons";
import { Spinner } from "@/components/ui/spinner";
import { listRows } from "@/lib/backoffice/client";

/** The value, once it has not changed for `delay` milliseconds. */
function useDebounced<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}

/** An option: a row of a list, with its name. */
export interface Option {
  id: number;
  label: string;
  /** Distinguishes options with the same label. */
  detail?: string;
  color?: string;
  /** The price of a product in euros. */
  price?: number | undefined;
}

/** The API's list from which options are searched. */
export interface OptionSource<Row = never> {
  path: string;
  /** Parameters of the API that limit the list. */
  query?: Readonly<Record<string, string>>;
  toOption: (row: Row) => Option;
}

const OPTION_COUNT = 20;

export interface SearchSelectProps
  extends Pick<
    ComponentProps<typeof TextField>,
    "label" | "error" | "errorId" | "hint" | "className"
  > {
  source: OptionSource;
  value: Option | null;
  onChange: (option: Option | null) => void;
  /** Shown if there is nothing to select at all, which is checked before the list opens. */
  emptyHint?: ReactNode;
  placeholder?: string;
  /** Options that are selected already, and not offered again. */
  excludedIds?: readonly number[];
  disabled?: boolean;
  /** Empties the field after each selection, for the next selection. */
  clearOnSelect?: boolean;
}

/**
 * Selects one row of a list that is too long for a browser to load, by a search on the server. A combobox
 * of the ARIA pattern (downshift): arrows, Enter, Escape.
 */
export function SearchSelect(props: SearchSelectProps) {
  const { label, value, error, errorId, hint, emptyHint, disabled, className } = props;
  const inputId = useId();
  const { combobox, inputProps, isOpen, isSearching, items, hasFailed, hasNothing, clear } =
    useSearchSelect({ ...props, inputId });
  const { field, control } = useFieldProps({
    id: inputId,
    label,
    error,
    errorId,
    hint: (hasNothing && emptyHint) || hint,
    className,
  });
  const isWaiting = isOpen && isSearching;
  return (
    <FieldFrame {...field}>
      <div className="relative">
        <input
          {...inputProps}
          {...control}
          aria-activedescendant={items.length > 0 ? inputProps["aria-activedescendant"] : undefined}
          autoComplete="off"
          className="control pr-11"
        />
        {isWaiting && <Spinner size={18} className="absolute top-3.5 right-3.5 text-muted" />}
        {value && !disabled && !isWaiting && (
          <button
            type="button"
            aria-label="Effacer le choix"
            aria-description={label}
            title="Effacer le choix"
            className="absolute top-1 right-1 grid size-9 place-items-center rounded-md text-muted hover:bg-surface hover:text-ink"
            onClick={clear}
          >
            <CloseIcon size={16} />
          </button>
        )}
        {!value && !disabled && !isWaiting && (
          <ChevronDown
            size={18}
            aria-hidden="true"
            className="pointer-events-none absolute top-3.25 right-3.5 text-muted"
          />
        )}
        <Options
          combobox={combobox}
          isOpen={isOpen}
          items={items}
          selectedId={value?.id}
          note={
            isSearching ? "Recherche…" : hasFailed ? "La recherche a échoué." : "Aucun résultat."
          }
        />
      </div>
    </FieldFrame>
  );
}

type Combobox = UseComboboxReturnValue<Option>;

interface OptionsProps {
  combobox: Pick<Combobox, "getMenuProps" | "getItemProps" | "highlightedIndex">;
  isOpen: boolean;
  items: readonly Option[];
  selectedId: number | undefined;
  /** Shown instead of options. */
  note: string;
}

function Options({ combobox, isOpen, items, selectedId, note }: OptionsProps) {
  const { getMenuProps, getItemProps, highlightedIndex } = combobox;
  // In a dialog that scrolls, the list may begin below the visible part.
  const menu = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when the options have arrived
  useEffect(() => {
    if (isOpen) menu.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen, items.length]);
  return (
    <div
      className={clsx(
        "absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-md border border-line bg-bg py-1 shadow-overlay",
        !isOpen && "hidden",
      )}
    >
      <ul {...getMenuProps({ ref: menu, "aria-label": "Propositions" })}>
        {isOpen &&
          items.map((option, index) => (
            <li
              key={option.id}
              {...getItemProps({ item: option, index })}
              className={clsx(
                "flex cursor-pointer flex-wrap items-center gap-x-2 px-3.5 py-2 text-sm",
                index === highlightedIndex && "bg-accent-soft",
                option.id === selectedId && "font-medium",
              )}
            >
              {option.color && <Swatch color={option.color} />}
              <span>{option.label}</span>
              {option.detail && <span className="text-muted">{option.detail}</span>}
            </li>
          ))}
      </ul>
      {isOpen && items.length === 0 && (
        <p role="status" className="px-3.5 py-2 text-muted text-sm">
          {note}
        </p>
      )}
    </div>
  );
}

/** The state of the field: the typed text, the options found, the chosen option. */
function useSearchSelect({
  source,
  value,
  onChange,
  emptyHint,
  placeholder = "Rechercher…",
  excludedIds = [],
  inputId,
  clearOnSelect = false,
  disabled,
}: SearchSelectProps & { inputId: string }) {
  const [text, setText] = useState(value?.label ?? "");
  const [isOpen, setIsOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  // Follows changes of the value from outside (loaded, or reset).
  const chosen = useRef(value);
  useEffect(() => {
    if (chosen.current?.id === value?.id && chosen.current?.label === value?.label) return;
    chosen.current = value;
    setText(value?.label ?? "");
  }, [value]);

  const query = text === value?.label ? "" : text.trim();
  const search = useDebounced(query, 250);
  const isEnabled = isOpen || (emptyHint !== undefined && value === null);
  const { data, isLoading, error } = useOptions({ source, search, isEnabled });
  // Enter must never select from the results of another query.
  const isSearching = query !== search || isLoading;
  const items = isSearching ? [] : (data ?? []).filter(({ id }) => !excludedIds.includes(id));

  function choose(option: Option | null) {
    chosen.current = option;
    onChange(option);
  }

  const combobox = useCombobox<Option>({
    items,
    isOpen,
    inputId,
    inputValue: text,
    selectedItem: value,
    itemToString: (option) => option?.label ?? "",
    itemToKey: (option) => option?.id,
    defaultHighlightedIndex: 0,
    stateReducer: (state, { type, changes }) => {
      const { stateChangeTypes: kinds } = useCombobox;
      if (clearOnSelect && (type === kinds.ItemClick || type === kinds.InputKeyDownEnter))
        return { ...changes, inputValue: "" };
      // Blur selects nothing; Escape closes the list and keeps the selection.
      if (type !== kinds.InputBlur && type !== kinds.InputKeyDownEscape) return changes;
      const { selectedItem } = state;
      return { ...changes, isOpen: false, selectedItem, inputValue: selectedItem?.label ?? "" };
    },
    onIsOpenChange: ({ isOpen: next }) => setIsOpen(next),
    onInputValueChange: ({ inputValue = "", type }) => {
      setText(inputValue);
      if (inputValue === "" && type === useCombobox.stateChangeTypes.InputChange) choose(null);
    },
    onSelectedItemChange: ({ selectedItem }) => choose(selectedItem),
  });

  const inputProps = combobox.getInputProps({
    ref: input,
    // Named by its <label> instead, like every field.
    "aria-labelledby": undefined,
    disabled,
    placeholder,
    // downshift reports input asynchronously, which loses letters of fast typists.
    onChange: ({ currentTarget }) => setText(currentTarget.value),
    onKeyDown: (event) => {
      // There is nothing to select yet: Enter must not submit the form instead.
      if (event.key === "Enter" && isOpen && items.length === 0) event.preventDefault();
    },
  });

  function clear() {
    choose(null);
    setText("");
    input.current?.focus();
  }

  const hasNothing = query === "" && search === "" && data?.length === 0;
  const hasFailed = error !== undefined;
  return { combobox, inputProps, isOpen, isSearching, items, hasFailed, hasNothing, clear };
}

function useOptions({
  source,
  search,
  isEnabled,
}: {
  source: OptionSource;
  search: string;
  isEnabled: boolean;
}) {
  const query = new URLSearchParams({ ...source.query, itemsPerPage: String(OPTION_COUNT) });
  if (search) query.set("search", search);
  const url = `${source.path}?${query}`;
  return useSWR<Option[], Error>(
    isEnabled ? url : null,
    async () => (await listRows<never>(url)).rows.map(source.toOption),
    {
      shouldRetryOnError: false,
      revalidateOnFocus: false,
      // This screen may have changed the list within SWR's default of two seconds.
      dedupingInterval: 0,
    },
  );
}

/** A colour beside its name. */
export function Swatch({ color }: { color: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-4 shrink-0 rounded-sm border border-line-strong"
      style={{ backgroundColor: color }}
    />
  );
}
