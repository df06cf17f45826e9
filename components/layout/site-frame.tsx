import type { ReactNode } from "react";
import { Analytics } from "@/components/analytics/analytics";
import { AuthState } from "@/components/layout/auth-state";
import { Footer } from "@/components/layout/footer";
import { Header } from "@/components/layout/header";
import { RemountOnNavigation } from "@/components/layout/remount-on-navigation";
import { SkipLink } from "@/components/layout/skip-link";

type SiteFrameProps = {
  /** Base URL of the Matomo server, if there is one. */
  matomoUrl?: string;
  children: ReactNode;
};

/** The layout of all pages except the back office's. */
export function SiteFrame({ matomoUrl, children }: SiteFrameProps) {
  return (
    <>
      <SkipLink />
      <AuthState />
      <Header />
      <main id="contenu" tabIndex={-1}>
        {children}
      </main>
      <RemountOnNavigation>
        <Footer />
      </RemountOnNavigation>
      <Analytics matomoUrl={matomoUrl} />
    </>
  );
}
