import localFont from "next/font/local";

// Newsreader (SIL Open Font License, see LICENSE in this folder), the Latin subset in one weight, for the
// headings that show the brand. Only pages that import this file define the font, and preload it. As with
// Figtree, a page whose font arrives late keeps the fallback.
const newsreader = localFont({
  src: "./newsreader-latin-medium.woff2",
  weight: "500",
  variable: "--font-newsreader",
  display: "optional",
  fallback: ["Georgia", "serif"],
  adjustFontFallback: "Times New Roman",
});

/** The class of an element around a page: it defines the custom property used by `--font-display`. */
export const displayFontClassName = newsreader.variable;
