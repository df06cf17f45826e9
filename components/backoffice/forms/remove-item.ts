import { flushSync } from "react-dom";

/**
 * Removes an item of a field by its button, which disappears with the item. The focus goes to the button that
 * takes the button's place, or else to the field's first control.
 *
 * @param button marked `data-remove`, within an element marked `data-items`
 */
export function removeItem(button: HTMLButtonElement, remove: () => void): void {
  const area = button.closest("[data-items]");
  const buttons = () => [
    ...(area?.querySelectorAll<HTMLButtonElement>("button[data-remove]") ?? []),
  ];
  const index = buttons().indexOf(button);
  flushSync(remove);
  const left = buttons();
  const next = left[index] ?? left.at(-1) ?? area?.querySelector<HTMLElement>("input, button");
  next?.focus();
}
