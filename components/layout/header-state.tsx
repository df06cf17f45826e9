"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { closePanelsLeft } from "@/components/layout/close-panels-left";

/**
 * Marks the link of the current page in the top navigation, and closes its panels when a link is
 * followed. Changes the DOM, so that the header need not be rendered again.
 */
export function HeaderState() {
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is read from the browser
  useEffect(() => {
    // After a rewrite usePathname may return the internal path; the browser has the visible one.
    const { pathname: current } = window.location;
    for (const link of document.querySelectorAll<HTMLAnchorElement>("#site-header li a")) {
      if (link.pathname === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }, [pathname]);

  // A link that was followed disappears with its page: the next one is read from its beginning.
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname && document.activeElement === document.body)
      document.querySelector("main")?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);

  useEffect(closePanelsLeft, []);

  useEffect(() => {
    function onClick({ target }: MouseEvent) {
      const link = (target as Element).closest("#site-header li :is(a, button)");
      link?.closest<HTMLElement>("[popover]")?.hidePopover();
    }
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);

  return null;
}
