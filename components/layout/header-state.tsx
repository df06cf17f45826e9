"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";

/**
 * What the top navigation does beyond its HTML: it marks the link of the current page and closes its
 * panels after a navigation, on Escape and on a click elsewhere. The header itself stays a server
 * component: these few lines change its DOM instead of making it one.
 */
export function HeaderState() {
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read where it is true
  useEffect(() => {
    // usePathname tells of the rewritten address in the server's HTML, the browser knows better.
    const { pathname: current } = window.location;
    for (const link of document.querySelectorAll<HTMLAnchorElement>("#site-header li a")) {
      if (link.pathname === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    closePanels();
  }, [pathname]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Escape") return;
      const panel = openPanels()[0];
      closePanels();
      panel?.querySelector("summary")?.focus();
    }
    function onClick(event: MouseEvent) {
      const target = event.target as Element;
      // A link inside closes its panel too, also where it leads to the page that is shown already.
      if (!target.closest("details[name=site-menu]") || target.closest("a")) closePanels();
    }
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("click", onClick);
    };
  }, []);

  return null;
}

function openPanels() {
  return document.querySelectorAll<HTMLDetailsElement>("#site-header details[open]");
}

function closePanels() {
  for (const panel of openPanels()) panel.open = false;
}
