import { answerFeed } from "@/lib/seo/feed";

// GET /feed.xml – all products on sale, for merchant centres
export async function GET(request: Request): Promise<Response> {
  return answerFeed(request);
}

export const HEAD = GET;
