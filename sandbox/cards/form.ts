import { invalidParam } from "@/sandbox/cards/api-error";

/** A form with nested keys: `card[number]=…` is a hash in a hash, `expand[]=…` one with indexes. */
export type FormHash = Map<string, FormValue>;
export type FormValue = string | FormHash;

const MAX_DEPTH = 6;

/** "card[networks][]" → card, networks, "" */
function pathOf(key: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
  if (!match) throw invalidParam({ message: `Nom de paramètre mal formé : ${key}`, param: key });
  const [, first = "", rest = ""] = match;
  const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? "")];
  if (path.length > MAX_DEPTH)
    throw invalidParam({ message: `Paramètre trop imbriqué : ${key}`, param: key });
  return path;
}

/**
 * Parses a query or a body in Stripe's form encoding. The last value of a name counts.
 *
 * @throws ApiError (400) for contradictory or malformed names
 */
export function decodeForm(pairs: Iterable<[string, string]>): FormHash {
  const form: FormHash = new Map();
  for (const [key, value] of pairs) {
    const path = pathOf(key);
    const last = path.pop() ?? "";
    let hash = form;
    for (const part of path) {
      const name = part === "" ? String(hash.size) : part;
      const inner = hash.get(name) ?? new Map<string, FormValue>();
      if (typeof inner === "string")
        throw invalidParam({ message: `Paramètre contradictoire : ${key}`, param: key });
      hash.set(name, inner);
      hash = inner;
    }
    const name = last === "" ? String(hash.size) : last;
    if (hash.get(name) instanceof Map)
      throw invalidParam({ message: `Paramètre contradictoire : ${key}`, param: key });
    hash.set(name, value);
  }
  return form;
}

/** A serialisation that does not depend on the parameters' order. */
export function canonicalForm(value: FormValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  const entries = [...value].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalForm(inner)}`).join()}}`;
}
