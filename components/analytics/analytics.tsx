"use client";

import { usePathname } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { startAnalytics, trackEvent, trackPageView, viewCount } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";

const depths = [25, 50, 75, 100];
let viewed: string | undefined;

interface AnalyticsProps {
  /** Base URL of the Matomo server; without it the events stay in `window._paq`. */
  matomoUrl?: string;
}

/** Tracks page views and scroll depth. Renders nothing. */
export function Analytics({ matomoUrl }: AnalyticsProps) {
  const pathname = usePathname();

  const start = useEffectEvent(() => startAnalytics(matomoUrl));

  // One page view for each path. Views of other queries are tracked where the query changes.
  useEffect(() => {
    if (viewed === undefined) start();
    // Counts one view where React runs effects twice, in development.
    if (viewed !== pathname) trackPageView();
    viewed = pathname;

    let pending = [...depths];
    let view = viewCount();
    let position = window.scrollY;
    function onScroll() {
      // Scrolling up is not reading: a new page, or the next page of a list, scrolls to its top.
      const isDown = window.scrollY > position;
      position = window.scrollY;
      if (!isDown) return;
      if (view !== viewCount()) {
        // The query of the page has changed.
        view = viewCount();
        pending = [...depths];
      }
      const { scrollHeight } = document.documentElement;
      const seen = ((window.scrollY + window.innerHeight) / scrollHeight) * 100;
      // Rounding by a pixel must not keep the page's end from counting.
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
