"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";

/** Marks the menu's link to the current page, and closes the panel on navigation. */
export function MenuState() {
  const pathname = usePathname();
  useEffect(() => {
    const menu = document.getElementById("backoffice-menu");
    for (const link of menu?.querySelectorAll("a") ?? []) {
      if (link.pathname.replace(/\/$/, "") === pathname) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (menu?.matches(":popover-open")) menu.hidePopover();
  }, [pathname]);
  return null;
}
