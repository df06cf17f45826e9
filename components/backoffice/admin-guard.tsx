"use client";

import { useEffect } from "react";
import { SessionGuard } from "@/components/auth/session-guard";
import { loadPage, readSession, subscribeToSession } from "@/lib/browser-session";
import { isAdmin } from "@/lib/roles";

/**
 * Redirects home as soon as this browser's session is no administrator's. The server authorizes, too:
 * middleware.ts the page, and the API everything that it shows.
 */
export function AdminGuard() {
  useEffect(() => {
    function check() {
      const { token, roles } = readSession();
      if (token !== null && !isAdmin({ roles })) loadPage("/");
    }
    check();
    return subscribeToSession(check);
  }, []);
  return <SessionGuard />;
}
