/** Like PostgreSQL's search_normalise: without accents, lower case, words separated by single spaces. */
export function normalise(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("œ", "oe")
    .replaceAll("æ", "ae")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
