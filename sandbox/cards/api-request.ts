import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { ApiError } from "@/sandbox/cards/api-error";
import type { IdempotentRequest } from "@/sandbox/cards/idempotency";
import { findRoute, type Route } from "@/sandbox/cards/routes";

/** A request that has been parsed and authorized. */
export interface ApiRequest {
  route: Route;
  /** The id in the path; empty for a path without an id. */
  id: string;
  form: URLSearchParams;
  isShop: boolean;
  /** null without an idempotency key. */
  idempotent: IdempotentRequest | null;
}

/** @throws ApiError 404 for an unknown path or method, 401 for a missing secret key */
export async function readApiRequest(request: IncomingMessage, url: URL): Promise<ApiRequest> {
  const { method = "", headers } = request;
  const path = url.pathname;
  const body = new URLSearchParams(await text(request));
  const form = new URLSearchParams([...url.searchParams, ...body]);
  const found = findRoute(method, path);
  if (!found)
    throw new ApiError({ status: 404, message: `Adresse inconnue (${method}: ${path}).` });
  // A browser must never have the secret key: an Origin header makes the key invalid.
  const isShop =
    /^Bearer sk_test_\w+$/.test(headers.authorization ?? "") && headers.origin === undefined;
  if (!isShop && !found.route.isForBuyers)
    throw new ApiError({
      status: 401,
      message: "Cet appel demande une clé secrète de test (sk_test_…), hors d'un navigateur.",
    });
  const key = headers["idempotency-key"];
  const idempotent = method === "POST" && typeof key === "string" ? { key, path, form } : null;
  return { ...found, form, isShop, idempotent };
}
