"use client";

import { useSyncExternalStore } from "react";
import { removeDrafts } from "@/lib/browser/drafts";
import { withStorage } from "@/lib/browser/storage";

// The session in the browser's local storage. The keys are fixed, and two are misleading: `userName` holds
// the family name and `userLastName` the given name. The rest of the code uses the correct names.
const sessionKeys = {
  token: "token",
  user: "user",
  userId: "userId",
  familyName: "userName",
  givenName: "userLastName",
  roles: "roles",
} as const;

/** Session storage key: the order that was just paid in this tab. Removed at the logout. */
export const LAST_ORDER_KEY = "lastOrderId";

/** Sent on `window` after every change of the session in this tab. */
export const authChangedEvent = "auth-changed";

interface BrowserSession {
  /** Bearer token; without it the visitor is logged out. */
  token: string | null;
  userId: number | null;
  firstName: string | null;
  lastName: string | null;
  roles: readonly string[];
}

const loggedOut: BrowserSession = {
  token: null,
  userId: null,
  firstName: null,
  lastName: null,
  roles: [],
};

/** Reads local storage; a browser without storage is logged out. */
export function readSession(): BrowserSession {
  const { token, userId, givenName, familyName, roles } = sessionKeys;
  const session = withStorage(() => ({
    token: localStorage.getItem(token) || null,
    userId: Number(localStorage.getItem(userId)) || null,
    firstName: localStorage.getItem(givenName) || null,
    lastName: localStorage.getItem(familyName) || null,
    roles: localStorage.getItem(roles)?.match(/\bROLE_[A-Z_]+\b/g) ?? [],
  }));
  return session ?? loggedOut;
}

/** The session's e-mail address; null if the browser does not know it. */
export function readEmail(): string | null {
  const user = withStorage(() => JSON.parse(localStorage.getItem(sessionKeys.user) ?? "null"));
  return typeof user?.email === "string" ? user.email : null;
}

/** Subscribes to changes of the session, in this tab or another. Returns the unsubscribe function. */
export function subscribeToSession(onChange: () => void): () => void {
  // `pageshow`: a page restored from the back/forward cache has missed changes.
  const events = [authChangedEvent, "storage", "pageshow"];
  for (const event of events) window.addEventListener(event, onChange);
  return () => {
    for (const event of events) window.removeEventListener(event, onChange);
  };
}

/** Has another tab logged in or out, or replaced the token? */
export const isTokenChange = ({ key }: StorageEvent): boolean => key === sessionKeys.token;

/** The response of POST /api/login_check: `userName` is the family name. */
export interface SessionAnswer {
  token: string;
  userId: number;
  userName: string;
  userLastName: string;
  roles: readonly string[];
  /** Missing in the login's response: the visitor has typed it. */
  email?: string;
}

/** Can this browser keep a session? Its settings may forbid the shop's cookies or storage. */
export function keepsSessions(): boolean {
  const isStored = withStorage(() => {
    localStorage.setItem("storage-test", "");
    localStorage.removeItem("storage-test");
    return true;
  });
  return navigator.cookieEnabled && isStored === true;
}

/** Stores a session in this browser and notifies the page. @returns whether it could be stored */
export function writeSession({
  token,
  userId,
  userName,
  userLastName,
  roles,
  email,
}: SessionAnswer): boolean {
  const user = { id: userId, nom: userName, lastname: userLastName, email, roles };
  const entries = {
    [sessionKeys.user]: JSON.stringify(user),
    [sessionKeys.userId]: String(userId),
    [sessionKeys.familyName]: userName,
    [sessionKeys.givenName]: userLastName,
    [sessionKeys.roles]: JSON.stringify(roles),
    // The token comes last: other tabs are notified of each entry.
    [sessionKeys.token]: token,
  };
  const isStored = withStorage(() => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    return true;
  });
  window.dispatchEvent(new Event(authChangedEvent));
  return isStored === true;
}

/** Stores a newer token, unless the session has ended or its token has changed meanwhile. */
export function replaceToken({ former, token }: { former: string; token: string }): void {
  if (readSession().token !== former) return;
  withStorage(() => localStorage.setItem(sessionKeys.token, token));
  window.dispatchEvent(new Event(authChangedEvent));
}

/** Removes the session from this browser and notifies the page. */
export function clearSession(): void {
  withStorage(() => {
    for (const key of Object.values(sessionKeys)) localStorage.removeItem(key);
    sessionStorage.removeItem(LAST_ORDER_KEY);
  });
  window.dispatchEvent(new Event(authChangedEvent));
}

/** Milliseconds. */
const LOGIN_TIMEOUT = 20_000;
const LOGOUT_TIMEOUT = 8_000;

/**
 * - `accepted`: the browser has the cookie
 * - `refused`: the token is not valid, or no longer valid
 * - `blocked`: the browser stores no cookies of this shop
 * - `unreachable`: no response, or a server error
 */
