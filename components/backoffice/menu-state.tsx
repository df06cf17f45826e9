"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { closePanelsLeft } from "@/components/layout/close-panels-left";

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
  useEffect(closePanelsLeft, []);
  return null;
}
