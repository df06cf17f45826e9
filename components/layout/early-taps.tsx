"use client";

import { useEffect } from "react";

/** A click, a submission or a selection made before hydration. */
interface EarlyTap {
  type: "click" | "submit" | "change";
  /** The button that submitted the form. */
  submitter?: HTMLElement | null;
  /** The selected value of a `<select>`. */
  value?: string;
}

declare global {
  interface Window {
    /** Set by the inline script of document.tsx; undefined once the page is hydrated. */
    earlyTaps?: { taps: Map<HTMLElement, EarlyTap>; stop: () => void };
  }
}

function repeat(control: HTMLElement, { type, submitter, value }: EarlyTap): void {
  delete (submitter ?? control).dataset.tapped;
  if (!control.isConnected) return;
  if (control instanceof HTMLFormElement) control.requestSubmit(submitter);
  else if (type === "click") control.click();
  else if (control instanceof HTMLSelectElement) {
    control.value = value ?? "";
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

/**
 * Repeats what the visitor did before hydration. Has to be the last effect of the page, so that every
 * element already has its listeners. Renders nothing.
 */
export function EarlyTaps() {
  useEffect(() => {
    const { taps, stop } = window.earlyTaps ?? {};
    stop?.();
    delete window.earlyTaps;
    async function repeatAll() {
      for (const [control, tap] of taps ?? []) {
        repeat(control, tap);
        // Lets React render the changes before the next action is repeated.
        await null;
      }
    }
    void repeatAll();
  }, []);
  return null;
}
