import { readFileSync } from "node:fs";
import path from "node:path";
import { preload } from "react-dom";

/** Written by the build: the fonts of each page. */
const MANIFEST = ".next/server/next-font-manifest.json";

/**
 * Preloads the pages' font; to be called while rendering. Next.js itself preloads it except for
 * `global-not-found.tsx`, whose fonts it looks up under a wrong name. Without the preload, the text moves
 * when the font arrives.
 */
export function preloadFont(): void {
  for (const file of pageFonts())
    preload(`/_next/${file}`, { as: "font", type: "font/woff2", crossOrigin: "" });
}

/** The fonts that every page has. Empty in development, which has no manifest. */
function pageFonts(): string[] {
  try {
    const { app } = JSON.parse(readFileSync(path.resolve(MANIFEST), "utf8")) as {
      app: Record<string, string[]>;
    };
    const [first = [], ...others] = Object.values(app);
    return first.filter((file) => others.every((files) => files.includes(file)));
  } catch {
    return [];
  }
}
