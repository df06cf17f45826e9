"use client";

import { type ReactNode, useId, useRef } from "react";
import { flushSync } from "react-dom";
import type { InputProps } from "@/components/backoffice/crud/crud-field";
import { Button } from "@/components/ui/button";
import { CloseIcon, PlusIcon } from "@/components/ui/icons";
import { removeItem } from "./remove-item";

// A list that is typed line by line: the products of an order, the bands of a price.

let newLines = 0;

interface LinesFieldsetProps<Line>
  extends Pick<InputProps<readonly Line[], unknown>, "label" | "value" | "onChange" | "problem"> {
  texts: { none: string; add: string; line: string; remove: string };
  /** The key is React's: a new line has no id. */
  newLine: (key: string) => Line;
  /** Classes of a line: a grid whose last column is for the button that removes it. */
  lineClass: string;
  /** The controls of a line. `errorId` is the id of the message about the list, if there is one. */
  children: (props: {
    line: Line;
    change: (part: Partial<Line>) => void;
    errorId: string | undefined;
  }) => ReactNode;
}

/** The lines, each of which can be changed or removed, and a button that adds a line. */
export function LinesFieldset<Line extends { key: string }>({
  label,
  value,
  onChange,
  problem: { error, errorId: listedId },
  texts,
  newLine,
  lineClass,
  children,
}: LinesFieldsetProps<Line>) {
  const ownId = useId();
  const errorId = error ? ownId : listedId;
  const fieldset = useRef<HTMLFieldSetElement>(null);

  function add() {
    newLines += 1;
    flushSync(() => onChange([...value, newLine(`new-${newLines}`)]));
    const lines = fieldset.current?.querySelectorAll(":scope > [role=group]");
    lines?.[value.length]?.querySelector<HTMLElement>("input, select")?.focus();
  }

  return (
    <fieldset
      ref={fieldset}
      data-items
      className="flex flex-col gap-3 rounded-md border border-line p-4"
      aria-describedby={errorId}
    >
      <legend className="px-1 font-medium text-sm">{label}</legend>
      {value.length === 0 && <p className="text-muted text-sm">{texts.none}</p>}
      {value.map((line, index) => (
        // biome-ignore lint/a11y/useSemanticElements: screen readers say too much in nested fieldsets
        <div
          key={line.key}
          role="group"
          aria-label={`${texts.line} ${index + 1}`}
          className={`grid items-end gap-3 ${lineClass}`}
        >
          {children({
            line,
            change: (part) =>
              onChange(value.map((each) => (each === line ? { ...line, ...part } : each))),
            errorId,
          })}
          <button
            type="button"
            aria-label={`${texts.remove} ${index + 1}`}
            className="grid size-11 place-items-center rounded-md text-muted hover:bg-surface hover:text-ink"
            data-remove
            onClick={({ currentTarget }) =>
              removeItem(currentTarget, () => onChange(value.filter((each) => each !== line)))
            }
          >
            <CloseIcon size={18} />
          </button>
        </div>
      ))}
      {error && (
        <p id={ownId} className="text-danger text-sm">
          {error}
        </p>
      )}
      <Button variant="secondary" size="sm" className="w-fit" onClick={add}>
        <PlusIcon size={16} />
        <span>{texts.add}</span>
      </Button>
    </fieldset>
  );
}
