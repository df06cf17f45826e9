import { type ParseArgsConfig, parseArgs } from "node:util";
import nextEnv from "@next/env";
import { OperatorError } from "@/lib/errors/operator-error";

/** The shop's folder: npm runs its scripts there. */
export const ROOT = process.cwd();

/** The environment before the `.env` files were read. */
export const initialEnv: NodeJS.ProcessEnv = { ...process.env };

/** Reads `.env`, `.env.local` and their like into `process.env`, as Next.js does. */
export function loadEnvFiles({ isDev }: { isDev: boolean }): void {
  nextEnv.loadEnvConfig(ROOT, isDev, { info: () => undefined, error: console.error });
}

/** Replaces ordinary spaces by the no-break ones of French typography. */
function typeset(text: string): string {
  return text
    .replace(/ ([;!?])/g, "\u202f$1")
    .replace(/ ([:»])/g, "\u00a0$1")
    .replace(/« /g, "«\u00a0");
}

export function print(text: string): void {
  console.log(typeset(text));
}

/** Prints an OperatorError as plain text, anything else with its stack. */
export function printError(error: unknown): void {
  if (error instanceof OperatorError) console.error(`\n${typeset(error.message)}\n`);
  else console.error(error);
}

/**
 * The options on the command line.
 *
 * @throws OperatorError with the usage if there are others
 */
export function parseOptions<T extends NonNullable<ParseArgsConfig["options"]>>({
  options,
  usage,
}: {
  options: T;
  usage: string;
}) {
  try {
    return parseArgs({ options }).values;
  } catch {
    throw new OperatorError(`Argument inconnu. ${usage}`);
  }
}

/** Runs a command and exits: with the code that it returns, else 0, or 1 after an error. */
export async function runCommand(
  main: () => Promise<undefined | number> | Promise<void>,
): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
  process.exit();
}
