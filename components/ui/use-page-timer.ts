"use client";

import { useCallback, useEffect, useRef } from "react";
import { useIsUnmounted } from "@/components/ui/use-is-unmounted";

/**
 * A timer for what a page does later by itself, such as a redirect or a typed search. It ends with the page, and as soon as
 * the visitor follows a link: a change of the URL would cancel the navigation while it loads.
 */
export function usePageTimer() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isUnmounted = useIsUnmounted();
  const stop = useCallback(() => clearTimeout(timer.current), []);
  /** Replaces what was to run before. Does nothing once the page was left. */
  const start = useCallback(
    (run: () => void, milliseconds: number) => {
      stop();
      if (!isUnmounted.current) timer.current = setTimeout(run, milliseconds);
    },
    [stop, isUnmounted],
  );

  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (leavesPage(event)) stop();
    };
    // During the capture: the router cancels the click's default action.
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      document.removeEventListener("click", onClick, { capture: true });
      stop();
    };
  }, [stop]);

  return { start, stop };
}

/** Does the click open another page in this tab? */
function leavesPage({ target, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[href]");
  if (!link || metaKey || ctrlKey || shiftKey || altKey) return false;
  const { pathname, search } = window.location;
  return (
    link.protocol.startsWith("http") &&
    !link.target &&
    !link.hasAttribute("download") &&
    link.pathname + link.search !== pathname + search
  );
}
