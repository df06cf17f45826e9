"use client";

import { useLayoutEffect } from "react";
import { readSession, subscribeToSession } from "@/lib/auth/client";

/**
 * Keeps `data-auth`, `data-admin` and `data-named` on `<html>` in step with the session. The script
 * of auth-script.tsx sets them before the first paint; the styles show what belongs to them.
 */
export function AuthState() {
  useLayoutEffect(() => {
    function apply() {
      const { token, firstName, lastName, roles } = readSession();
      const root = document.documentElement;
      root.dataset.auth = token ? "in" : "out";
      root.toggleAttribute("data-admin", Boolean(token) && roles.includes("ROLE_ADMIN"));
      root.toggleAttribute("data-named", Boolean(firstName && lastName));
    }
    apply();
    return subscribeToSession(apply);
  }, []);
  return null;
}
