import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Analytics } from "@/components/analytics/analytics";
import { AuthState } from "@/components/layout/auth-state";
import { Footer } from "@/components/layout/footer";
import { Header } from "@/components/layout/header";
import { SkipLink } from "@/components/layout/skip-link";
import { env } from "@/lib/env";

/**
 * A page below a parameter without known values is not rendered by `next build`, which has neither
 * database nor configuration, but at its first request; then it is cached: decision 002.
 */
export const generateStaticParams = () => [];

type SiteLayoutProps = { children: ReactNode; params: Promise<{ locale: string }> };

export default async function SiteLayout({ children, params }: SiteLayoutProps) {
  if ((await params).locale !== "fr") notFound();
  return (
    <>
      <SkipLink />
      <AuthState />
      <Header />
      <main id="contenu" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <Analytics matomoUrl={env().MATOMO_URL} />
    </>
  );
}
