import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to the first field of a form that is marked as wrong.
 *
 * @param trigger whenever it has changed, unless it is falsy: what is wrong, or the number of attempts
 * @returns for `<form>`
 */
export function useFocusOnError(trigger: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // In an effect, since the fields must be marked first.
  useEffect(() => {
    if (trigger) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [trigger]);
  return form;
}