type CookieOutcome = "accepted" | "refused" | "blocked" | "unreachable";

/** Calls next-auth with a CSRF token. */
async function callNextAuth({
  action,
  fields,
  timeout,
}: {
  action: "callback/token" | "signout";
  fields: Record<string, string>;
  timeout: number;
}): Promise<CookieOutcome> {
  const signal = AbortSignal.timeout(timeout);
  try {
    // The CSRF token is also in a cookie, which another tab may replace between the two requests.
    for (let attempt = 0; attempt < 2; attempt++) {
      const { csrfToken } = await (await fetch("/api/auth/csrf", { signal })).json();
      const answer = await fetch(`/api/auth/${action}`, {
        method: "POST",
        body: new URLSearchParams({ ...fields, csrfToken }),
        signal,
      });
      if (answer.status === 401) return "refused";
      if (!answer.ok) return "unreachable";
      const { url } = await answer.json();
      if (!String(url).includes("csrf=true")) return "accepted";
    }
    return "blocked";
  } catch {
    return "unreachable";
  }
}

/** Exchanges a bearer token for the session cookie, by which the server authorizes pages. */
export function getSessionCookie(token: string): Promise<CookieOutcome> {
  return callNextAuth({ action: "callback/token", fields: { token }, timeout: LOGIN_TIMEOUT });
}

export function deleteSessionCookie(): Promise<CookieOutcome> {
  return callNextAuth({ action: "signout", fields: {}, timeout: LOGOUT_TIMEOUT });
}

/** A message to the next page, which shows it once. */
function createNotice<Value extends string>(key: string, values: readonly Value[]) {
  return {
    store: (value: Value): void => {
      withStorage(() => sessionStorage.setItem(key, value));
    },
    /** Reads and removes the message. */
    consume: (): Value | null => {
      const stored = withStorage(() => {
        const text = sessionStorage.getItem(key);
        sessionStorage.removeItem(key);
        return text;
      });
      return values.find((value) => value === stored) ?? null;
    },
  };
}

/** Why a visitor is on the login page. */
export type LoginNotice = "expired" | "registered";

export const { store: storeLoginNotice, consume: consumeLoginNotice } = createNotice<LoginNotice>(
  "loginNotice",
  ["expired", "registered"],
);

/** How an account was closed: deactivated or erased. The home page says so. */
export type AccountClosing = "soft" | "hard";

export const { store: storeAccountClosing, consume: consumeAccountClosing } =
  createNotice<AccountClosing>("accountClosing", ["soft", "hard"]);

/** Loads a page of this shop without client-side navigation: no state survives a login or logout. */
export function loadPage(url: string): void {
  window.location.assign(url);
}

let isSessionEnding = false;

/**
 * Removes the session's storage and cookie, then loads a page. If several parts of the page (guards,
 * refused calls) call it at the same time, the first call decides which page.
 */
export async function endSession({
  leadTo,
  notice,
  forgetDrafts = false,
  meanwhile,
}: {
  leadTo: string;
  notice?: LoginNotice;
  /** Also removes drafts: for a session that the visitor ends. */
  forgetDrafts?: boolean;
  /** Also awaited before the page is left. */
  meanwhile?: Promise<unknown> | undefined;
}): Promise<void> {
  // A visitor may stay on the page to keep typed text, and log in again in another tab: that session is
  // ended, too.
  if (isSessionEnding && readSession().token === null) return;
  isSessionEnding = true;
  clearSession();
  if (forgetDrafts) removeDrafts();
  if (notice) storeLoginNotice(notice);
  await Promise.all([deleteSessionCookie(), meanwhile]);
  // The browser may restore this page from its back/forward cache.
  window.addEventListener("pagehide", () => {
    isSessionEnding = false;
  });
  loadPage(leadTo);
}

/** Revokes the token everywhere and redirects to /login. */
export async function logout(): Promise<void> {
  const { token } = readSession();
  await endSession({
    leadTo: "/login",
    forgetDrafts: true,
    meanwhile: token ? revokeToken(token) : undefined,
  });
}

/** POST /api/logout: ends every session of the token's user, even while the page is being left. */
export function revokeToken(token: string): Promise<unknown> {
  return fetch("/api/logout", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(LOGOUT_TIMEOUT),
    keepalive: true,
  }).catch(() => undefined);
}

// React compares snapshots by identity, so an unchanged session has to stay the same object.
let snapshot = loggedOut;

function currentSession(): BrowserSession {
  const session = readSession();
  if (JSON.stringify(session) !== JSON.stringify(snapshot)) snapshot = session;
  return snapshot;
}

/** The session for a client component: logged out in the server's HTML and during hydration. */
export function useSession(): BrowserSession {
  return useSyncExternalStore(subscribeToSession, currentSession, () => loggedOut);
}
