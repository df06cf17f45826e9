"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const INTERVAL = 3_000;

/** Refreshes the page periodically while it is visible. */
export function AutoRefresh() {
  const router = useRouter();
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") router.refresh();
    };
    const timer = setInterval(refresh, INTERVAL);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [router]);
  return null;
}
