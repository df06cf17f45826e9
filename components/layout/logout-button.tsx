"use client";

import { logout } from "@/lib/browser/session";

export function LogoutButton({ className }: { className?: string }) {
  return (
    <button type="button" className={className} onClick={logout}>
      Déconnexion
    </button>
  );
}
