import { createHash } from "node:crypto";
import type { RefundInput } from "./schemas";

/** The pieces asked for, once per line. */
export function piecesOf(items: RefundInput["items"]): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const { item, quantity } of items) pieces.set(item, (pieces.get(item) ?? 0) + quantity);
  return pieces;
}

/** The same for the same request, in whatever order its items come. */
export function digestOf({ items, ...rest }: RefundInput): string {
  const content = [...piecesOf(items)].sort(([a], [b]) => a - b);
  return createHash("sha256")
    .update(JSON.stringify([content, rest]))
    .digest("base64url");
}

/**
 * The idempotency key of a refund at the provider: the same for every attempt, until the provider has
 * answered with a failure that it would repeat for this key.
 *
 * @param refused of the last such failure
 */
export function providerKey({
  id,
  paymentIntentId,
  refused,
}: {
  id: number;
  paymentIntentId: string;
  refused: string | null;
}): string {
  // Other shops may use the same account; they have payments of their own.
  return ["refund", paymentIntentId, id, ...(refused === null ? [] : [refused])].join(":");
}
