import { answerDownload } from "@/lib/downloads/answer";
import { downloadParams, downloadQuery } from "@/lib/downloads/schemas";
import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /downloads/{line}/{file} – a bought file, by the download link in its buyer's order
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "optional",
    summary: "Télécharger un fichier acheté",
    params: downloadParams,
    query: downloadQuery,
    refusals: [409, 503],
    run: answerDownload,
    reply: file({ contentType: "application/octet-stream", description: "Le fichier" }),
  }),
});
