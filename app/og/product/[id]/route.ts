import { answerProductPicture } from "@/lib/seo/share-pictures";

type Context = { params: Promise<{ id: string }> };

// GET /og/product/{id} – the picture that social networks show for a product, 1200 × 630 JPEG
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answerProductPicture({ request, id: (await params).id });
}
