import { z } from "zod";
import { fail } from "@/lib/errors/failure";
import { frenchIssue, rejectValue } from "@/lib/http/api/french-issues";
import { parseIri } from "@/lib/http/api/ids";
import { centsOfQuery } from "@/lib/money";
import { isDecodable } from "@/lib/text/percent-encoding";

/** The raw query string as the schema's fields see it. */
export interface RawQuery {
  /**
   * Last value per field; all values for list fields; for a field of named lists, the lists by their names. Empty values
   * count as not sent.
   */
  values: Record<string, string | string[] | Record<string, string[]>>;
  /** The fields that were sent, `page` aside, in the schema's order and freshly encoded. */
  filters: string;
  page: string | undefined;
}

export const NO_QUERY: RawQuery = Object.freeze({ values: {}, filters: "", page: undefined });

interface QueryField {
  name: string;
  isList: boolean;
  /** Lists by name: `characteristics[Matière][]=Bois`. */
  isNamedLists: boolean;
  /** The property that a Hydra client should know the filter by (`price` for `min_price`). */
  property: string | undefined;
}

/** A query schema, prepared once per route so that a request costs one pass over its text. */
export interface QueryReader {
  read(search: string): RawQuery;
  fields: readonly QueryField[];
}

export function queryReader(schema: z.ZodObject): QueryReader {
  const fields = Object.entries(schema.shape).map(([name, field]) => ({
    name,
    isList: typeOf(field) === "array",
    isNamedLists: typeOf(field) === "record",
    property: propertyOf(field),
  }));
  const byName = new Map(fields.map((field) => [field.name, field]));
  return { fields, read: (search) => readQuery(search, byName) };
}

function readQuery(search: string, fields: ReadonlyMap<string, QueryField>): RawQuery {
  if (search.length <= 1) return NO_QUERY;
  if (!isDecodable(search)) throw fail.badRequest("L'adresse demandée est mal encodée.");
  const values: RawQuery["values"] = {};
  for (const [key, value] of new URLSearchParams(search)) {
    // The name of a field may itself have brackets: `order[name]`.
    const parts = fields.has(key) ? null : /^([^[]*)(\[.*\])$/s.exec(key);
    const [, name = key, brackets = ""] = parts ?? [];
    const field = fields.get(name);
    if (!field) continue;
    const list = field.isNamedLists ? /^\[(.+?)\](?:\[\d*\])?$/s.exec(brackets)?.[1] : undefined;
    const isItem = field.isList && /^\[\d*\]$/.test(brackets);
    if (brackets && !isItem && list === undefined)
      throw refuseParameter(name, "une seule valeur est attendue.");
    if (value === "") continue;
    if (`${list}${value}`.includes("\0")) throw refuseParameter(name, "caractère interdit.");
    if (field.isNamedLists && list === undefined)
      throw refuseParameter(name, `« ${name}[Nom][] » est attendu.`);
    if (list !== undefined) {
      // Without a prototype: a name may be `__proto__`.
      values[name] ??= Object.create(null) as Record<string, string[]>;
      append(values[name] as Record<string, string[]>, list, value);
    } else if (field.isList) append(values as Record<string, string[]>, name, value);
    else values[name] = value;
  }
  return { values, filters: filtersOf(fields, values), page: values.page as string | undefined };
}

function append(lists: Record<string, string[]>, name: string, value: string): void {
  const list = lists[name];
  if (list) list.push(value);
  else lists[name] = [value];
}

function filtersOf(fields: ReadonlyMap<string, QueryField>, values: RawQuery["values"]): string {
  return [...fields.values()]
    .filter(({ name }) => name !== "page")
    .flatMap(({ name }) => {
      const sent = values[name] ?? [];
      if (typeof sent === "string") return encodePair(name, sent);
      if (Array.isArray(sent)) return sent.map((value) => encodePair(`${name}[]`, value));
      return Object.entries(sent).flatMap(([list, items]) =>
        items.map((value) => encodePair(`${name}[${list}][]`, value)),
      );
    })
    .join("&");
}

const encodePair = (key: string, value: string) =>
  `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;

function refuseParameter(name: string, text: string) {
  const reason = text.charAt(0).toLowerCase() + text.slice(1);
  return fail.badRequest(`Le paramètre « ${name} » n'est pas valable : ${reason}`);
}

