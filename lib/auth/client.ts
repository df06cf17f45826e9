"use client";

import { useSyncExternalStore } from "react";

// The session as the browser keeps it, in local storage. The keys are part of the shop's contract;
// `userName` is the family name and `userLastName` the given name, and the confusion ends here.
const sessionKeys = {
  token: "token",
  user: "user",
  userId: "userId",
  familyName: "userName",
  givenName: "userLastName",
  roles: "roles",
} as const;

/** Sent on `window` after every change of the session in this tab. */
export const authChangedEvent = "auth-changed";

export interface BrowserSession {
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

function parseRoles(stored: string | null): string[] {
  return stored?.match(/\bROLE_[A-Z_]+\b/g) ?? [];
}

/** Reads local storage; a browser that forbids it (private mode, settings) is logged out. */
export function readSession(): BrowserSession {
  try {
    const { token, userId, givenName, familyName, roles } = sessionKeys;
    return {
      token: localStorage.getItem(token) || null,
      userId: Number(localStorage.getItem(userId)) || null,
      firstName: localStorage.getItem(givenName) || null,
      lastName: localStorage.getItem(familyName) || null,
      roles: parseRoles(localStorage.getItem(roles)),
    };
  } catch {
    return loggedOut;
  }
}

/** Calls back after each change of the session, in this tab or another. Returns the way to stop. */
export function subscribeToSession(onChange: () => void): () => void {
  // A page that the browser had put aside has missed what happened meanwhile: `pageshow`.
  const events = [authChangedEvent, "storage", "pageshow"];
  for (const event of events) window.addEventListener(event, onChange);
  return () => {
    for (const event of events) window.removeEventListener(event, onChange);
  };
}

/** A session as POST /api/login_check gives it: `userName` is the family name. */
export interface SessionAnswer {
  token: string;
  userId: number;
  userName: string;
  userLastName: string;
  roles: readonly string[];
  /** Where the answer tells it: that of an account does. */
  email?: string;
}

/** Remembers a session in this browser and tells every part of the page. */
export function writeSession({
  token,
  userId,
  userName,
  userLastName,
  roles,
  email,
}: SessionAnswer): void {
  const user = { id: userId, nom: userName, lastname: userLastName, email, roles };
  const entries = {
    [sessionKeys.user]: JSON.stringify(user),
    [sessionKeys.userId]: String(userId),
    [sessionKeys.familyName]: userName,
    [sessionKeys.givenName]: userLastName,
    [sessionKeys.roles]: JSON.stringify(roles),
    // Last, since other tabs hear of each entry by itself.
    [sessionKeys.token]: token,
  };
  try {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  } catch {
    // A browser that keeps nothing stays logged out.
  }
  window.dispatchEvent(new Event(authChangedEvent));
}

/** Forgets the session in this browser and tells every part of the page. */
export function clearSession(): void {
  try {
    for (const key of Object.values(sessionKeys)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored where nothing can be.
  }
  window.dispatchEvent(new Event(authChangedEvent));
}

/** Milliseconds after which the browser goes on without an answer. */
const LOGIN_WAIT = 20_000;
const LOGOUT_WAIT = 8_000;

/**
 * - `accepted`: the browser has the cookie
 * - `refused`: the token opens nothing (any more)
 * - `blocked`: the browser keeps no cookies of this shop
 * - `unreachable`: no answer, or a fault of the server's
 */
export type CookieOutcome = "accepted" | "refused" | "blocked" | "unreachable";

/** One of next-auth's calls, with the proof that it comes from this shop's own page. */
async function askNextAuth({
  action,
  fields,
  wait,
}: {
  action: "callback/token" | "signout";
  fields: Record<string, string>;
  wait: number;
}): Promise<CookieOutcome> {
  const signal = AbortSignal.timeout(wait);
  try {
    // The proof is a cookie, too; another tab may have replaced it in between.
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

/** Gets the session cookie, by which the server knows which pages to show, for a bearer token. */
export function getSessionCookie(token: string): Promise<CookieOutcome> {
  return askNextAuth({ action: "callback/token", fields: { token }, wait: LOGIN_WAIT });
}

/** Has the session cookie taken away. */
export function dropSessionCookie(): Promise<CookieOutcome> {
  return askNextAuth({ action: "signout", fields: {}, wait: LOGOUT_WAIT });
}

/** A sentence that the next login page shows, once: it says why the visitor is there. */
export type LoginNotice = "expired" | "registered";

const noticeKey = "loginNotice";

export function leaveNotice(notice: LoginNotice): void {
  try {
    sessionStorage.setItem(noticeKey, notice);
  } catch {
    // Then nothing is said.
  }
}

/** The notice that was left, and forgets it. */
export function takeNotice(): LoginNotice | null {
  try {
    const notice = sessionStorage.getItem(noticeKey);
    sessionStorage.removeItem(noticeKey);
    return notice === "expired" || notice === "registered" ? notice : null;
  } catch {
    return null;
  }
}

/**
 * Loads a page as a whole. Whoever logs in or out gets a page that remembers nothing of before.
 *
 * @param address a path or an address of this shop
 */
export function loadPage(address: string): void {
  window.location.assign(address);
}

let isEnding = false;

/**
 * Ends the session in storage and cookie, then loads a page. Parts of the page that notice it at
 * the same time (guards, refused calls) change nothing about where the first one leads.
 */
export async function endSession({
  leadTo,
  notice,
  meanwhile,
}: {
  leadTo: string;
  notice?: LoginNotice;
  /** Something else to be awaited before the page is left. */
  meanwhile?: Promise<unknown> | undefined;
}): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  clearSession();
  if (notice) leaveNotice(notice);
  await Promise.all([dropSessionCookie(), meanwhile]);
  // The browser may bring this page back as it is now.
  window.addEventListener("pagehide", () => {
    isEnding = false;
  });
  loadPage(leadTo);
}

/** The one place where a visitor logs out: revokes the token everywhere and leads to /login. */
export async function logout(): Promise<void> {
  const { token } = readSession();
  const revocation = token
    ? fetch("/api/logout", {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(LOGOUT_WAIT),
        keepalive: true,
      }).catch(() => undefined)
    : undefined;
  await endSession({ leadTo: "/login", meanwhile: revocation });
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
