"use client";

import { useEffect } from "react";
import { endSession, readSession, subscribeToSession } from "@/lib/auth/client";
import { loginAddress } from "@/lib/guards";

/**
 * On pages of those who are logged in: leads to the login as soon as this browser has no session
 * (any more), and loads the page anew when it has somebody else's. Shows nothing.
 */
export function SessionGuard() {
  useEffect(() => {
    const { userId: owner } = readSession();
    function check() {
      const { token, userId } = readSession();
      if (token === null) {
        const { pathname, search } = window.location;
        void endSession({ leadTo: loginAddress(pathname + search) });
      } else if (userId !== owner) window.location.reload();
    }
    check();
    return subscribeToSession(check);
  }, []);
  return null;
}
