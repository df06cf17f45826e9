"use client";

import { useEffect } from "react";
import { endSession, loadPage, readSession, subscribeToSession } from "@/lib/browser/session";
import { loginUrl } from "@/lib/guards";
import { isAdmin } from "@/lib/roles";

/**
 * For pages that need a login. Redirects to the login as soon as this browser has no session, and home if
 * the page needs an administrator and the session's user is none. Reloads the page when the session belongs
 * to another user. The server authorizes, too: middleware.ts the page, and the API all data of the page.
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
