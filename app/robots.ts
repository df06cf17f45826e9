import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { siteUrl } from "@/lib/env";
import { CLOSED_PATHS } from "@/lib/seo/rules";

// GET /robots.txt – what crawlers may read, and where the sitemap is
export default async function robots(): Promise<MetadataRoute.Robots> {
  // SITE_URL is read when the shop runs, not when it is built.
  await connection();
  return {
    rules: { userAgent: "*", allow: ["/", "/api/docs"], disallow: [...CLOSED_PATHS] },
    sitemap: `${siteUrl()}/sitemap.xml`,
  };
}
