"use client";

import { logout } from "@/lib/auth/client";

export function LogoutButton({ className }: { className?: string }) {
  return (
    <button type="button" className={className} onClick={logout}>
      Déconnexion
    </button>
  );
}
