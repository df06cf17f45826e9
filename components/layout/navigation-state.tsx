"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";

/**
 * Marks the link of the current page in a menu, and closes the menu's panels. Changes the DOM directly,
 * so that the menu need not be rendered again.
 *
 * @param menu CSS selector of the menu
 */
export function NavigationState({ menu }: { menu: string }) {
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is read from the browser
  useEffect(() => {
    const pathOf = (location: { pathname: string }) => location.pathname.replace(/\/$/, "");
    // After a rewrite usePathname may return the internal path; window.location has the visible path.
    const current = pathOf(window.location);
    for (const link of document.querySelectorAll<HTMLAnchorElement>(`${menu} li a`)) {
      if (pathOf(link) === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }, [menu, pathname]);

  // A followed link disappears with its page: focus the start of the new page.
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname && document.activeElement === document.body)
      document.querySelector("main")?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);

  useEffect(() => {
    /** Closes a panel that the focus has left: the panel would cover the focused element (WCAG 2.4.11). */
    function closePanelWithoutFocus({ target }: FocusEvent) {
      const panel = document.querySelector<HTMLElement>("[popover]:popover-open");
      if (!panel || !(target instanceof Element)) return;
      if (!panel.contains(target) && !target.matches(`[popovertarget="${panel.id}"]`))
        panel.hidePopover();
    }
    /** Closes a panel when one of its links is followed. */
    function closePanelOfFollowedLink({ target }: MouseEvent) {
      const link = (target as Element).closest(`${menu} li :is(a, button)`);
      link?.closest<HTMLElement>("[popover]")?.hidePopover();
    }
    document.addEventListener("focusin", closePanelWithoutFocus);
    document.addEventListener("click", closePanelOfFollowedLink);
    return () => {
      document.removeEventListener("focusin", closePanelWithoutFocus);
      document.removeEventListener("click", closePanelOfFollowedLink);
    };
  }, [menu]);

  return null;
}
