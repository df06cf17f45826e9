"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";

/**
 * What the top navigation does beyond its HTML: it marks the link of the current page and closes its
 * panels when a link is followed. The header itself stays a server component: these few lines change
 * its DOM instead of making it one for the browser.
 */
export function HeaderState() {
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read where it is true
  useEffect(() => {
    // Below a rewrite usePathname may tell of the page's own path; the browser knows the visible one.
    const { pathname: current } = window.location;
    for (const link of document.querySelectorAll<HTMLAnchorElement>("#site-header li a")) {
      if (link.pathname === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }, [pathname]);

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
