import type { ReactNode } from "react";
import { Analytics } from "@/components/analytics/analytics";
import { VisitorReauthentication } from "@/components/auth/visitor-reauthentication";
import { AuthState } from "@/components/layout/auth-state";
import { Footer } from "@/components/layout/footer";
import { Header } from "@/components/layout/header";
import { RemountOnNavigation } from "@/components/layout/remount-on-navigation";
import { Footers } from "@/components/layout/short-footer";
import { SkipLink } from "@/components/layout/skip-link";
import type { FooterContent } from "@/lib/footer/rules";

/** Id of the element after the footer. */
const PAGE_END = "page-end";

type SiteFrameProps = {
  /** Base URL of the Matomo server, if there is one. */
  matomoUrl?: string;
  /** Missing for the page that the build renders, which knows nothing of the shop. */
  footer?: FooterContent;
  children: ReactNode;
};

/** The layout of all pages except the back office's. */
export function SiteFrame({ matomoUrl, footer, children }: SiteFrameProps) {
  return (
    <>
      {/* Nothing is painted before the footer is parsed. The HTML arrives whole, but a parser that pauses
          would show a part of the page, which moves when the rest is parsed. */}
      <link rel="expect" href={`#${PAGE_END}`} blocking="render" />
      <SkipLink />
      <AuthState />
      <Header />
      <main id="contenu" tabIndex={-1}>
        {children}
      </main>
      <RemountOnNavigation>
        <Footers>
          <Footer content={footer} />
        </Footers>
      </RemountOnNavigation>
      <span id={PAGE_END} hidden />
      <VisitorReauthentication />
      <Analytics matomoUrl={matomoUrl} />
    </>
  );
}
