"use client";

import { useSession } from "@/lib/browser/session";

/** 'Bonjour {Prénom} {Nom} !', if both names are known; otherwise CSS hides it. */
export function Greeting() {
  const { firstName, lastName } = useSession();
  return (
    // One text node, which the inline script of banner.tsx may have filled in before hydration.
    <span
      id="greeting"
      className="block font-medium text-accent unnamed:hidden"
      suppressHydrationWarning
    >
      {`Bonjour ${firstName ?? ""} ${lastName ?? ""} !`}
    </span>
  );
}
