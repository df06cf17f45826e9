import { readFileSync } from "node:fs";
import path from "node:path";
import { preload } from "react-dom";

/** Where the build notes which page has which fonts. */
const MANIFEST = ".next/server/next-font-manifest.json";

/**
 * Has the browser load the pages' font ahead. Next.js does that by itself for every page but the one
 * for unknown addresses, whose fonts it notes under another name than it looks them up by; without
 * it the text moves when the font arrives. To be called while rendering.
 */
export function preloadFont(): void {
  for (const file of pageFonts())
    preload(`/_next/${file}`, { as: "font", type: "font/woff2", crossOrigin: "" });
}

/** Known as soon as the build renders pages; none in development, which has no manifest there. */
function pageFonts(): Set<string> {
  try {
    const { app } = JSON.parse(readFileSync(path.resolve(MANIFEST), "utf8")) as {
      app: Record<string, string[]>;
    };
    return new Set(Object.values(app).flat());
  } catch {
    return new Set();
  }
}
