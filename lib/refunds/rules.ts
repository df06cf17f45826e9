import { createHash } from "node:crypto";
import type { RefundInput } from "./schemas";

/** The requested pieces per line: repeated lines are added up. */
export function piecesByLine(items: RefundInput["items"]): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const { item, quantity } of items) pieces.set(item, (pieces.get(item) ?? 0) + quantity);
  return pieces;
}

/** A digest of a request. The order of the items does not matter. */
export function digestOf({ items, ...rest }: RefundInput): string {
  const content = [...piecesByLine(items)].sort(([a], [b]) => a - b);
  return createHash("sha256")
    .update(JSON.stringify([content, rest]))
    .digest("base64url");
}

/**
 * The idempotency key of a refund at the provider. All attempts use the same key, until the provider answers
 * with a failure that it would repeat for this key.
 *
 * @param refused digest of the last such failure
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
  // Other shops may use the same account; their payments have other ids.
  return ["refund", paymentIntentId, id, ...(refused === null ? [] : [refused])].join(":");
}
