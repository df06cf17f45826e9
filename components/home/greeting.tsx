"use client";

import { useSession } from "@/lib/auth/client";

/** 'Bonjour {Prénom} {Nom} !', where both names are known; styles keep it hidden elsewhere. */
export function Greeting() {
  const { firstName, lastName } = useSession();
  return (
    <span className="unnamed:hidden">
      Bonjour {firstName} {lastName} !
    </span>
  );
}
