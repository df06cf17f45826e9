import type { ReactNode } from "react";
import { EarlyTaps } from "@/components/layout/early-taps";
import { StaleMetadata } from "@/components/layout/stale-metadata";
import { AUTH_SCRIPT, EARLY_TAPS_SCRIPT } from "@/lib/http/server/inline-scripts";

interface DocumentProps {
  /** Classes that define the fonts. */
  className: string;
  children: ReactNode;
}

/** The `<html>` of every page: language, fonts, and the scripts that run before the first paint. */
export function Document({ className, children }: DocumentProps) {
  return (
    // Suppresses the warning about attributes that the script sets before hydration.
    <html lang="fr" className={className} suppressHydrationWarning>
      {/* biome-ignore lint/style/noHeadElement: the rule is for the pages router */}
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
        <script dangerouslySetInnerHTML={{ __html: AUTH_SCRIPT }} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
        <script dangerouslySetInnerHTML={{ __html: EARLY_TAPS_SCRIPT }} />
      </head>
      <body>
        {children}
        <StaleMetadata />
        <EarlyTaps />
      </body>
    </html>
  );
}
