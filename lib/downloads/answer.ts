import type { NextRequest } from "next/server";
import type { z } from "zod";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { parseRange } from "@/lib/downloads/range";
import type { downloadParams, downloadQuery } from "@/lib/downloads/schemas";
import { findSoldFile, type SoldFile } from "@/lib/downloads/storage";
import { fail } from "@/lib/errors";
import { parseId } from "@/lib/http/ids";
import { isSigned, storedFileName } from "@/lib/orders/download-link";
import { getBoughtFile } from "@/lib/orders/queries";

const UNKNOWN = "Ce lien de téléchargement n'est pas valable.";
const EXPIRED =
  "Ce lien de téléchargement a expiré. Ouvrez votre commande pour en obtenir un nouveau.";
const MISSING = "Ce fichier n'est pas disponible pour le moment. Contactez-nous.";

/** Where browsers are led, since these texts are no page; that one says it, too. */
const PAGES = {
  expired: { path: "/orders?lien=expire", refusal: fail.conflict(EXPIRED) },
  missing: { path: "/orders?lien=indisponible", refusal: fail.notFound(MISSING) },
};

/**
 * The answer to GET /downloads/{line}/{file}: the file, to whom the link was made for. The link is
 * all it takes, since a browser that follows one sends no token; whoever is known to be somebody
 * else by token or cookie is refused.
 *
 * @throws 404 for a link that was not signed, or no longer opens anything; 409 where it has expired
 */
export async function answerDownload({
  user,
  params,
  query,
  request,
}: {
  user: { id: number } | null;
  params: z.output<typeof downloadParams>;
  query: z.output<typeof downloadQuery>;
  request: Request;
}): Promise<Response> {
  const claim = {
    lineId: params.line,
    userId: parseId(query.user) ?? 0,
    expires: /^\d{1,12}$/.test(query.expires) ? Number(query.expires) : 0,
  };
  const bought = await getBoughtFile(claim);
  const { signature } = query;
  if (!bought || !isSigned({ claim, sessionVersion: bought.sessionVersion, signature }))
    throw fail.notFound(UNKNOWN);
  const visitorId = user?.id ?? (await readSessionCookie(request as NextRequest))?.userId;
  if (visitorId !== undefined && visitorId !== claim.userId) throw fail.notFound(UNKNOWN);
  if (claim.expires * 1000 <= Date.now()) return refuse("expired", request);

  const name = bought.link && storedFileName(bought.link);
  const file = name ? await findSoldFile(name) : null;
  if (!file) return refuse("missing", request);
  return send({ file, request });
}

function refuse(reason: keyof typeof PAGES, request: Request): Response {
  const { path, refusal } = PAGES[reason];
  if (!request.headers.get("accept")?.includes("text/html")) throw refusal;
  return new Response(null, { status: 303, headers: { Location: path } });
}

function send({ file, request }: { file: SoldFile; request: Request }): Response {
  const etag = `"${file.size.toString(36)}-${file.modifiedAt.getTime().toString(36)}"`;
  const headers = {
    "Content-Type": file.contentType,
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    "Accept-Ranges": "bytes",
    ETag: etag,
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
  // A download that goes on has to go on with the same file.
  const condition = request.headers.get("if-range");
  const range =
    condition === null || condition === etag
      ? parseRange(request.headers.get("range"), file.size)
      : null;
  if (range === "unsatisfiable")
    return new Response(null, {
      status: 416,
      headers: { ...headers, "Content-Range": `bytes */${file.size}` },
    });
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  return new Response(file.size === 0 ? null : file.stream({ start, end }), {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      ...(range && { "Content-Range": `bytes ${start}-${end}/${file.size}` }),
    },
  });
}
