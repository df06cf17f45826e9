import type { ApiError } from "@/lib/api-error";
import type { Change } from "@/lib/audit/rules";
import { formatDateTime } from "@/lib/dates";
import { centsFromEuros, eurosFromCents, formatEuros, MAX_CENTS } from "@/lib/money";
import { REQUIRED } from "@/lib/text/texts";
import {
  amountTooLarge,
  CHOICE_LABELS,
  FIELD_LABELS,
  NEGATIVE_AMOUNT,
  WRONG_AMOUNT,
} from "./texts";

// The messages of a failed save, and the comparison of two versions of an object. Pure functions.

/** An error of a form; `field` is set if it concerns one field. */
export interface Problem {
  field?: string;
  message: string;
}

/** Short messages that are shown beside their field; other messages are listed below the form. */
const BESIDE_FIELD: ReadonlySet<string> = new Set([
  REQUIRED,
  WRONG_AMOUNT,
  NEGATIVE_AMOUNT,
  amountTooLarge(MAX_CENTS),
]);

export const isBesideField = (message: string) => BESIDE_FIELD.has(message);

type Refusal = Pick<ApiError, "status" | "body" | "violations">;

/**
 * The messages of a failed save. The first of these that exists is used: the response's field `error` (on
 * screens with `hasError`), the violations, `hydra:description`, the screen's message. A server error or a
 * lost connection gives the screen's message.
 */
export function problemsOfSave({
  error,
  fallback,
  hasError = false,
}: {
  error: Refusal;
  fallback: string;
  hasError?: boolean;
}): Problem[] {
  const { status, violations } = error;
  const body = bodyOf(error);
  if (status === 0 || status >= 500) return [{ message: fallback }];
  const description = textOf(body["hydra:description"]);
  const own = textOf(body.error);
  // The shop's own responses repeat the description in `error`: prefer the violations then.
  if (hasError && own && own !== description) return [{ message: own }];
  if (violations.length > 0)
    return violations.map(({ propertyPath, message }) => ({
      message,
      ...(propertyPath && { field: propertyPath }),
    }));
  return [{ message: description || fallback }];
}

/** The stored object in a 409 response, which refuses a save because somebody else changed the object. */
export function currentOf<Row>({ status, body }: Refusal): Row | null {
  const { current } = bodyOf({ body });
  return status === 409 && typeof current === "object" && current !== null
    ? (current as Row)
    : null;
}

const bodyOf = ({ body }: Pick<Refusal, "body">) =>
  (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Fields with an amount in euros, as a number or as typed text. */
const AMOUNTS: ReadonlySet<string> = new Set([
  "amount",
  "deduction",
  "freeFrom",
  "price",
  "refundedTotal",
  "shipping",
  "shippingTotal",
  "total",
  "totalAmount",
]);

/** The amounts in euros that the API accepts, for number fields. */
export const AMOUNT_RANGE = { min: 0, max: eurosFromCents(MAX_CENTS), step: 0.01 } as const;

/** Shows how an amount is parsed: a browser in another language may ignore the comma. */
export function amountHint(typed: string): string | undefined {
  const cents = typed === "" ? null : centsFromEuros(typed);
  return cents === null ? undefined : `Soit ${formatEuros(cents)}`;
}

/** Shown for an empty value. */
const NOTHING = "–";

/** Fields whose values are API constants. */
const CHOICES: ReadonlySet<string> = new Set(["status", "state", "type", "productType", "zones"]);

/** An instant in the API's format. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A field's value as readable text: options by their label, lists item by item. */
export function describeValue(value: unknown, field = ""): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (typeof value === "boolean") return value ? "Oui" : "Non";
  if (Array.isArray(value))
    return value.length === 0
      ? NOTHING
      : value.map((item) => describeValue(item, field)).join(", ");
  if (typeof value !== "object") {
    const text = String(value);
    const cents = AMOUNTS.has(field) ? centsFromEuros(text) : null;
    if (cents !== null) return formatEuros(cents);
    if (CHOICES.has(field)) return CHOICE_LABELS[text] ?? text;
    if (MOMENT.test(text)) return formatDateTime(text);
    if (typeof value !== "number") return text;
    return text.replace(".", ",") + (field === "vatRate" ? "\u00a0%" : "");
  }
  if ("label" in value) return String(value.label);
  if ("carrier" in value && "shippedAt" in value) return describeParcel(value);
  if ("number" in value) return describeValue(value.number);
  if ("product" in value && "quantity" in value)
    return `${describeValue(value.product)} × ${value.quantity}`;
  if ("name" in value && "quantity" in value) return `${value.name} × ${value.quantity}`;
  if ("url" in value && "alt" in value)
    return value.alt ? `${value.url} (${value.alt})` : String(value.url);
  if ("maxWeight" in value && "price" in value)
    return `${describeValue(value.maxWeight)} g\u00a0: ${describeValue(value.price, "price")}`;
  if ("name" in value && "value" in value) return `${value.name}\u00a0: ${value.value}`;
  if ("name" in value && "lastname" in value) return `${value.name} ${value.lastname}`;
  if ("id" in value && "name" in value) return String(value.name);
  const named = Object.entries(value);
  // The names of characteristics are typed by admins: show them as they are.
  if (field === "characteristics")
    return named.map(([name, text]) => `${name}\u00a0: ${text}`).join(", ") || NOTHING;
  const parts = named
    .filter(([key]) => !/^(key|id|version|@.*)$/.test(key))
    .map(([key, part]) => `${FIELD_LABELS[key] ?? key}\u00a0: ${describeValue(part, key)}`);
  return parts.join(", ") || NOTHING;
}

