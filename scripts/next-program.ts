import path from "node:path";
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
