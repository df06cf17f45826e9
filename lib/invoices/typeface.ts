import path from "node:path";
import { Font } from "@react-pdf/renderer";

// Inter, which has the letters of Polish, Greek and Russian names; the pages' Figtree lacks them.

const FOLDER = path.join(process.cwd(), "node_modules/@expo-google-fonts/inter");

export const FAMILY = "Inter";
export const BOLD = 600;

const SOURCES = [
  { src: path.join(FOLDER, "400Regular/Inter_400Regular.ttf"), fontWeight: 400 },
  { src: path.join(FOLDER, "600SemiBold/Inter_600SemiBold.ttf"), fontWeight: BOLD },
] as const;

/** What is used of a font as fontkit, which react-pdf brings along, has parsed it. */
interface InterFont {
  characterSet: readonly number[];
  unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): unknown;
  layout(text: string): { advanceWidth: number };
}

let regular: InterFont | undefined;

/** Reads and parses Inter, once per thread. To be awaited before anything is drawn. */
export async function loadTypeface(): Promise<void> {
  if (regular) return;
  Font.register({ family: FAMILY, fonts: [...SOURCES] });
  Font.registerHyphenationCallback(breakLongWord);
  [regular] = await Promise.all(
    SOURCES.map(async ({ fontWeight }) => {
      const descriptor = { fontFamily: FAMILY, fontWeight };
      await Font.load(descriptor);
      const font = Font.getFont(descriptor).data as InterFont | null;
      if (!font) throw new Error(`Inter ${fontWeight} was not loaded.`);
      preloadGlyphs(font);
      return font;
    }),
  );
}

/**
 * fontkit caches the code point of a glyph at its first use, and components of other glyphs (” is
 * twice ’) are used without one: they could be neither copied nor searched. So all glyphs are loaded
 * beforehand; where two characters share one, the frequent one goes first.
 */
function preloadGlyphs(font: InterFont): void {
  font.layout("0123456789");
  const characters = font.characterSet.filter((codePoint) => !isPrivate(codePoint));
  for (const codePoint of [...PREFERRED_CHARACTERS, ...characters])
    font.glyphForCodePoint(codePoint);
}

const PREFERRED_CHARACTERS = Array.from("’”ΔΩμ", (character) => character.codePointAt(0) ?? 0);

/** The Private Use Area, in which Inter has alternative glyphs. */
const isPrivate = (codePoint: number) => codePoint >= 0xe000 && codePoint <= 0xf8ff;

/** What Inter can draw: unknown characters become "?", line breaks and the like a space. */
export function printable(text: string): string {
  if (!regular) throw new Error("Inter is not loaded.");
  let result = "";
  for (const sign of text.normalize("NFC").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")) {
    const isKnown = regular.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
    // Joiners and variants, as emoji have them, are nothing by themselves.
    if (!isKnown && /^[\p{Cf}\p{Mn}]$/u.test(sign)) continue;
    result += isKnown ? sign : "?";
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
  if (!regular || word.length <= MAX_WORD_WIDTH) return [word];
  if (regular.layout(word).advanceWidth / regular.unitsPerEm <= MAX_WORD_WIDTH) return [word];
  return Array.from(word).flatMap((sign) => [sign, ""]);
}
