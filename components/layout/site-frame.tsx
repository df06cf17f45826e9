import type { ReactNode } from "react";
import { Analytics } from "@/components/analytics/analytics";
import { AuthState } from "@/components/layout/auth-state";
import { Footer } from "@/components/layout/footer";
import { Header } from "@/components/layout/header";
import { PerPage } from "@/components/layout/per-page";
import { SkipLink } from "@/components/layout/skip-link";

type SiteFrameProps = {
  /** Base address of the Matomo server, where there is one. */
  matomoUrl?: string;
  children: ReactNode;
};

/** What surrounds every page that is not the back office's. */
export function SiteFrame({ matomoUrl, children }: SiteFrameProps) {
  return (
    <>
      <SkipLink />
      <AuthState />
      <Header />
      <main id="contenu" tabIndex={-1}>
        {children}
      </main>
      <PerPage>
        <Footer />
      </PerPage>
      <Analytics matomoUrl={matomoUrl} />
    </>
  );
}
