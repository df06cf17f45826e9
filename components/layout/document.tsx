import type { ReactNode } from "react";
import { AuthScript } from "@/components/layout/auth-script";

interface DocumentProps {
  /** Classes that define the fonts. */
  className: string;
  children: ReactNode;
}

/** The `<html>` of every page: language, fonts, and the script that tells who is logged in. */
export function Document({ className, children }: DocumentProps) {
  return (
    // The script sets attributes before hydration.
    <html lang="fr" className={className} suppressHydrationWarning>
      {/* biome-ignore lint/style/noHeadElement: the rule is for the pages router */}
      <head>
        <AuthScript />
      </head>
      <body>{children}</body>
    </html>
  );
}
