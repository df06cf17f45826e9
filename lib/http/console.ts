import { log } from "@/lib/http/log";

/**
 * Has what Next.js and packages print written into the log: as lines like the others, with the
 * number of the request, and without the data that drivers put into their errors.
 */
export function takeConsole(): void {
  console.error = (...given) => print("error", given);
  console.warn = (...given) => print("warn", given);
}

function print(level: "error" | "warn", given: readonly unknown[]): void {
  const error = given.find((each) => each instanceof Error);
  // Next.js tells those to `onRequestError` as well, which knows the page.
  if (error !== undefined && "digest" in error) return;
  const text = given.filter((each) => typeof each === "string").map(plain);
  log[level]({ ...(error && { err: error }) }, text.join(" ").trim() || "printed");
}

/** Without colours, and without the queries of the addresses in it. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how terminals know colours.
  return text.replace(/\u001b\[[\d;]*m/g, "").replace(/\?\S+/g, "?…");
}