/** A schema, with those that it consists of without `optional`, `default` and what it becomes. */
function layersOf(field: z.core.$ZodType): z.core.$ZodType[] {
  type Parts = Partial<Record<"innerType" | "in", z.core.$ZodType>>;
  const { innerType, in: source } = field._zod.def as Parts;
  const inner = innerType ?? source;
  return inner ? [field, ...layersOf(inner)] : [field];
}

/** "array", "record", "string" … */
const typeOf = (field: z.core.$ZodType) => layersOf(field).at(-1)?._zod.def.type;

const propertyOf = (field: z.core.$ZodType) =>
  layersOf(field)
    .map((layer) => z.globalRegistry.get(layer)?.property)
    .find((property) => typeof property === "string");

// --- Building blocks for query schemas. All take text and are optional. ---

interface NumberRange {
  min: number;
  max: number;
  description: string;
}

/** A whole number between `min` and `max`. */
export const queryInt = (range: NumberRange) =>
  queryRange("integer", /^-?\d{1,15}$/, "un nombre entier", range);

/** A number between `min` and `max`, with a decimal point or comma. */
export const queryNumber = (range: NumberRange) =>
  queryRange("number", /^\d{1,9}(?:[.,]\d{1,9})?$/, "un nombre", range);

function queryRange(
  type: "integer" | "number",
  form: RegExp,
  noun: string,
  { min, max, description }: NumberRange,
) {
  return z
    .string()
    .transform((text, context) => {
      const value = form.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
      if (value >= min && value <= max) return value;
      return rejectValue(context, text, `${noun} de ${min} à ${max} est attendu.`);
    })
    .meta({ type, minimum: min, maximum: max, description });
}

/** A price in euros (`12`, `12.5`, `12,50`); gives integer cents. More than can be is the most. */
export function queryPrice({ description }: { description: string }) {
  return z
    .string()
    .transform(
      (text, context) =>
        centsOfQuery(text) ??
        rejectValue(context, text, "un prix en euros, de 0 ou plus, est attendu."),
    )
    .meta({ type: "number", minimum: 0, description });
}

/** Characters of a search text that count. */
const MAX_SEARCH_LENGTH = 200;
/** A cut text may end with half of a surrogate pair. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** A search text without NUL (PostgreSQL has none), trimmed, and cut (not refused) where it is long. */
export function querySearch({ description }: { description: string }) {
  return z
    .string()
    .refine((text) => !text.includes("\0"), { error: "caractère interdit." })
    .transform((text) => text.trim().slice(0, MAX_SEARCH_LENGTH).replace(HALF_CHARACTER, ""))
    .meta({
      type: "string",
      description: `${description} (au plus ${MAX_SEARCH_LENGTH} caractères comptent)`,
    });
}

/** One of some words, or by what each word means; those in small letters may be sent in capitals. */
export function queryChoice<const T>(
  choices: readonly (T & string)[] | Readonly<Record<string, T>>,
  { description }: { description: string },
) {
  const meanings = new Map<string, T>(
    Array.isArray(choices) ? choices.map((word) => [word, word]) : Object.entries(choices),
  );
  const words = [...meanings.keys()];
  return z
    .string()
    .transform((text, context): T => {
      const meaning = meanings.get(text) ?? meanings.get(text.toLowerCase());
      if (meaning !== undefined) return meaning;
      return rejectValue(context, text, `valeurs permises : ${words.join(", ")}.`);
    })
    .meta({ type: "string", enum: words, description });
}

/** An id, or the IRI of an item below `/api/{path}`. One that cannot exist is 400. */
export function queryId(path: string, { description }: { description: string }) {
  return z
    .string()
    .transform(
      (text, context) =>
        parseIri(text, path) ?? rejectValue(context, text, "un identifiant est attendu."),
    )
    .meta({ type: "string", examples: ["7", `/api/${path}/7`], description });
}

/** Parses what `readQuery` read; throws the 400. */
export function parseQuery<S extends z.ZodObject>(schema: S, raw: RawQuery): z.output<S> {
  const result = schema.safeParse(raw.values, { error: frenchIssue });
  const issue = result.error?.issues[0];
  // 400 for the first parameter that the schema refuses.
  if (!result.success) throw refuseParameter(String(issue?.path[0] ?? ""), issue?.message ?? "");
  const { page, itemsPerPage } = result.data as { page?: number; itemsPerPage?: number };
  // As API Platform does: pages without members would follow each other without end.
  if (itemsPerPage === 0 && page !== undefined && page > 1)
    throw refuseParameter("page", "avec « itemsPerPage » à 0 il n'y a que la page 1.");
  return result.data;
}
