import { z } from "zod";
import { fileUpload } from "@/lib/http/api/body";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { storePicture } from "@/lib/uploads/mutations";
import { UPLOAD_LIMIT } from "@/lib/uploads/rules";

// POST /api/upload – stores a picture
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "admin",
    summary: "Envoyer une image",
    description: "JPG, PNG, GIF ou WEBP, d'après son contenu ; 8 Mo au plus.",
    rateLimit: { name: "upload", points: 600, duration: 3600 },
    body: fileUpload({ field: "file", limit: UPLOAD_LIMIT, description: "L'image" }),
    run: ({ body }) => storePicture(body),
    reply: json(z.object({ url: z.string().describe("Son adresse, /images/…") }), { status: 201 }),
  }),
});
