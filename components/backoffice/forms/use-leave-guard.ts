"use client";

import { useEffect, useEffectEvent } from "react";

/**
 * Prevents leaving the page with unsaved changes. If the page would be unloaded, the browser itself asks.
 * Back and Forward between pages of the shop, which otherwise only Next.js sees, are stopped by the
 * browser's Navigation API: `ask` gets the function that goes there nevertheless.
 */
export function useLeaveGuard(isDirty: boolean, ask: (leave: () => void) => void) {
  const onLeave = useEffectEvent(ask);
  useEffect(() => {
    if (!isDirty) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const stop = (event: NavigateEvent) => {
      const { key, sameDocument } = event.destination;
      if (event.navigationType !== "traverse" || !sameDocument || !event.cancelable) return;
      event.preventDefault();
      onLeave(() => window.navigation.traverseTo(key));
    };
    window.addEventListener("beforeunload", preventUnload);
    // Older browsers lack the Navigation API: there, Back leaves at once.
    window.navigation?.addEventListener("navigate", stop);
    return () => {
      window.removeEventListener("beforeunload", preventUnload);
      window.navigation?.removeEventListener("navigate", stop);
    };
  }, [isDirty]);
}
