import { createHash } from "node:crypto";
import { ApiError, invalidParam } from "@/sandbox/cards/api-error";
import type { StoredResponse } from "@/sandbox/cards/records";
import { IDEMPOTENCY_KEY_TTL_MS, type Store, type Transaction } from "@/sandbox/cards/store";

const MAX_KEY = 255;

/** A request that carries an idempotency key. */
export interface IdempotentRequest {
  key: string;
  path: string;
  fingerprint: string;
}

/** null for a request without a key, or with a method other than POST. */
export function readIdempotentRequest({
  header,
  method,
  path,
  form,
}: {
  header: string | undefined;
  method: string;
  path: string;
  form: URLSearchParams;
}): IdempotentRequest | null {
  if (method !== "POST" || !header) return null;
  if (header.length > MAX_KEY)
    throw invalidParam({ message: `Une clé d'idempotence a ${MAX_KEY} caractères au plus.` });
  // A digest, so that card data is not stored.
  const sorted = JSON.stringify([...form].sort());
  const fingerprint = createHash("sha256").update(sorted).digest("base64url");
  return { key: header, path, fingerprint };
}

/** Replays the response of an earlier request with the same idempotency key. */
export class Idempotency {
  private readonly inProgress = new Set<string>();

  constructor(private readonly store: Store) {}

  /**
   * Locks the key for this request. Call `release` after its execution.
   *
   * @returns the response of an earlier request with this key
   * @throws ApiError 409 while another request with this key is in progress, 400 where the key was
   *   used with another path or other parameters
   */
  reserve(request: IdempotentRequest): StoredResponse | undefined {
    const { key, path, fingerprint } = request;
    if (this.inProgress.has(key))
      throw new ApiError({
        status: 409,
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: `Une autre requête avec cette clé d'idempotence est en cours : ${key}. Réessayez plus tard.`,
        headers: { "Stripe-Should-Retry": "true" },
      });
    const answer = this.store.read((tx) => tx.get("answers", key));
    const isFresh = answer !== undefined && answer.savedAt > Date.now() - IDEMPOTENCY_KEY_TTL_MS;
    if (isFresh && answer.path !== path)
      throw new ApiError({
        status: 400,
        type: "idempotency_error",
        message: `Cette clé d'idempotence a servi pour une autre adresse ('${answer.path}') : ${key}. Prenez-en une autre.`,
      });
    if (isFresh && answer.fingerprint !== fingerprint)
      throw new ApiError({
        status: 400,
        type: "idempotency_error",
        message: `Cette clé d'idempotence a servi avec d'autres paramètres : ${key}. Prenez-en une autre.`,
      });
    this.inProgress.add(key);
    return isFresh ? answer : undefined;
  }

  release({ key }: IdempotentRequest): void {
    this.inProgress.delete(key);
  }
}

/** Saves the response in the transaction of the request's effects. */
export function saveResponse({
  tx,
  request,
  status,
  body,
  requestId,
}: {
  tx: Transaction;
  request: IdempotentRequest;
  status: number;
  body: string;
  requestId: string;
}): void {
  const { key: id, path, fingerprint } = request;
  tx.put("answers", { id, path, fingerprint, status, body, requestId, savedAt: Date.now() });
}
