"use client";

import { useEffect } from "react";
import { SessionGuard } from "@/components/auth/session-guard";
import { loadPage, readSession, subscribeToSession } from "@/lib/auth/client";
import { isAdmin } from "@/lib/roles";

/**
 * Leads away whoever is not (any more) an administrator in this browser. The server asks, too:
 * middleware.ts for the page, and the API for everything that it shows.
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
