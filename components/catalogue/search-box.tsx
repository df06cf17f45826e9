"use client";

import clsx from "clsx";
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { SuggestionList as List } from "@/components/catalogue/suggestion-list";
import { CloseIcon, SearchIcon } from "@/components/ui/icons";

/** Loaded with the first focus. Without it, the field searches nevertheless. */
const SuggestionList = lazy<ComponentType<ComponentProps<typeof List>>>(() =>
  import("@/components/catalogue/suggestion-list").then(
    (module) => ({ default: module.SuggestionList }),
    () => ({ default: () => null }),
  ),
);

type SearchBoxProps = {
  id?: string;
  /** The accessible name, unless there is a label for `id`. */
  label?: string;
  placeholder: string;
  /** The text, if the parent keeps it. */
  value?: string;
  onText?: (text: string) => void;
  /** Name and value that the button 'Rechercher' sends along. */
  sends?: { name: string; value: string | number };
  /** Milliseconds after which the typed text is searched for; 0 if it is not waiting. */
  delay?: number;
  /** The suggestions move what follows instead of covering it: in a panel that scrolls. */
  inFlow?: boolean;
  inputClass: string;
};

/** The search field of a form: a combobox with suggestions. Without JavaScript it is a text field with a button. */
export function SearchBox(props: SearchBoxProps) {
  const { id, label, placeholder, value, onText, sends, delay = 0, inFlow = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [isUsed, setUsed] = useState(false);
  const [firstText] = useState(value ?? "");

  // The field may have got the focus before React listened.
  useEffect(() => {
    if (document.activeElement === input.current) setUsed(true);
  }, []);

  function clear() {
    const { current } = input;
    if (!current) return;
    if (onText) onText("");
    else current.value = "";
    current.focus();
  }

  return (
    <div className="relative">
      <input
        ref={input}
        id={id}
        type="text"
        inputMode="search"
        name="search"
        role="combobox"
        aria-autocomplete="list"
        // The list itself keeps these two up to date while it is open.
        aria-expanded={false}
        aria-controls={listId}
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        {...(onText && { value, onChange: ({ target }) => onText(target.value) })}
        onFocus={() => setUsed(true)}
        className={clsx("peer pr-20", props.inputClass)}
      />
      <button
        type="button"
        onClick={clear}
        aria-label="Effacer la recherche"
        className="absolute top-0 right-10 grid h-11 w-10 place-items-center text-muted hover:text-ink peer-placeholder-shown:hidden noscript:hidden"
      >
        <CloseIcon size={16} />
      </button>
      <button
        type="submit"
        {...sends}
        aria-label="Rechercher"
        className="absolute top-0.5 right-0.5 grid size-10 place-items-center rounded-full text-muted hover:text-accent"
      >
        <SearchIcon size={18} />
      </button>
      {delay > 0 && (
        // A new text starts the line again.
        <span key={value} aria-hidden="true" className="search-delay" />
      )}
      {isUsed && (
        <Suspense fallback={null}>
          <SuggestionList
            input={input}
            listId={listId}
            inFlow={inFlow}
            text={value}
            firstText={firstText}
          />
        </Suspense>
      )}
    </div>
  );
}
