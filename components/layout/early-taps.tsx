"use client";

import { useEffect } from "react";

/** What was pressed, sent or chosen before the page's scripts ran. */
interface EarlyTap {
  type: "click" | "submit" | "change";
  /** Of a form. */
  submitter?: HTMLElement | null;
  /** What was chosen. */
  value?: string;
}

declare global {
  interface Window {
    /** Of the inline script of document.tsx; undefined once the page is hydrated. */
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
 * Does what the visitor did before hydration: the last effect of the page, so that everything on it listens by now.
 * Renders nothing.
 */
export function EarlyTaps() {
  useEffect(() => {
    const { taps, stop } = window.earlyTaps ?? {};
    stop?.();
    delete window.earlyTaps;
    async function repeatAll() {
      for (const [control, tap] of taps ?? []) {
        repeat(control, tap);
        // React renders what has changed before the next one.
        await null;
      }
    }
    void repeatAll();
  }, []);
  return null;
}
