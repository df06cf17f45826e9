"use client";

import { useCallback, useEffect, useRef } from "react";
import { loadPage } from "@/lib/auth/client";

/** Loads a page after a delay, so that a sentence can be read; not if this page is left before. */
export function useLaterVisit() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    ({
      path,
      delay,
      after,
    }: {
      path: string;
      /** Milliseconds. */
      delay: number;
      /** Has to be over before, too. */
      after?: Promise<unknown>;
    }) => {
      timer.current = setTimeout(async () => {
        await after;
        loadPage(path);
      }, delay);
    },
    [],
  );
}
