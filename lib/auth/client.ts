"use client";

import { useSyncExternalStore } from "react";

// The session as the browser keeps it, in local storage. The keys are part of the shop's contract;
// `userName` is the family name and `userLastName` the given name, and the confusion ends here.
export const sessionKeys = {
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
  window.addEventListener(authChangedEvent, onChange);
  window.addEventListener("storage", onChange);
  return () => {
    window.removeEventListener(authChangedEvent, onChange);
    window.removeEventListener("storage", onChange);
  };
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

/** The one place where a visitor is logged out. The caller then leads to /login. */
export async function logout(): Promise<void> {
  clearSession();
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
