"use client";

import { useSession } from "@/lib/auth/client";

/** 'Bonjour {Prénom} {Nom} !', where both names are known; styles keep it hidden elsewhere. */
export function Greeting() {
  const { firstName, lastName } = useSession();
  return (
    // One text, which GreetingScript may have filled in before React looks at it.
    <span id="greeting" className="unnamed:hidden" suppressHydrationWarning>
      {`Bonjour ${firstName ?? ""} ${lastName ?? ""} !`}
    </span>
  );
}
