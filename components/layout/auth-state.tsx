"use client";

import { useLayoutEffect } from "react";
import { REFUSED_PAGE_COOKIE } from "@/lib/auth/refused-page";
import {
  deleteSessionCookie,
  endSession,
  getSessionCookie,
  loadPage,
  readSession,
  subscribeToSession,
} from "@/lib/browser/session";
import { isAdmin } from "@/lib/roles";

/**
 * Syncs `data-auth`, `data-admin` and `data-named` on `<html>` with the session. The inline script
 * of document.tsx sets them before the first paint; CSS shows and hides content by them.
 */
export function AuthState() {
  useLayoutEffect(() => {
    function apply() {
      const { token, firstName, lastName, roles } = readSession();
      const root = document.documentElement;
      root.dataset.auth = token ? "in" : "out";
      root.toggleAttribute("data-admin", Boolean(token) && isAdmin({ roles }));
      root.toggleAttribute("data-named", Boolean(firstName && lastName));
    }
    apply();
    void dropStaleCookie();
    return subscribeToSession(apply);
  }, []);
  return null;
}

/**
 * Handles a guests' page that the server refused because of the session cookie. If the browser has no
 * session (its storage was cleared, or the session has ended), deletes the cookie and loads the page.
 */
async function dropStaleCookie(): Promise<void> {
  const start = `${REFUSED_PAGE_COOKIE}=`;
  const entry = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  if (!entry) return;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the CookieStore
  document.cookie = `${start}; path=/; max-age=0`;
  const { origin } = window.location;
  const page = new URL(decodeURIComponent(entry.slice(start.length)), origin);
  if (page.origin !== origin) return;
  const { token } = readSession();
  if (token) {
    // "refused" means that the session was revoked elsewhere. Any other outcome leaves that open.
    if ((await getSessionCookie(token)) === "refused") await endSession({ leadTo: page.href });
    return;
  }
  // Load the page only without the cookie: with it, the server refuses the page again, in a loop.
  if ((await deleteSessionCookie()) === "accepted") loadPage(page.href);
}
