import { type RefObject, useEffect } from "react";

/**
 * Moves the focus to the first field that is marked as wrong.
 *
 * @param trigger whenever it has changed, unless it is falsy: what is wrong, or the number of attempts
 */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, trigger: unknown): void {
  // In an effect, since the fields must be marked first.
  useEffect(() => {
    if (trigger) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, trigger]);
}
