import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { siteUrl } from "@/lib/env";
import { pathsOf } from "@/lib/pages";

// GET /robots.txt – what crawlers may read, and where the sitemap is
export default async function robots(): Promise<MetadataRoute.Robots> {
  // SITE_URL is read when the shop runs, not when it is built.
  await connection();
  const closed = pathsOf(({ access, isRendered }) => access !== "everybody" || isRendered === true);
  // A path also closes all that begin with it.
  const beginnings = closed.map((path) => path.replace(/\/:\w+[?*]$/, "").replace(/:.*/, ""));
  // There is no end to searches.
  const disallow = ["/api/", ...beginnings, "/products?*search="];
  return {
    rules: { userAgent: "*", allow: ["/", "/api/docs"], disallow },
    sitemap: `${siteUrl()}/sitemap.xml`,
  };
}
