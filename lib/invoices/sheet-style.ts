import type { Styles } from "@react-pdf/renderer";
import { BOLD, FAMILIES } from "@/lib/invoices/typeface";

export const INK = "#15201b";
const MUTED = "#55605a";
const LINE = "#dfe3dd";
export const ACCENT = "#14594a";
export const SOFT = "#f5f6f3";

/** Points: A4 is 595.28 by 841.89. */
export const MARGIN = 48;
export const FOOTER_HEIGHT = 84;
export const RULE = { borderStyle: "solid", borderColor: LINE } as const;
export const THICKNESS = 0.75;

/**
 * Inter's contextual alternates (arrows for "->" and the like) are off, since they take most of the time.
 * Glyph composition (ccmp) is off, since react-pdf misplaces it in right-to-left text.
 */
const WORD = { kern: true, calt: false, ccmp: false, liga: false };
/** Digits of equal width, so that amounts are aligned. */
const AMOUNT = { ...WORD, tnum: true };

export const PAGE = {
  paddingTop: MARGIN,
  paddingHorizontal: MARGIN,
  fontFamily: FAMILIES,
  color: INK,
  fontFeatureSettings: WORD,
} as const;

export const bold = { fontFamily: FAMILIES, fontWeight: BOLD } as const;
export const muted = { color: MUTED } as const;
export const SMALL = 8.5;
export const amount = { textAlign: "right", fontFeatureSettings: AMOUNT } as const;

/** Right-aligned columns to the right of the name; the name takes the remaining width. */
export const COLUMNS = [
  { title: "Qté", width: 26 },
  { title: "Prix unitaire HT", width: 82 },
  { title: "TVA", width: 42 },
  { title: "Prix unitaire TTC", width: 86 },
  { title: "Total TTC", width: 84 },
] as const;
/** The columns for a seller outside VAT. */
export const COLUMNS_WITHOUT_VAT = [
  { title: "Qté", width: 32 },
  { title: "Prix unitaire", width: 92 },
  { title: "Total", width: 98 },
] as const;
export const SUM_COLUMN = 92;

export type Style = Styles[string];
