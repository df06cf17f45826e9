"use client";

import { useCallback, useEffect, useRef } from "react";
import { useIsUnmounted } from "@/components/ui/use-is-unmounted";

/** Milliseconds: enough to read a message. */
const DELAY = 2000;

/**
 * Loads another page after a delay, so that a message can be read. Leaving this page cancels the redirect.
 * The new page replaces this page in the history: Back would lead to a page that is only for guests, or to
 * a used link.
 */
export function useDelayedRedirect() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isUnmounted = useIsUnmounted();
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    ({
      path,
      delay = DELAY,
      waitFor,
    }: {
      /** A function is called when the delay is over; with null this page stays. */
      path: string | (() => string | null);
      /** Milliseconds. */
      delay?: number;
      /** The page is not loaded before this promise has settled. */
      waitFor?: Promise<unknown>;
    }) => {
      timer.current = setTimeout(async () => {
        await waitFor;
        if (isUnmounted.current) return;
        const target = typeof path === "string" ? path : path();
        if (target !== null) window.location.replace(target);
      }, delay);
    },
    [isUnmounted],
  );
}
