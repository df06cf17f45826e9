"use client";

import { useEffect } from "react";
import { endSession, loadPage, readSession, subscribeToSession } from "@/lib/browser-session";
import { loginUrl } from "@/lib/guards";
import { isAdmin } from "@/lib/roles";

/**
 * For pages that need a login: redirects to the login as soon as this browser has no session, home where
 * an administrator's is needed, and reloads the page when the session is somebody else's. The server
 * authorizes, too: middleware.ts the page, and the API everything that it shows.
 */
export function SessionGuard({ adminOnly = false }: { adminOnly?: boolean }) {
  useEffect(() => {
    const { userId: owner } = readSession();
    function check() {
      const { token, userId, roles } = readSession();
      if (token === null) {
        const { pathname, search } = window.location;
        void endSession({ leadTo: loginUrl(pathname + search) });
      } else if (adminOnly && !isAdmin({ roles })) loadPage("/");
      else if (userId !== owner) window.location.reload();
    }
    check();
    return subscribeToSession(check);
  }, [adminOnly]);
  return null;
}
