/** The audited kinds of objects, by their names in the API. */
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
  "Refund",
  "Seller",
  "ShippingMethod",
  "Withdrawal",
] as const;

export type Entity = (typeof ENTITIES)[number];

/** The JSON of an object at one moment. */
export type Snapshot = Readonly<Record<string, unknown>>;

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** Fields that change with every save. */
const IGNORED_FIELDS = new Set(["version", "updatedAt"]);

/** The fields that differ between two states; null for an object that does not exist. */
export function changesBetween({
  before,
  after,
}: {
  before: Snapshot | null;
  after: Snapshot | null;
}): Change[] {
  const fields = new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})]);
  return [...fields]
    .filter((field) => !IGNORED_FIELDS.has(field))
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
