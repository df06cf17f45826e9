import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "@/scripts/command";

/**
 * How Node.js is to run Next.js' commands. Addresses count among a request's headers, and a search
 * of 10,000 letters is a legal one (the shop cuts it): three bytes for a letter's percent sign and
 * digits, up to four times for an emoji, are more than the 16 KiB that Node.js allows by itself.
 */
export const NEXT_PROGRAM = [
  "--max-http-header-size=131072",
  path.join(ROOT, "node_modules/next/dist/bin/next"),
] as const;

/** Whoever comes before the shop has been loaded waits until it has. */
export const GATE = ["--import", pathToFileURL(path.join(ROOT, "gate.mjs")).href] as const;

/**
 * How Node.js is to run the server of the built shop, besides. By itself V8 lets the memory grow to
 * gigabytes before it tidies up; with these bounds the server stays at a third of one, and answers
 * a thousand searches at once: docs/performance.md. `NODE_OPTIONS` with a heap size goes first.
 */
export const serverProgram = (nodeOptions: string | undefined) => [
  ...(nodeOptions?.includes("max-old-space-size") ? [] : ["--max-old-space-size=320"]),
  "--max-semi-space-size=8",
  ...GATE,
  ...NEXT_PROGRAM,
];

/** Fewer heaps of the C library, each of which keeps what was freed in it. */
export const SERVER_ENV = { MALLOC_ARENA_MAX: "2" };
