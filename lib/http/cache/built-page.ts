import { readFile } from "node:fs/promises";
import path from "node:path";
import type { RenderedPage } from "@/lib/http/cache/stored-values";

/** How the key of the page for unknown addresses ends. */
const NOT_FOUND = "/_not-found";

/**
 * The page for unknown addresses as the build has rendered it; null for other keys, and where there is no build.
 * Rendered anew, it would name the unknown address that was asked for.
 */
export async function readBuiltPage(
  serverFolder: string,
  key: string,
): Promise<RenderedPage | null> {
  if (!key.endsWith(NOT_FOUND)) return null;
  const file = path.join(serverFolder, "app", NOT_FOUND);
  try {
    const [html, rscData, meta] = await Promise.all([
      readFile(`${file}.html`, "utf8"),
      readFile(`${file}.rsc`),
      readFile(`${file}.meta`, "utf8"),
    ]);
    const { status, headers } = JSON.parse(meta) as Pick<RenderedPage, "status" | "headers">;
    return { kind: "APP_PAGE", html, rscData, status, headers };
  } catch {
    return null;
  }
}
