import type { NextRequest } from "next/server";
import type { z } from "zod";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { attachment } from "@/lib/downloads/disposition";
import { isSigned } from "@/lib/downloads/link";
import { parseRange } from "@/lib/downloads/range";
import type { downloadParams, downloadQuery } from "@/lib/downloads/schemas";
import { findSoldFile, type SoldFile } from "@/lib/downloads/storage";
import { fail } from "@/lib/errors/failure";
import { storedFileName } from "@/lib/files/sold-file";
import { parseId } from "@/lib/http/api/ids";
import { BODY_LENGTH } from "@/lib/http/headers";
import { log } from "@/lib/http/server/log";
import { getPurchasedFile } from "@/lib/orders/queries";
import { DOWNLOAD_FAILED } from "@/lib/orders/texts";

const UNKNOWN = "Ce lien de téléchargement n'est pas valable.";
const EXPIRED =
  "Ce lien de téléchargement a expiré. Ouvrez votre commande pour en obtenir un nouveau.";
const MISSING = "Ce fichier n'est pas disponible pour le moment. Contactez-nous.";

/** The pages that browsers are redirected to; they show their own sentence. */
const PAGES = {
  unknown: { path: "/orders?lien=expire", refusal: () => fail.notFound(UNKNOWN) },
  expired: { path: "/orders?lien=expire", refusal: () => fail.conflict(EXPIRED) },
  missing: { path: "/orders?lien=indisponible", refusal: () => fail.notFound(MISSING) },
  unavailable: { path: "/orders?lien=echec", refusal: () => fail.unavailable(DOWNLOAD_FAILED) },
};

/**
 * The response to GET /downloads/{line}/{file}: the file, for the user whom the link was signed for. The
 * signed URL is sufficient, since a browser that follows a link sends no token. A caller who is known by
 * token or cookie as another user is refused.
 *
 * @throws 404 for an invalid signature or a missing file; 409 for an expired link; 503 if the storage does
 *   not respond
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
  const bought = await getPurchasedFile(claim);
  const { signature } = query;
  if (!bought || !isSigned({ claim, sessionVersion: bought.sessionVersion, signature }))
    return refuse("unknown", request);
  const visitorId = user?.id ?? (await readSessionCookie(request as NextRequest))?.id;
  if (visitorId !== undefined && visitorId !== claim.userId) throw fail.notFound(UNKNOWN);
  if (claim.expires * 1000 <= Date.now()) return refuse("expired", request);

  const name = bought.link && storedFileName(bought.link);
  try {
    const file = name ? await findSoldFile(name) : null;
    if (file) return await send({ file, request });
  } catch (error) {
    // The client may have left.
    if (!request.signal.aborted) log.error({ err: error, name }, "sold file cannot be read");
    return refuse("unavailable", request);
  }
  log.error({ name, line: claim.lineId }, "sold file is missing");
  return refuse("missing", request);
}

function refuse(reason: keyof typeof PAGES, request: Request): Response {
  const { path, refusal } = PAGES[reason];
  if (!request.headers.get("accept")?.includes("text/html")) throw refusal();
  return new Response(null, { status: 303, headers: { Location: path } });
}

async function send({ file, request }: { file: SoldFile; request: Request }): Promise<Response> {
  const { size, etag, name, contentType } = file;
  const headers = {
    "Content-Type": contentType,
    "Content-Disposition": attachment(name),
    "Accept-Ranges": "bytes",
    ETag: etag,
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
  // A download is resumed only from the same version of the file.
  const condition = request.headers.get("if-range");
  const range =
    condition === null || condition === etag
      ? parseRange(request.headers.get("range"), size)
      : null;
  if (range === "unsatisfiable")
    return new Response(null, {
      status: 416,
      headers: { ...headers, "Content-Range": `bytes */${size}` },
    });
  const isEmpty = size === 0 || request.method === "HEAD";
  // Opened before the response begins, so that an error can still set the status.
  const body = isEmpty ? null : await file.open({ range, signal: request.signal });
  return new Response(body, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      [BODY_LENGTH]: String(range ? range.end - range.start + 1 : size),
      ...(range && { "Content-Range": `bytes ${range.start}-${range.end}/${size}` }),
    },
  });
}
