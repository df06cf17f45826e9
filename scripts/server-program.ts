import path from "node:path";
import { serverFolder } from "@/scripts/bundle";
import { ROOT } from "@/scripts/command";

/** Node.js's arguments for `next build` and `next typegen`. */
export const NEXT_PROGRAM = [path.join(ROOT, "node_modules/next/dist/bin/next")] as const;

/**
 * Node.js's arguments for the server (server.ts). By default V8 lets the heap grow to gigabytes before it
 * collects; here it may use up to 192 MiB for a thousand searches at once, with one
 * thread that helps to collect instead of four, which would compete with requests (docs/performance.md). A heap
 * size in `NODE_OPTIONS` takes precedence.
 */
export const serverProgram = ({
  isDev = false,
  nodeOptions = "",
}: {
  isDev?: boolean;
  nodeOptions?: string | undefined;
} = {}): string[] => [
  ...(isDev ? ["--enable-source-maps"] : serverOptions(nodeOptions)),
  path.join(serverFolder({ isDev }), "server.mjs"),
];

const serverOptions = (nodeOptions: string) => [
  ...(nodeOptions.includes("max-old-space-size") ? [] : ["--max-old-space-size=192"]),
  "--max-semi-space-size=8",
  "--heap-growing-percent=30",
  "--v8-pool-size=1",
];

/** glibc: fewer arenas, each of which keeps what was freed in it, and at most 128 KiB of that. */
export const SERVER_ENV = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };
