"use client";

import { useCallback, useEffect, useState } from "react";
import {
  clearSession,
  getSessionCookie,
  type LoginNotice,
  readSession,
  takeNotice,
} from "@/lib/auth/client";
import { RETURN_PARAMETER, returnPathOf, safeReturnPath } from "@/lib/guards";

/**
 * - `unknown`: nobody has looked yet; the page shows by CSS what the browser's storage says
 * - `guest`: the visitor is logged out, the page is theirs
 * - `connecting`: storage has a session that the server does not know of; the cookie is asked for
 * - `blocked`, `unreachable`: it could not be had
 */
export type GuestPhase = "unknown" | "guest" | "connecting" | "blocked" | "unreachable";

export interface Guest {
  phase: GuestPhase;
  /** Why the visitor is here, where there is something to be said. */
  notice: LoginNotice | null;
  /** Asks for the cookie once more. */
  retry: () => void;
}

/** Where somebody who is logged in belongs: the page they wanted, or home. */
export function pageAfterLogin(): string {
  const kept: unknown = window.history.state?.[RETURN_PARAMETER];
  const fromEntry = typeof kept === "string" ? safeReturnPath(kept) : null;
  return returnPathOf(window.location.search) ?? fromEntry ?? "/";
}

/**
 * Takes the way back out of the address, which stays `/login` for everybody, and into the entry of
 * the browser's history: it survives a reload, and says nothing to pages opened later.
 */
function keepReturnPath(): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has(RETURN_PARAMETER)) return;
  const path = returnPathOf(address.search);
  address.searchParams.delete(RETURN_PARAMETER);
  const state = { ...window.history.state, [RETURN_PARAMETER]: path };
  window.history.replaceState(state, "", address.pathname + address.search);
}

/**
 * Keeps a page for guests from those who are logged in, in this tab or another. The server does the
 * same by the cookie; a browser that has only lost that gets it back here.
 */
export function useGuest(): Guest {
  const [phase, setPhase] = useState<GuestPhase>("unknown");
  const [notice, setNotice] = useState<LoginNotice | null>(null);

  const enter = useCallback(async () => {
    const { token } = readSession();
    if (!token) {
      setNotice((known) => takeNotice() ?? known);
      setPhase("guest");
      return;
    }
    setPhase("connecting");
    const outcome = await getSessionCookie(token);
    if (outcome === "accepted") {
      window.location.replace(pageAfterLogin());
    } else if (outcome === "refused") {
      clearSession();
      setNotice("expired");
      setPhase("guest");
    } else setPhase(outcome);
  }, []);

  useEffect(() => {
    keepReturnPath();
    void enter();
    // Another tab has logged in; or the browser shows the page as it was before a login.
    function leave(event: StorageEvent | PageTransitionEvent) {
      if ("persisted" in event && !event.persisted) return;
      if (readSession().token) window.location.replace(pageAfterLogin());
    }
    window.addEventListener("storage", leave);
    window.addEventListener("pageshow", leave);
    return () => {
      window.removeEventListener("storage", leave);
      window.removeEventListener("pageshow", leave);
    };
  }, [enter]);

  return { phase, notice, retry: enter };
}
