"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { startAnalytics, trackEvent, trackPageView } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";

const depths = [25, 50, 75, 100];
let viewed: string | undefined;

interface AnalyticsProps {
  /** Base address of the Matomo server; without it the events stay in `window._paq`. */
  matomoUrl?: string;
}

/** Tells the tracker about page views and about how far down a page is read. Shows nothing. */
export function Analytics({ matomoUrl }: AnalyticsProps) {
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: one view and one set of depths per page
  useEffect(() => {
    if (viewed === undefined) startAnalytics(matomoUrl);
    // React repeats effects in development; the view is one all the same.
    if (viewed !== pathname) trackPageView();
    viewed = pathname;

    const pending = [...depths];
    function onScroll() {
      // The router's jump to the top of a new page is not reading.
      if (window.scrollY === 0) return;
      const { scrollHeight } = document.documentElement;
      const seen = ((window.scrollY + window.innerHeight) / scrollHeight) * 100;
      // A pixel of rounding must not keep the end of the page from counting.
      while (pending[0] !== undefined && seen + 0.1 >= pending[0]) {
        const depth = pending.shift();
        trackEvent({ ...EVENTS.scrollDepth, name: `${depth} %`, value: depth });
      }
    }
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, [pathname]);

  return null;
}
