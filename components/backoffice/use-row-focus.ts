import { useEffect, useRef } from "react";

/**
 * Keeps the focus in a list when a change takes away the button that had it, or its whole row: the same
 * button of the row, or of the one that has its place now, has it then, or else the list.
 *
 * @param isOver has a change come to its end, so that its notice and the new rows are shown?
 * @returns a ref for what contains the list
 */
export function useRowFocus(isOver: boolean) {
  const screen = useRef<HTMLDivElement>(null);
  const last = useRef<Place | null>(null);

  useEffect(() => {
    const area = screen.current;
    const remember = ({ target }: FocusEvent) => {
      last.current = target instanceof Element ? placeOf(target) : null;
    };
    area?.addEventListener("focusin", remember);
    return () => area?.removeEventListener("focusin", remember);
  }, []);

  useEffect(() => {
    const area = screen.current;
    if (!isOver || !area) return;
    if (document.activeElement === document.body) {
      const button = last.current && buttonAt(area, last.current);
      if (button) button.focus();
      else focusList(area);
    }
    // The notice may have come over it.
    const { activeElement } = document;
    if (activeElement?.matches("td *")) activeElement.scrollIntoView({ block: "nearest" });
  }, [isOver]);

  return screen;
}

/** Focuses the list of a screen, from which Tab leads to its rows. */
export const focusList = (screen: HTMLElement | null): void =>
  screen?.querySelector<HTMLElement>("section[tabindex]")?.focus({ preventScroll: true });

/** Where a button is: its row, where that stood, and its name. */
interface Place {
  row: HTMLTableRowElement;
  index: number;
  label: string | null;
}

function placeOf(element: Element): Place | null {
  const row = element.closest<HTMLTableRowElement>("tbody tr");
  return row && { row, index: row.sectionRowIndex, label: element.getAttribute("aria-label") };
}

function buttonAt(area: HTMLElement, { row, index, label }: Place): HTMLElement | undefined {
  const rows = [...area.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  const next = row.isConnected ? row : (rows[index] ?? rows.at(-1));
  const buttons = [...(next?.querySelectorAll<HTMLButtonElement>("button:enabled") ?? [])];
  return buttons.find((button) => button.getAttribute("aria-label") === label) ?? buttons[0];
}
