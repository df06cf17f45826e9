import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { siteUrl } from "@/lib/env";
import { pathsOf } from "@/lib/pages";

// GET /robots.txt – the paths that crawlers may read, and the address of the sitemap
export default async function robots(): Promise<MetadataRoute.Robots> {
  // SITE_URL is read when the shop runs, not when it is built.
  await connection();
  const closed = pathsOf(({ access, isRendered }) => access !== "everybody" || isRendered === true);
  // A disallowed path also closes all paths that begin with it.
  const beginnings = closed.map((path) => path.replace(/\/:\w+[?*]$/, "").replace(/:.*/, ""));
  // Their number is unlimited, and nothing links to them: docs/decisions/002.
  const unlimited = [
    "search=",
    "tags%5B",
    "tags[",
    "min_rating=",
    "availability=",
    "characteristics",
  ].map((parameter) => `/products?*${parameter}`);
  const disallow = ["/api/", ...beginnings, ...unlimited];
  return {
    rules: { userAgent: "*", allow: ["/", "/api/docs"], disallow },
    sitemap: `${siteUrl()}/sitemap.xml`,
  };
}
