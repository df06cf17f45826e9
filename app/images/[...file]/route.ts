import { answerImage } from "@/lib/uploads/answer";

type Context = { params: Promise<{ file: string[] }> };

// GET /images/{file} – an uploaded picture; Next.js looks into public/images first
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answerImage({ request, file: (await params).file });
}

// HEAD /images/{file} – the same headers without the picture
export const HEAD = GET;