interface Parcel {
  carrier: unknown;
  trackingNumber?: unknown;
  shippedAt: unknown;
  deliveredAt?: unknown;
  items?: unknown;
}

/** "Colissimo 8R1 (Lampe × 2), expédié le 27/11/2026 à 00:31". */
const describeParcel = ({ carrier, trackingNumber, shippedAt, deliveredAt, items }: Parcel) =>
  [
    `${[carrier, trackingNumber].filter(Boolean).join(" ")} (${describeValue(items)})`,
    `expédié le ${describeValue(shippedAt)}`,
    ...(deliveredAt ? [`livré le ${describeValue(deliveredAt)}`] : []),
  ].join(", ");

/** Fields that are derived from others, or are internal ids. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  "availability",
  "categoryId",
  "correctedAt",
  "id",
  "invoiceId",
  "isRefundable",
  "isDisputed",
]);

/** The changes of a history entry as readable text; `before` is null if there was no value. */
export function describeChanges({
  changes,
  labels,
}: {
  changes: readonly Change[];
  /** The form's labels by field. */
  labels: Readonly<Record<string, string>>;
}): { field: string; label: string; before: string | null; after: string }[] {
  return changes
    .filter(({ field }) => !NOT_SHOWN.has(field))
    .map(({ field, before, after }) => ({
      field,
      label: labels[field] ?? FIELD_LABELS[field] ?? field,
      before: describeValue(before, field),
      after: describeValue(after, field),
    }))
    .filter(({ before, after }) => before !== after)
    .map((change) => ({ ...change, before: change.before === NOTHING ? null : change.before }));
}

/**
 * The fields in which two versions of a form differ, as readable text. The value of a secret field is not
 * shown, only that it differs.
 */
export function differencesOf({
  mine,
  theirs,
  labels,
  secretFields = [],
}: {
  mine: object;
  theirs: object;
  /** The form's labels by field. */
  labels: Readonly<Record<string, string>>;
  secretFields?: readonly string[];
}): { field: string; label: string; mine: string; theirs: string }[] {
  const value = (version: object, field: string) =>
    describeValue((version as Record<string, unknown>)[field], field);
  return Object.entries(labels).flatMap(([field, label]) => {
    const both = { mine: value(mine, field), theirs: value(theirs, field) };
    if (both.mine === both.theirs) return [];
    const isHidden = secretFields.includes(field) && both.mine !== NOTHING;
    return [{ field, label, ...both, ...(isHidden && { mine: "modifié" }) }];
  });
}
