import { readFileSync } from "node:fs";
import path from "node:path";
import { BUILD_FOLDER } from "@/lib/build-folder";

// If a page calls `notFound()` or cannot be rendered, Next.js (16.4 and before) sends the right status but an
// empty document, which its script fills in: https://github.com/vercel/next.js/issues/62228. Without
// JavaScript the page stays blank. The shop sends a prerendered page instead.
// e2e/api/both-ways.spec.ts fails once Next.js sends complete documents.

/** The beginning of Next.js's empty document. */
export const EMPTY_DOCUMENT = '<!DOCTYPE html><html id="__next_error__">';

const pagesByName = new Map<string, Buffer | null>();

/** A page prerendered by the build; null if there is none (development). */
export function prerenderedPage(name: string): Buffer | null {
  const known = pagesByName.get(name);
  if (known !== undefined) return known;
  let page: Buffer | null = null;
  try {
    page = readFileSync(path.resolve(`${BUILD_FOLDER}/server/app/${name}.html`));
  } catch {}
  pagesByName.set(name, page);
  return page;
}
