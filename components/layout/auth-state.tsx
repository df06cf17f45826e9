"use client";

import { useLayoutEffect } from "react";
import { dropSessionCookie, loadPage, readSession, subscribeToSession } from "@/lib/auth/client";
import { REFUSED_PAGE_COOKIE } from "@/lib/auth/refused-page";
import { isAdmin } from "@/lib/roles";

/**
 * Keeps `data-auth`, `data-admin` and `data-named` on `<html>` in step with the session. The script
 * of auth-script.tsx sets them before the first paint; the styles show what belongs to them.
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
 * The server refused a page for guests because of the session cookie. Where the browser has no
 * session of its own (its storage was emptied), the cookie goes, and the visitor gets the page.
 */
async function dropStaleCookie(): Promise<void> {
  const start = `${REFUSED_PAGE_COOKIE}=`;
  const entry = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  if (!entry) return;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the CookieStore
  document.cookie = `${start}; path=/; max-age=0`;
  if (readSession().token) return;
  // As long as the cookie stays, the page would be refused again, and again.
  if ((await dropSessionCookie()) !== "accepted") return;
  const { origin } = window.location;
  const page = new URL(decodeURIComponent(entry.slice(start.length)), origin);
  if (page.origin === origin) loadPage(page.href);
}
