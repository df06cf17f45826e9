import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to the first field of a form that is marked as invalid.
 *
 * @param trigger moves the focus when it changes to a truthy value: the problem, or the number of attempts
 * @returns the ref for `<form>`
 */
export function useFocusOnError(trigger: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // In an effect: the fields must be marked first.
  useEffect(() => {
    if (trigger) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [trigger]);
  return form;
}
