/** The two representations of the API: JSON-LD with Hydra, or the same data as plain JSON. */
export type Format = "ld" | "json";

export const CONTENT_TYPE: Record<Format, string> = {
  ld: "application/ld+json; charset=utf-8",
  json: "application/json; charset=utf-8",
};

/**
 * Chooses the representation for an `Accept` header; null where it allows neither.
 * The higher q-value wins. With equal ones JSON-LD wins, unless `application/json` is listed
 * before the range that allows JSON-LD (axios lists it first, and then any type).
 */
export function negotiate(accept: string | null): Format | null {
  const { ld, json } = jsonMatches(accept || "*/*");
  const ldQ = ld?.q ?? 0;
  const jsonQ = json?.q ?? 0;
  if (ldQ === 0 && jsonQ === 0) return null;
  if (ldQ !== jsonQ) return ldQ > jsonQ ? "ld" : "json";
  return json && ld && json.index < ld.index ? "json" : "ld";
}

interface Range {
  /** In small letters. */
  range: string;
  q: number;
  /** Place in the header. */
  index: number;
}

/** What an `Accept` header lists. */
export function rangesOf(accept: string): Range[] {
  return accept.split(",").map((part, index) => {
    const [range = "", ...params] = part.split(";").map((piece) => piece.trim().toLowerCase());
    return { range, q: quality(params), index };
  });
}

interface Match extends Range {
  /** 2 for the very type, 1 for any application type, 0 for any type. */
  specificity: number;
}

/** The range that decides about each representation; undefined where none allows it. */
export function jsonMatches(accept: string): { ld: Match | undefined; json: Match | undefined } {
  let ld: Match | undefined;
  let json: Match | undefined;
  for (const match of rangesOf(accept)) {
    const { range } = match;
    if (range === "application/ld+json") ld = moreSpecific(ld, { ...match, specificity: 2 });
    else if (range === "application/json") json = moreSpecific(json, { ...match, specificity: 2 });
    else if (range === "application/*" || range === "*/*") {
      const specificity = range === "*/*" ? 0 : 1;
      ld = moreSpecific(ld, { ...match, specificity });
      json = moreSpecific(json, { ...match, specificity });
    }
  }
  return { ld, json };
}

/** The most specific range decides for a type; of equal ones the first (RFC 9110, 12.5.1). */
function moreSpecific(known: Match | undefined, match: Match): Match {
  return known === undefined || match.specificity > known.specificity ? match : known;
}

function quality(params: string[]): number {
  const text = params.find((param) => param.startsWith("q="))?.slice(2);
  if (text === undefined) return 1;
  const q = Number(text);
  return q >= 0 && q <= 1 ? q : 0;
}
