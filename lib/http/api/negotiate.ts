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
  const { ld, json } = jsonRanges(rangesOf(accept || "*/*"));
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

/**
 * The range that decides about each representation; undefined where none allows it. The most specific one does, of equal
 * ones the first (RFC 9110, 12.5.1).
 */
export function jsonRanges(ranges: readonly Range[]): Record<Format, Range | undefined> {
  const find = (wanted: string) => ranges.find(({ range }) => range === wanted);
  const any = find("application/*") ?? find("*/*");
  return { ld: find("application/ld+json") ?? any, json: find("application/json") ?? any };
}

function quality(params: string[]): number {
  const text = params.find((param) => param.startsWith("q="))?.slice(2);
  if (text === undefined) return 1;
  const q = Number(text);
  return q >= 0 && q <= 1 ? q : 0;
}
