import { createHash } from "node:crypto";
import { ApiError } from "@/sandbox/cards/api-error";
import type { Reply } from "@/sandbox/cards/http";
import type { StoredResponse } from "@/sandbox/cards/records";
import { isKept, type Store } from "@/sandbox/cards/store";

/** A request that carries an idempotency key. */
export interface IdempotentRequest {
  key: string;
  path: string;
  form: URLSearchParams;
}

/** A digest, so that card data is not stored. */
function fingerprintOf({ form }: IdempotentRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([...form].sort()))
    .digest("base64url");
}

/**
 * The response of an earlier request with this key.
 *
 * @throws ApiError 400 if the key was used with another path or other parameters
 */
export function findResponse(store: Store, request: IdempotentRequest): StoredResponse | undefined {
  const { key, path } = request;
  const saved = store.get("answers", key);
  if (!saved || !isKept(saved)) return undefined;
  if (saved.path === path && saved.fingerprint === fingerprintOf(request)) return saved;
  throw new ApiError({
    type: "idempotency_error",
    message: `Cette clé d'idempotence a servi pour une autre requête : ${key}. Prenez-en une autre.`,
  });
}

/** Call it in the transaction of the request's effects. */
export function saveResponse(
  store: Store,
  { request, answer: { status, body } }: { request: IdempotentRequest; answer: Reply },
): void {
  const { key: id, path } = request;
  const fingerprint = fingerprintOf(request);
  store.put("answers", { id, path, fingerprint, status, body, savedAt: Date.now() });
}
