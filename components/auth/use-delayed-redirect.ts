"use client";

import { useCallback, useEffect, useRef } from "react";
import { useIsUnmounted } from "@/components/ui/use-is-unmounted";
import { loadPage } from "@/lib/browser-session";

/** Milliseconds: enough to read a message. */
const DELAY = 2000;

/** Loads another page after a delay, so that a message can be read; not after this page is left. */
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
      /** A function is called when the delay is over. */
      path: string | (() => string);
      /** Milliseconds. */
      delay?: number;
      /** The page is not loaded before this has settled. */
      waitFor?: Promise<unknown>;
    }) => {
      timer.current = setTimeout(async () => {
        await waitFor;
        if (!isUnmounted.current) loadPage(typeof path === "string" ? path : path());
      }, delay);
    },
    [isUnmounted],
  );
}
