"use client";

import { usePathname } from "next/navigation";
import { Fragment, type ReactNode } from "react";

/**
 * Makes what it holds anew on every page. An element that is kept and stands elsewhere on the next
 * page counts as a jump of the page where no click came right before: after the browser's "back".
 */
export function PerPage({ children }: { children: ReactNode }) {
  return <Fragment key={usePathname()}>{children}</Fragment>;
}
