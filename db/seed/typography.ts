const NO_BREAK_SPACE = "\u00a0";
const NARROW_NO_BREAK_SPACE = "\u202f";

const UNITS = ["g", "kg", "cm", "mm", "m", "cl", "ml", "l", "h", "min", "ans", "%", "€", "W", "V"];
const NUMBER_AND_UNIT = new RegExp(`(\\d) (?=(?:${UNITS.join("|")})(?![\\p{L}\\d]))`, "gu");

/**
 * Applies French typography to plain text: curly apostrophes, a narrow no-break space before `;`, `!` and
 * `?`, a no-break space before `:`, inside « », before a unit and around ×. The seed's texts are typed with
 * ordinary spaces, because edits easily lose invisible characters in source files.
 */
export function typeset(text: string): string {
  return text
    .replaceAll("'", "’")
    .replace(/ ([;!?])/g, `${NARROW_NO_BREAK_SPACE}$1`)
    .replace(/ :/g, `${NO_BREAK_SPACE}:`)
    .replace(/« /g, `«${NO_BREAK_SPACE}`)
    .replace(/ »/g, `${NO_BREAK_SPACE}»`)
    .replace(/ × /g, `${NO_BREAK_SPACE}×${NO_BREAK_SPACE}`)
    .replace(NUMBER_AND_UNIT, `$1${NO_BREAK_SPACE}`);
}
