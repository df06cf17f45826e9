import localFont from "next/font/local";

// Figtree (SIL Open Font License, see LICENSE in this folder), one variable file per subset.
// next/font preloads the Latin file and derives a size-adjusted Arial as its fallback. The two fonts
// still break some lines at different words: a page whose font arrives after the first paint would
// move. With "optional" this page keeps the fallback, and the next page has the font.
const latin = localFont({
  src: "./figtree-latin.woff2",
  weight: "300 900",
  variable: "--font-figtree",
  display: "optional",
  fallback: ["system-ui", "sans-serif"],
  adjustFontFallback: "Arial",
});

// Fetched only by pages that hold a character outside the Latin subset (a Polish name, say).
const latinExtended = localFont({
  src: "./figtree-latin-ext.woff2",
  weight: "300 900",
  variable: "--font-figtree-extended",
  display: "optional",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0100-0130,U+0132-0151,U+0154-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
});

/** Classes for `<html>`: they define the custom properties used by `--font-sans`. */
export const fontClassName = `${latin.variable} ${latinExtended.variable}`;
