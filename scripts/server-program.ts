import path from "node:path";
import { serverFolder } from "@/scripts/bundle";
import { ROOT } from "@/scripts/command";

/** Node.js's arguments for `next build` and `next typegen`. */
export const NEXT_PROGRAM = [path.join(ROOT, "node_modules/next/dist/bin/next")] as const;

/** Node.js's arguments for the server (server.ts). */
export const serverProgram = ({ isDev = false }: { isDev?: boolean } = {}): string[] => [
  ...(isDev ? ["--enable-source-maps"] : []),
  path.join(serverFolder({ isDev }), "server.mjs"),
];
