"use client";

import { useRouter } from "next/navigation";
import { logout } from "@/lib/auth/client";

export function LogoutButton({ className }: { className?: string }) {
  const router = useRouter();
  return (
    <button
      type="button"
      className={className}
      onClick={async () => {
        await logout();
        router.push("/login");
      }}
    >
      Déconnexion
    </button>
  );
}
