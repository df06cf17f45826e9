"use client";

import { useEffect } from "react";
import { endSession, readSession, subscribeToSession } from "@/lib/browser-session";
import { loginUrl } from "@/lib/guards";

/**
 * For pages that need a login: redirects to the login as soon as this browser has no session, and
 * reloads the page when the session is somebody else's. Renders nothing.
 */
export function SessionGuard() {
  useEffect(() => {
    const { userId: owner } = readSession();
    function check() {
      const { token, userId } = readSession();
      if (token === null) {
        const { pathname, search } = window.location;
        void endSession({ leadTo: loginUrl(pathname + search) });
      } else if (userId !== owner) window.location.reload();
    }
    check();
    return subscribeToSession(check);
  }, []);
  return null;
}
