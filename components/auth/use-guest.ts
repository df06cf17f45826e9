"use client";

import { useCallback, useEffect, useState } from "react";
import { keepReturnPath, returnPath } from "@/components/auth/use-return-path";
import { useIsUnmounted } from "@/components/ui/use-is-unmounted";
import {
  clearSession,
  consumeLoginNotice,
  getSessionCookie,
  isTokenChange,
  keepsSessions,
  type LoginNotice,
  readSession,
} from "@/lib/browser/session";

/**
 * - `unknown`: not checked yet; CSS shows content according to the browser's storage
 * - `guest`: the visitor is logged out, and may use the page
 * - `connecting`: storage has a session without a cookie; the cookie is being requested
 * - `blocked`: the browser keeps no session, as it refuses the shop's cookies or storage
 * - `unreachable`: the cookie could not be obtained
 */
type GuestPhase = "unknown" | "guest" | "connecting" | "blocked" | "unreachable";

export interface Guest {
  phase: GuestPhase;
  /** Why the visitor was led here, if there is a message for the reason. */
  notice: LoginNotice | null;
  /** Requests the cookie once more. */
  retry: () => void;
  /** The browser has refused the cookie or the storage of a session. */
  block: () => void;
}

/** The page that the visitor wanted before the login, or home. */
export const pageAfterLogin = (): string => returnPath() ?? "/";

/**
 * Redirects visitors who are logged in, in this tab or another, away from a page for guests. The
 * server does the same by the cookie; a browser that has lost only the cookie gets a new one here.
 *
 * @param opensSession true if the page is of no use in a browser that keeps no session
 */
export function useGuest({ opensSession = false } = {}): Guest {
  const [phase, setPhase] = useState<GuestPhase>("unknown");
  const [notice, setNotice] = useState<LoginNotice | null>(null);
  const isUnmounted = useIsUnmounted();

  const enter = useCallback(async () => {
    const { token } = readSession();
    if (!token) {
      setNotice((known) => consumeLoginNotice() ?? known);
      setPhase(opensSession && !keepsSessions() ? "blocked" : "guest");
      return;
    }
    setPhase("connecting");
    const outcome = await getSessionCookie(token);
    // The visitor may have gone on to another page meanwhile.
    if (isUnmounted.current) return;
    if (outcome === "accepted") {
      window.location.replace(pageAfterLogin());
    } else if (outcome === "refused") {
      clearSession();
      setNotice("expired");
      setPhase("guest");
    } else setPhase(outcome);
  }, [isUnmounted, opensSession]);
  const block = useCallback(() => setPhase("blocked"), []);

  useEffect(() => {
    keepReturnPath();
    void enter();
    // Another tab has logged in, or the page comes from the back/forward cache. Other entries in the storage are
    // ignored: after a login in this tab, the page already redirects by itself.
    function redirect(event: StorageEvent | PageTransitionEvent) {
      const isRelevant = "persisted" in event ? event.persisted : isTokenChange(event);
      if (isRelevant && readSession().token) window.location.replace(pageAfterLogin());
    }
    window.addEventListener("storage", redirect);
    window.addEventListener("pageshow", redirect);
    return () => {
      window.removeEventListener("storage", redirect);
      window.removeEventListener("pageshow", redirect);
    };
  }, [enter]);

  return { phase, notice, retry: enter, block };
}
