import { z } from "zod";
import { fail } from "@/lib/errors/failure";
import { frenchIssue, rejectValue } from "@/lib/http/api/french-issues";
import { parseIri } from "@/lib/http/api/ids";
import { centsOfQuery } from "@/lib/money";

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
    isList: isList(field),
    isNamedLists: typeOf(field) === "record",
    property: propertyOf(field),
  }));
  const byName = new Map<string, QueryField>();
  for (const field of fields) {
    byName.set(field.name, field);
    if (field.isList) byName.set(`${field.name}[]`, field);
  }
  return { fields, read: (search) => readQuery(search, fields, byName) };
}

function readQuery(
  search: string,
  fields: QueryField[],
  byName: Map<string, QueryField>,
): RawQuery {
  if (search.length <= 1) return NO_QUERY;
  const values: Record<string, string | string[]> = {};
  for (const pair of search.slice(1).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const key = decode(equals === -1 ? pair : pair.slice(0, equals));
    const field = byName.get(key) ?? byName.get(key.replace(/\[\d*\]$/, "[]"));
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1));
    if (field === undefined) {
      const named = nameInBrackets(key);
      const lists = named && byName.get(named.field);
      if (lists?.isNamedLists) {
        if (value === "") continue;
        if (`${named?.name}${value}`.includes("\0"))
          throw refuseParameter(lists.name, "caractère interdit.");
        addNamed(values, lists.name, { name: named?.name ?? "", value });
        continue;
      }
      const scalar = byName.get(key.replace(/\[.*\]$/, ""));
      if (scalar) throw refuseParameter(scalar.name, "une seule valeur est attendue.");
      continue;
    }
    if (value === "") continue;
    if (value.includes("\0")) throw refuseParameter(field.name, "caractère interdit.");
    if (field.isNamedLists)
      throw refuseParameter(field.name, `« ${field.name}[Nom][] » est attendu.`);
    if (!field.isList) {
      values[field.name] = value;
      continue;
    }
    const list = values[field.name];
    if (Array.isArray(list)) list.push(value);
    else values[field.name] = [value];
  }
  const filters = fields
    .filter(({ name }) => name !== "page")
    .flatMap(({ name, isList }) => {
      const sent = values[name] ?? [];
      if (typeof sent === "string" || Array.isArray(sent))
        return [sent].flat().map((value) => encodePair(isList ? `${name}[]` : name, value));
      return Object.entries<string[]>(sent).flatMap(([key, list]) =>
        list.map((value) => encodePair(`${name}[${key}][]`, value)),
      );
    })
    .join("&");
  return { values, filters, page: values.page as string | undefined };
}

const encodePair = (key: string, value: string) =>
  `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;

/** The field and the name of `characteristics[Matière][]`; null for another parameter. */
export function nameInBrackets(key: string): { field: string; name: string } | null {
  const [, field, name] = /^(\w+)\[(.+?)\](?:\[\d*\])?$/s.exec(key) ?? [];
  return field === undefined || name === undefined ? null : { field, name };
}

function addNamed(
  values: RawQuery["values"],
  field: string,
  { name, value }: { name: string; value: string },
): void {
  // Without a prototype: a name may be `__proto__`.
  values[field] ??= Object.create(null) as Record<string, string[]>;
  const lists = values[field] as Record<string, string[]>;
  lists[name] = [...(lists[name] ?? []), value];
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw fail.badRequest("L'adresse demandée est mal encodée.");
  }
}

function refuseParameter(name: string, text: string) {
  return fail.badRequest(`Le paramètre « ${name} » n'est pas valable : ${lowerFirst(text)}`);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const isList = (field: z.core.$ZodType) => typeOf(field) === "array";

/** What a schema is without `optional`, `default` and what it becomes: "array", "record", "string" … */
function typeOf(field: z.core.$ZodType): string {
  const { innerType, in: source } = field._zod.def as {
    innerType?: z.core.$ZodType;
    in?: z.core.$ZodType;
  };
  const inner = innerType ?? source;
  return inner ? typeOf(inner) : field._zod.def.type;
}

function propertyOf(field: z.core.$ZodType): string | undefined {
  const property = z.globalRegistry.get(field)?.property;
  if (typeof property === "string") return property;
  const inner = (field._zod.def as { innerType?: z.core.$ZodType }).innerType;
  return inner ? propertyOf(inner) : undefined;
}

// --- Building blocks for query schemas. All take text and are optional. ---

/** A whole number between `min` and `max`. */
export function queryInt({
  min,
  max,
  description,
}: {
  min: number;
  max: number;
  description: string;
}) {
  return z
    .string()
    .transform((text, context) => {
      const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      return rejectValue(context, text, `un nombre entier de ${min} à ${max} est attendu.`);
    })
    .meta({ type: "integer", minimum: min, maximum: max, description });
}

/** A number between `min` and `max`, with a decimal point or comma. */
export function queryNumber({
  min,
  max,
  description,
}: {
  min: number;
  max: number;
  description: string;
}) {
  return z
    .string()
    .transform((text, context) => {
      const value = /^\d{1,9}(?:[.,]\d{1,9})?$/.test(text) ? Number(text.replace(",", ".")) : -1;
      if (value >= min && value <= max) return value;
      return rejectValue(context, text, `un nombre de ${min} à ${max} est attendu.`);
    })
    .meta({ type: "number", minimum: min, maximum: max, description });
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
export const MAX_SEARCH_LENGTH = 200;

/** A search text without NUL (PostgreSQL has none), trimmed, and cut (not refused) where it is long. */
export function querySearch({ description }: { description: string }) {
  return z
    .string()
    .refine((text) => !text.includes("\0"), { error: "caractère interdit." })
    .transform((text) => truncate(text.trim(), MAX_SEARCH_LENGTH))
    .meta({
      type: "string",
      description: `${description} (au plus ${MAX_SEARCH_LENGTH} caractères comptent)`,
    });
}

/** Without splitting a surrogate pair. */
function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return text.slice(0, end);
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
