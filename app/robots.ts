import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { siteUrl } from "@/lib/env";
import { CLOSED_PATHS } from "@/lib/pages";

// GET /robots.txt – what crawlers may read, and where the sitemap is
export default async function robots(): Promise<MetadataRoute.Robots> {
  // SITE_URL is read when the shop runs, not when it is built.
  await connection();
  // A path stands for all that begin with it. Searches are many, and found nowhere.
  const disallow = ["/api/", ...CLOSED_PATHS, "/products?*search="];
  return {
    rules: { userAgent: "*", allow: ["/", "/api/docs"], disallow },
    sitemap: `${siteUrl()}/sitemap.xml`,
  };
}
