import nextEnv from "@next/env";
import { OperatorError } from "@/lib/operator-error";

/** The folder of the shop: npm runs its scripts there. */
export const ROOT = process.cwd();

/** The environment as it was given, before the `.env` files were read. */
export const givenEnv: NodeJS.ProcessEnv = { ...process.env };

/** Reads `.env`, `.env.local` and their like into `process.env`, as Next.js does. */
export function loadEnvFiles({ isDev }: { isDev: boolean }): void {
  nextEnv.loadEnvConfig(ROOT, isDev, { info: () => undefined, error: console.error });
}

/** Sets the spaces of French typography, which are typed as ordinary ones in the sources. */
function typeset(text: string): string {
  return text
    .replace(/ ([;!?])/g, "\u202f$1")
    .replace(/ ([:»])/g, "\u00a0$1")
    .replace(/« /g, "«\u00a0");
}

export function say(text: string): void {
  console.log(typeset(text));
}

/** What the person must put right as a plain text, everything else with its stack. */
export function sayError(error: unknown): void {
  if (error instanceof OperatorError) console.error(`\n${typeset(error.message)}\n`);
  else console.error(error);
}

/** Runs a command to its end and leaves with its exit code: 0, or 1 after an error. */
export async function runCommand(
  main: () => Promise<undefined | number> | Promise<void>,
): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    sayError(error);
    process.exitCode = 1;
  }
  process.exit();
}
