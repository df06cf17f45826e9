import { answerSitePicture } from "@/lib/seo/share-pictures";

// GET /og/site – the picture that social networks show for all other pages, 1200 × 630 JPEG
export async function GET(request: Request): Promise<Response> {
  return answerSitePicture(request);
}
