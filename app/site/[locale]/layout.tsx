import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { SiteFrame } from "@/components/layout/site-frame";
import { env } from "@/lib/env";

/**
 * A page below a parameter without known values is not rendered by `next build`, which has neither
 * database nor configuration, but at its first request; then it is cached: docs/decisions/002.
 */
export const generateStaticParams = () => [];

/** Seconds; `CACHE_SECONDS` of lib/http/cache/cache.ts, which Next.js wants to read here as a number. */
export const revalidate = 300;

type SiteLayoutProps = { children: ReactNode; params: Promise<{ locale: string }> };

export default async function SiteLayout({ children, params }: SiteLayoutProps) {
  if ((await params).locale !== "fr") notFound();
  return <SiteFrame matomoUrl={env().MATOMO_URL}>{children}</SiteFrame>;
}
