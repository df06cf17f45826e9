import path from "node:path";
import { ROOT } from "@/scripts/command";

/** Node.js's arguments for Next.js's own commands. */
export const NEXT_PROGRAM = [path.join(ROOT, "node_modules/next/dist/bin/next")] as const;

/** Node.js's arguments for the server: server.mjs, or the development server. */
export const serverProgram = ({ isDev = false }: { isDev?: boolean } = {}): string[] =>
  isDev ? [...NEXT_PROGRAM, "dev"] : [path.join(ROOT, "server.mjs")];
