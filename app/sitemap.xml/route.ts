import { answerSitemap } from "@/lib/seo/sitemap";

// GET /sitemap.xml – the index of the sitemap, or with ?part= one of its parts
export async function GET(request: Request): Promise<Response> {
  return answerSitemap(request);
}
