"use client";

import { usePathname } from "next/navigation";
import { Fragment, type ReactNode } from "react";

/**
 * Mounts its children anew on every page. A kept element whose position differs on the next page counts
 * as a layout shift unless a click came right before: for example after the browser's "back".
 */
export function RemountOnNavigation({ children }: { children: ReactNode }) {
  return <Fragment key={usePathname()}>{children}</Fragment>;
}
