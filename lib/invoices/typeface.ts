import path from "node:path";
import { Font } from "@react-pdf/renderer";
import anyAscii from "any-ascii";

// Inter has the letters of Polish, Greek and Russian names, which the pages' Figtree lacks. Others have the
// letters of scripts whose files are small; the rest is written in Latin letters.

const FOLDER = path.join(process.cwd(), "node_modules/@expo-google-fonts");

const REGULAR = 400;
export const BOLD = 600;

/**
 * The typefaces in the order in which letters are looked for, with their files: regular and bold. Paths are
 * written out, so that Next.js finds them. Not Noto for Arabic: it puts dots on letters as marks, which
 * react-pdf misplaces in right-to-left text.
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

/** What is used of a font as fontkit, which react-pdf brings along, has parsed it. */
interface ParsedFont {
  characterSet: readonly number[];
  unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): unknown;
  layout(text: string): { advanceWidth: number };
}

/** A typeface in both weights. */
interface Typeface {
  regular: ParsedFont;
  bold: ParsedFont;
}

let inter: Typeface | undefined;
let others: readonly Typeface[] = [];
/** The typefaces whose glyphs are loaded; few sheets need more than Inter. */
const ready = new Set<Typeface>();

/** Reads and parses the typefaces, once per thread. To be awaited before anything is drawn. */
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
 * fontkit caches the code point of a glyph at its first use, and components of other glyphs (” is
 * twice ’) are used without one: they could be neither copied nor searched. So all glyphs are loaded
 * beforehand; where two characters share one, the frequent one goes first.
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
 * The Private Use Area, in which Inter has alternative glyphs, and the forms that an Arabic letter has beside
 * others: the glyph's code point is that of the letter.
 */
const isForm = (codePoint: number) =>
  (codePoint >= 0xe000 && codePoint <= 0xf8ff) ||
  (codePoint >= 0xfb50 && codePoint <= 0xfdff) ||
  (codePoint >= 0xfe70 && codePoint <= 0xfefc);

/** Accents, joiners, variants and what turns the direction of text: nothing by themselves. */
const MARK = /^[\p{Cf}\p{Mn}]$/u;
/** Those without which words are wrong; names are written without the points of Hebrew and Arabic vowels. */
const NEEDED_MARK = /^(?:\u200c|\u200d|\p{Script=Devanagari})$/u;
const PICTOGRAPH = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]$/u;

/**
 * A text as the typefaces can draw it: signs that none of them has are written in Latin letters, small
 * pictures are left out, and line breaks and the like are a space.
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

/** Ems; every column is wider, so that no word reaches into the next one. */
const MAX_WORD_WIDTH = 14;

/**
 * Words are not hyphenated. One that may be wider than its column (an email address, or no word at
 * all) may break after each character: react-pdf breaks lines at empty parts without a hyphen.
 */
function breakLongWord(word: string): string[] {
  if (!inter || word.length <= MAX_WORD_WIDTH) return [word];
  if (inter.regular.layout(word).advanceWidth / inter.regular.unitsPerEm <= MAX_WORD_WIDTH)
    return [word];
  return Array.from(word).flatMap((sign) => [sign, ""]);
}
