import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "@/scripts/command";

/**
 * Node.js's arguments for running Next.js. The URL counts towards the header size, and a search of
 * 10,000 characters is valid (the shop truncates it): percent-encoded, up to 12 bytes a character,
 * it exceeds Node.js's default of 16 KiB.
 */
export const NEXT_PROGRAM = [
  "--max-http-header-size=131072",
  path.join(ROOT, "node_modules/next/dist/bin/next"),
] as const;

/** Requests that come while the shop is loading wait until it has loaded. */
export const GATE = ["--import", pathToFileURL(path.join(ROOT, "gate.mjs")).href] as const;

/**
 * The same for the server of the built shop. By default V8 lets the heap grow to gigabytes before it
 * collects; here it collects when the heap has grown by 30 percent, and may use up to 192 MiB for a
 * thousand searches at once (docs/performance.md). A heap size in `NODE_OPTIONS` takes precedence.
 */
export const serverProgram = (nodeOptions: string | undefined) => [
  ...(nodeOptions?.includes("max-old-space-size") ? [] : ["--max-old-space-size=192"]),
  "--max-semi-space-size=8",
  "--heap-growing-percent=30",
  ...GATE,
  ...NEXT_PROGRAM,
];

/** glibc: fewer arenas, each of which keeps what was freed in it, and at most 128 KiB of that. */
export const SERVER_ENV = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };
