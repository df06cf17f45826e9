"use client";

import { useSyncExternalStore } from "react";
import { RETURN_PARAMETER, returnPathOf, safeReturnPath } from "@/lib/guards";

// The page that a visitor wanted before the login. The pages for guests hand it on to each other, in the query
// of their links. There it is moved into the state of the history entry: the URL stays as specified, and the
// state survives a reload.

/** The page to return to after the login; null for a visitor who came by themselves. */
export function returnPath(): string | null {
  const stored: unknown = window.history.state?.[RETURN_PARAMETER];
  const fromHistory = typeof stored === "string" ? safeReturnPath(stored) : null;
  return returnPathOf(window.location.search) ?? fromHistory;
}

/**
 * Moves the return path from the URL into the state of the history entry, which does not apply to pages opened
 * later. The URL's fragment belongs to the page that led here: browsers keep it.
 */
export function keepReturnPath(): void {
  const url = new URL(window.location.href);
  if (!url.searchParams.has(RETURN_PARAMETER)) return;
  const path = returnPathOf(url.search);
  const kept = path && path + url.hash;
  url.searchParams.delete(RETURN_PARAMETER);
  const state = { ...window.history.state, [RETURN_PARAMETER]: kept };
  window.history.replaceState(state, "", url.pathname + url.search);
}

const never = () => () => {};

/** `returnPath` for the links of a page; null in the server's HTML and during hydration. */
export const useReturnPath = (): string | null =>
  useSyncExternalStore(never, returnPath, () => null);
