import { createHash } from "node:crypto";
import { ApiError, invalidParam } from "@/sandbox/cards/api-error";
import { canonicalForm, type FormHash } from "@/sandbox/cards/form";
import type { StoredAnswer } from "@/sandbox/cards/records";
import { ANSWER_LIFE_MS, type Store, type Transaction } from "@/sandbox/cards/store";

const MAX_KEY = 255;

/** A request that carries an idempotency key. */
export interface KeyedRequest {
  key: string;
  path: string;
  fingerprint: string;
}

/** null for a request without a key, or of a kind that needs none. */
export function keyedRequest({
  header,
  method,
  path,
  form,
}: {
  header: string | undefined;
  method: string;
  path: string;
  form: FormHash;
}): KeyedRequest | null {
  if (method !== "POST" || !header) return null;
  if (header.length > MAX_KEY)
    throw invalidParam({ message: `Une clé d'idempotence a ${MAX_KEY} caractères au plus.` });
  // A digest: card data is not kept.
  const fingerprint = createHash("sha256").update(canonicalForm(form)).digest("base64url");
  return { key: header, path, fingerprint };
}

/** Remembers what requests were answered, so that the same request again gets the same answer. */
export class Idempotency {
  private readonly inProgress = new Set<string>();

  constructor(private readonly store: Store) {}

  /**
   * Reserves the key for one request. Call `release` when its work is done.
   *
   * @returns the answer of an earlier request with this key
   * @throws ApiError 409 while another request with this key is at work, 400 where the key was
   *   used for something else
   */
  reserve(request: KeyedRequest): StoredAnswer | undefined {
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
    const isFresh = answer !== undefined && answer.savedAt > Date.now() - ANSWER_LIFE_MS;
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

  release({ key }: KeyedRequest): void {
    this.inProgress.delete(key);
  }
}

/** Keeps an answer together with what the request has done. */
export function remember({
  tx,
  request,
  status,
  body,
  requestId,
}: {
  tx: Transaction;
  request: KeyedRequest;
  status: number;
  body: string;
  requestId: string;
}): void {
  const { key: id, path, fingerprint } = request;
  tx.put("answers", { id, path, fingerprint, status, body, requestId, savedAt: Date.now() });
}
