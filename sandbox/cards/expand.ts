import { invalidParam } from "@/sandbox/cards/api-error";
import type { Transaction } from "@/sandbox/cards/store";

const MAX_DEPTH = 4;

type Related = { id: string } | object | null;

/** Expandable properties by object type, and how each id is resolved. */
const RELATIONS: Readonly<
  Record<string, Record<string, (tx: Transaction, owner: { id: string }, id: string) => Related>>
> = {
  payment_intent: {
    latest_charge: (tx, _owner, id) => tx.get("charges", id) ?? null,
    payment_method: (tx, _owner, id) => tx.get("paymentMethods", id)?.object ?? null,
  },
  charge: {
    payment_intent: (tx, _owner, id) => tx.get("paymentIntents", id) ?? null,
    refunds: (tx, owner) => ({
      object: "list",
      data: tx
        .list("refunds")
        .filter((refund) => refund.charge === owner.id)
        .reverse(),
      has_more: false,
      url: `/v1/charges/${owner.id}/refunds`,
    }),
  },
  refund: {
    charge: (tx, _owner, id) => tx.get("charges", id) ?? null,
    payment_intent: (tx, _owner, id) => tx.get("paymentIntents", id) ?? null,
    payment_method: (tx, _owner, id) => tx.get("paymentMethods", id)?.object ?? null,
  },
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** A copy of the object with the relation at this path expanded. */
function expandOne({
  tx,
  value,
  path,
  fullPath,
}: {
  tx: Transaction;
  value: unknown;
  path: readonly string[];
  fullPath: string;
}): unknown {
  const [name, ...rest] = path;
  if (name === undefined || value === null) return value;
  if (Array.isArray(value))
    return value.map((item) => expandOne({ tx, value: item, path, fullPath }));
  if (!isObject(value)) return value;
  const inner = (next: unknown) => ({
    ...value,
    [name]: expandOne({ tx, value: next, path: rest, fullPath }),
  });
  if (value.object === "list" && name === "data") return inner(value.data);
  const relation = RELATIONS[String(value.object)]?.[name];
  if (!relation)
    throw invalidParam({
      message: `Cette propriété ne peut pas être développée (${fullPath}).`,
      param: "expand",
    });
  const current = value[name];
  if (current === null) return value;
  const related = isObject(current)
    ? current
    : relation(tx, { id: String(value.id) }, String(current));
  return inner(related);
}

/**
 * @param paths as in Stripe's `expand`: "latest_charge", "data.latest_charge.refunds"
 * @throws ApiError (400) for a property that cannot be expanded
 */
export function expand({
  tx,
  value,
  paths,
}: {
  tx: Transaction;
  value: unknown;
  paths: readonly string[];
}): unknown {
  let expanded = value;
  for (const fullPath of paths) {
    const path = fullPath.split(".");
    if (path.length > MAX_DEPTH)
      throw invalidParam({
        message: `On peut développer ${MAX_DEPTH} niveaux au plus (${fullPath}).`,
        param: "expand",
      });
    expanded = expandOne({ tx, value: expanded, path, fullPath });
  }
  return expanded;
}
