import { log } from "@/lib/http/server/log";

/**
 * Redirects what Next.js and packages print into the log, with the request's id and without the data
 * that drivers put into their errors.
 */
export function redirectConsole(): void {
  console.error = (...args) => print("error", args);
  console.warn = (...args) => print("warn", args);
  console.log = (...args) => print("info", args);
}

/** Next.js reports each address of a picture that does not exist, which anybody may ask for. */
const MISSING_PICTURE = "internal image response failed for";

function print(level: "error" | "warn" | "info", args: readonly unknown[]): void {
  const error = args.find((each) => each instanceof Error);
  // Next.js reports these to `onRequestError` as well, which knows the page.
  if (error !== undefined && "digest" in error) return;
  if (args.includes(MISSING_PICTURE) && args.includes(404)) return;
  const text = args.filter((each) => typeof each === "string").map(stripped);
  log[level]({ ...(error && { err: error }) }, text.join(" ").trim() || "printed");
}

/** Without colours and the queries of URLs. */
function stripped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how terminals know colours.
  return text.replace(/\u001b\[[\d;]*m/g, "").replace(/\?\S+/g, "?…");
}
