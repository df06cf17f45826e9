import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { SiteFrame } from "@/components/layout/site-frame";
import { env } from "@/lib/env";
import { getFooter } from "@/lib/footer/queries";

/**
 * Without known values of its parameter, a page is not rendered by `next build`, which has neither
 * database nor configuration. It is rendered at its first request and then cached: docs/decisions/002.
 */
export const generateStaticParams = () => [];

/** Seconds: `CACHE_SECONDS` of lib/http/cache/cache.ts. Next.js requires a literal number here. */
export const revalidate = 300;

type SiteLayoutProps = { children: ReactNode; params: Promise<{ locale: string }> };

export default async function SiteLayout({ children, params }: SiteLayoutProps) {
  if ((await params).locale !== "fr") notFound();
  return (
    <SiteFrame matomoUrl={env().MATOMO_URL} footer={await getFooter()}>
      {children}
    </SiteFrame>
  );
}
