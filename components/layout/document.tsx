import type { ReactNode } from "react";
import { fontClassName } from "@/app/fonts/figtree";
import { AuthScript } from "@/components/layout/auth-script";

/** The page around every page: language, fonts, and the script that knows who is logged in. */
export function Document({ children }: { children: ReactNode }) {
  return (
    // The script sets attributes before React looks at them.
    <html lang="fr" className={fontClassName} suppressHydrationWarning>
      {/* biome-ignore lint/style/noHeadElement: the rule is for the pages router */}
      <head>
        <AuthScript />
      </head>
      <body>{children}</body>
    </html>
  );
}
