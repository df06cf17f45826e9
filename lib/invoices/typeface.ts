import path from "node:path";
import { Font } from "@react-pdf/renderer";
import anyAscii from "any-ascii";

// Inter has the letters of Polish, Greek and Russian names, which the website's Figtree lacks. The other
// typefaces cover scripts whose font files are small. All other scripts are written in Latin letters.

const FOLDER = path.join(process.cwd(), "node_modules/@expo-google-fonts");

const REGULAR = 400;
export const BOLD = 600;

/**
 * The files of each typeface, regular and bold, in the order in which typefaces are searched for a letter.
 * Paths are written out, so that Next.js finds them. Noto for Arabic is not used: it draws the dots of
 * letters as marks, which react-pdf misplaces in right-to-left text.
 */
const FILES = {
  Inter: [
    path.join(FOLDER, "inter/400Regular/Inter_400Regular.ttf"),
    path.join(FOLDER, "inter/600SemiBold/Inter_600SemiBold.ttf"),
  ],
  Vazirmatn: [
    path.join(FOLDER, "vazirmatn/400Regular/Vazirmatn_400Regular.ttf"),
    path.join(FOLDER, "vazirmatn/600SemiBold/Vazirmatn_600SemiBold.ttf"),
  ],
  "Noto Sans Hebrew": [
    path.join(FOLDER, "noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf"),
    path.join(FOLDER, "noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf"),
  ],
  "Noto Sans Devanagari": [
    path.join(FOLDER, "noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf"),
    path.join(FOLDER, "noto-sans-devanagari/600SemiBold/NotoSansDevanagari_600SemiBold.ttf"),
  ],
  "Noto Sans Georgian": [
    path.join(FOLDER, "noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf"),
    path.join(FOLDER, "noto-sans-georgian/600SemiBold/NotoSansGeorgian_600SemiBold.ttf"),
  ],
  "Noto Sans Armenian": [
    path.join(FOLDER, "noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf"),
    path.join(FOLDER, "noto-sans-armenian/600SemiBold/NotoSansArmenian_600SemiBold.ttf"),
  ],
} satisfies Record<string, [regular: string, bold: string]>;

export const FAMILIES = Object.keys(FILES);

/** The used part of a font parsed by fontkit, which comes with react-pdf. */
interface ParsedFont {
  characterSet: readonly number[];
  unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): unknown;
  layout(text: string): { advanceWidth: number };
}

interface Typeface {
  regular: ParsedFont;
  bold: ParsedFont;
}

let inter: Typeface | undefined;
let others: readonly Typeface[] = [];
/** The typefaces whose glyphs are loaded; few sheets need more than Inter. */
const ready = new Set<Typeface>();

/** Reads and parses the typefaces, once per thread. Await it before drawing. */
export async function loadTypefaces(): Promise<void> {
  if (inter) return;
  Font.registerHyphenationCallback(breakLongWord);
  const [first, ...rest] = await Promise.all(Object.entries(FILES).map(loadTypeface));
  if (!first) throw new Error("There is no typeface.");
  preloadGlyphs(first);
  others = rest;
  inter = first;
}

async function loadTypeface([family, [regular, bold]]: [string, string[]]): Promise<Typeface> {
  const load = async (fontWeight: number, src = ""): Promise<ParsedFont> => {
    Font.register({ family, fontWeight, src });
    const descriptor = { fontFamily: family, fontWeight };
    await Font.load(descriptor);
    const font = Font.getFont(descriptor).data as ParsedFont | null;
    if (!font) throw new Error(`${family} ${fontWeight} was not loaded.`);
    return font;
  };
  return { regular: await load(REGULAR, regular), bold: await load(BOLD, bold) };
}

/**
 * Loads all glyphs before drawing, so that text in the PDF can be copied and searched. fontkit caches a
 * glyph's code point at its first use. A glyph first used as a component of another (” is twice ’) would be
 * cached without a code point. Where two characters share a glyph, the more frequent one is loaded first.
 */
function preloadGlyphs(typeface: Typeface): void {
  if (ready.has(typeface)) return;
  ready.add(typeface);
  for (const font of [typeface.regular, typeface.bold]) {
    font.layout("0123456789");
    const characters = font.characterSet.filter((codePoint) => !isForm(codePoint));
    for (const codePoint of [...PREFERRED_CHARACTERS, ...characters])
      font.glyphForCodePoint(codePoint);
  }
}

const PREFERRED_CHARACTERS = Array.from("’”ΔΩμ", (character) => character.codePointAt(0) ?? 0);

/**
 * The Private Use Area, where Inter has alternative glyphs, and Arabic presentation forms. Their glyphs must
 * keep the code point of the letter itself.
 */
const isForm = (codePoint: number) =>
  (codePoint >= 0xe000 && codePoint <= 0xf8ff) ||
  (codePoint >= 0xfb50 && codePoint <= 0xfdff) ||
  (codePoint >= 0xfe70 && codePoint <= 0xfefc);

/** Accents, joiners, variation selectors and text direction marks: not drawn on their own. */
const MARK = /^[\p{Cf}\p{Mn}]$/u;
/**
 * Marks without which words are wrong. Vowel points of Hebrew and Arabic are not among them: names omit them.
 */
const NEEDED_MARK = /^(?:\u200c|\u200d|\p{Script=Devanagari})$/u;
const PICTOGRAPH = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]$/u;

/**
 * A text as the typefaces can draw it: characters that no typeface has are written in Latin letters,
 * pictographs are left out, and line breaks become spaces.
 */
export function printable(text: string): string {
  const line = text.normalize("NFC").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  const drawn = drawableOf(line);
  return line.trim() !== "" && drawn.trim() === "" ? anyAscii(line).trim() || "–" : drawn;
}

function drawableOf(line: string): string {
  if (!inter) throw new Error("The typefaces are not loaded.");
  let result = "";
  let isOtherScript = false;
  for (const sign of line) {
    const codePoint = sign.codePointAt(0) ?? 0;
    const isMark = MARK.test(sign) && !(isOtherScript && NEEDED_MARK.test(sign));
    const hasIt = ({ regular }: Typeface) => regular.hasGlyphForCodePoint(codePoint);
    if (hasIt(inter)) {
      isOtherScript = false;
      result += sign;
      continue;
    }
    if (isMark || PICTOGRAPH.test(sign)) continue;
    const other = others.find(hasIt);
    isOtherScript = other !== undefined;
    if (other) preloadGlyphs(other);
    result += other ? sign : anyAscii(sign);
  }
  return result;
}

/** In ems. Every column is wider, so that no word reaches into the next column. */
const MAX_WORD_WIDTH = 14;

/**
 * Words are not hyphenated. A word that may be wider than its column (an email address, or no real word) may
 * break after each character: react-pdf breaks lines at empty parts without a hyphen.
 */
function breakLongWord(word: string): string[] {
  if (!inter || word.length <= MAX_WORD_WIDTH) return [word];
  if (inter.regular.layout(word).advanceWidth / inter.regular.unitsPerEm <= MAX_WORD_WIDTH)
    return [word];
  return Array.from(word).flatMap((sign) => [sign, ""]);
}
