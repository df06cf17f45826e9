/** The two representations of the API: JSON-LD with Hydra, or the same data as plain JSON. */
export type Format = "ld" | "json";

export const CONTENT_TYPE: Record<Format, string> = {
  ld: "application/ld+json; charset=utf-8",
  json: "application/json; charset=utf-8",
};

const REMEMBERED = 100;
const remembered = new Map<string, Format | null>();

/**
 * Chooses the representation for an `Accept` header; null where it allows neither.
 * The higher q-value wins. With equal ones JSON-LD wins, unless `application/json` is listed
 * before the range that allows JSON-LD (axios lists it first, and then any type).
 */
export function negotiate(accept: string | null): Format | null {
  if (accept === null || accept === "" || accept === "*/*") return "ld";
  const known = remembered.get(accept);
  if (known !== undefined) return known;
  const format = choose(accept);
  // Clients send a handful of headers; the bound is for those who invent them.
  if (remembered.size >= REMEMBERED) remembered.clear();
  if (accept.length <= 200) remembered.set(accept, format);
  return format;
}

interface Match {
  q: number;
  /** Place in the header. */
  index: number;
  /** 2 for the very type, 1 for any application type, 0 for any type. */
  specificity: number;
}

function choose(accept: string): Format | null {
  let ld: Match | undefined;
  let json: Match | undefined;
  accept.split(",").forEach((part, index) => {
    const [range = "", ...params] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const match = { q: quality(params), index };
    if (range === "application/ld+json") ld = closer(ld, { ...match, specificity: 2 });
    else if (range === "application/json") json = closer(json, { ...match, specificity: 2 });
    else if (range === "application/*" || range === "*/*") {
      const specificity = range === "*/*" ? 0 : 1;
      ld = closer(ld, { ...match, specificity });
      json = closer(json, { ...match, specificity });
    }
  });
  const ldQ = ld?.q ?? 0;
  const jsonQ = json?.q ?? 0;
  if (ldQ === 0 && jsonQ === 0) return null;
  if (ldQ !== jsonQ) return ldQ > jsonQ ? "ld" : "json";
  return json && ld && json.index < ld.index ? "json" : "ld";
}

/** The most specific range decides for a type; of equal ones the first (RFC 9110, 12.5.1). */
function closer(known: Match | undefined, match: Match): Match {
  return known === undefined || match.specificity > known.specificity ? match : known;
}

function quality(params: string[]): number {
  const text = params.find((param) => param.startsWith("q="))?.slice(2);
  if (text === undefined) return 1;
  const q = Number(text);
  return q >= 0 && q <= 1 ? q : 0;
}
