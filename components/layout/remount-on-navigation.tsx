"use client";

import { usePathname } from "next/navigation";
import { Fragment, type ReactNode } from "react";

/**
 * Mounts its children anew on every page. An element that is kept, and is elsewhere on the next page,
 * counts as a layout shift unless a click came right before: after the browser's "back".
 */
export function RemountOnNavigation({ children }: { children: ReactNode }) {
  return <Fragment key={usePathname()}>{children}</Fragment>;
}
