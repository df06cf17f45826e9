"use client";

import { useCallback, useRef } from "react";
import { useIsUnmounted } from "@/components/ui/use-is-unmounted";
import { usePageTimer } from "@/components/ui/use-page-timer";

/** Milliseconds: enough to read a message. */
const DELAY = 2000;

interface Redirect {
  /** A function is called when the delay is over; with null this page stays. */
  path: string | (() => string | null);
  /** Milliseconds. */
  delay?: number;
  /** The page is not loaded before this promise has settled. */
  waitFor?: Promise<unknown>;
}

/**
 * Loads another page after a delay, so that a message can be read. Leaving this page cancels the redirect.
 * The new page replaces this page in the history: Back would lead to a page that is only for guests, or to
 * a used link.
 */
export function useDelayedRedirect() {
  const { start, stop } = usePageTimer();
  const leave = useRef<() => void>(undefined);
  const isUnmounted = useIsUnmounted();

  const redirectLater = useCallback(
    ({ path, delay = DELAY, waitFor }: Redirect) => {
      let isLeaving = false;
      async function redirect() {
        stop();
        if (isLeaving) return;
        isLeaving = true;
        await waitFor;
        if (isUnmounted.current) return;
        const target = typeof path === "string" ? path : path();
        if (target !== null) window.location.replace(target);
      }
      leave.current = redirect;
      start(redirect, delay);
    },
    [isUnmounted, start, stop],
  );
  /** Ends the delay of `redirectLater`. */
  const redirectNow = useCallback(() => leave.current?.(), []);
  return { redirectLater, redirectNow };
}
