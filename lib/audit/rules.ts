/** What staff change, under the API's names. */
export const ENTITIES = [
  "Product",
  "Category",
  "Tag",
  "Address",
  "User",
  "Review",
  "Cart",
  "Order",
  "Invoice",
  "Seller",
] as const;

export type Entity = (typeof ENTITIES)[number];

/** An object as the API shows it, at one moment. */
export type Snapshot = Readonly<Record<string, unknown>>;

/** What became of one field. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** Say nothing to a reader: they change with everything else. */
const PASSED_OVER = new Set(["version", "updatedAt"]);

/** The fields that differ between two states; null is an object that is not there. */
export function changesBetween({
  before,
  after,
}: {
  before: Snapshot | null;
  after: Snapshot | null;
}): Change[] {
  const fields = new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})]);
  return [...fields]
    .filter((field) => !PASSED_OVER.has(field))
    .map((field) => ({
      field,
      before: before?.[field] ?? null,
      after: after?.[field] ?? null,
    }))
    .filter((change) => !isSame(change.before, change.after));
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  return [...keys].every((key) => isSame(left?.[key], right?.[key]));
}
