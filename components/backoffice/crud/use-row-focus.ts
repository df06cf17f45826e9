import { useEffect, useRef } from "react";

/**
 * Keeps the focus in a list when a change removes or disables the focused button, or removes its row. The focus
 * goes to the same button of the row, or of the row that takes its place; without such a button, to the row's
 * checkbox or the list.
 *
 * @param isSettled true once a change is finished, so that its notice and the new rows are shown
 * @returns a ref for the element that contains the list
 */
export function useRowFocus(isSettled: boolean) {
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
    if (!isSettled || !area) return;
    // The browser takes the focus from a disabled element only when it paints.
    if (document.activeElement?.matches("body, :disabled")) {
      const control = last.current && controlAt(area, last.current);
      if (control) control.focus();
      else focusList(area);
    }
    // The notice may cover the focused element.
    const { activeElement } = document;
    if (activeElement?.matches("td *")) activeElement.scrollIntoView({ block: "nearest" });
  }, [isSettled]);

  return screen;
}

/** Focuses the list of a screen, from which Tab leads to its rows. */
export const focusList = (screen: HTMLElement | null): void =>
  screen?.querySelector<HTMLElement>("section[tabindex]")?.focus({ preventScroll: true });

/** The place of a button: its row, the row's index, and the button's label. */
interface Place {
  row: HTMLTableRowElement;
  index: number;
  label: string | null;
}

function placeOf(element: Element): Place | null {
  const row = element.closest<HTMLTableRowElement>("tbody tr");
  return row && { row, index: row.sectionRowIndex, label: element.getAttribute("aria-label") };
}

/**
 * The control to focus. If the row no longer has a button of that name, its checkbox: an extra Enter, as a
 * scanner may send, must not take the next step of the row.
 */
function controlAt(area: HTMLElement, { row, index, label }: Place): HTMLElement | undefined {
  const rows = [...area.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  const next = row.isConnected ? row : (rows[index] ?? rows.at(-1));
  const buttons = [...(next?.querySelectorAll<HTMLButtonElement>("button:enabled") ?? [])];
  return (
    buttons.find((button) => button.getAttribute("aria-label") === label) ??
    next?.querySelector<HTMLInputElement>("input[type=checkbox]:enabled") ??
    buttons[0]
  );
}
