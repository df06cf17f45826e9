"use client";

import type { ReactNode } from "react";
import { useHydrated } from "@/components/ui/use-hydrated";
import { useSession } from "@/lib/browser/session";
import { isAdmin } from "@/lib/roles";

/** `named`: both names are known, so that the visitor can be greeted. */
export type Audience = "logged-in" | "logged-out" | "admin" | "named" | "unnamed";

/**
 * Content for one audience. The HTML contains the content for everybody, and the classes of its elements
 * hide it from other visitors (globals.css). After hydration it is removed from their documents.
 */
export function ShownTo({ audience, children }: { audience: Audience; children: ReactNode }) {
  const isHydrated = useHydrated();
  const { token, firstName, lastName, roles } = useSession();
  const isLoggedIn = token !== null;
  const isNamed = Boolean(firstName && lastName);
  const isShown: Record<Audience, boolean> = {
    "logged-in": isLoggedIn,
    "logged-out": !isLoggedIn,
    admin: isLoggedIn && isAdmin({ roles }),
    named: isNamed,
    unnamed: !isNamed,
  };
  return isHydrated && !isShown[audience] ? null : children;
}
