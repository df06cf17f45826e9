import { answerSitemap } from "@/lib/seo/sitemap";

// GET /sitemap.xml – the sitemap's index; ?part= one of its parts (docs/decisions: sitemap)
export async function GET(request: Request): Promise<Response> {
  return answerSitemap(request);
}
