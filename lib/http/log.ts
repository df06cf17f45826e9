import pino from "pino";
import { env } from "@/lib/env";

let logger: pino.Logger | undefined;

function write(level: "debug" | "info" | "warn" | "error") {
  return (facts: Record<string, unknown>, text: string): void => {
    // Made at the first line: nothing is read from the environment while modules load.
    logger ??= pino({
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    });
    logger.level = env().LOG_LEVEL;
    logger[level](facts, text);
  };
}

/** The server's log: one JSON line per event on standard output, an exception under `err`. */
export const log = {
  debug: write("debug"),
  info: write("info"),
  warn: write("warn"),
  error: write("error"),
};

/**
 * An error without data: drivers put the values of a query into their errors, and those are
 * people's names, addresses and tokens.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table } = error as {
    code?: unknown;
    constraint?: unknown;
    table?: unknown;
  };
  return {
    type: error.name,
    message: withoutValues(error.message),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(table !== undefined && { table }),
    // The first lines of a stack repeat the message.
    stack: error.stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .join("\n"),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** Drizzle's messages end with the query's parameters; PostgreSQL quotes the value it refuses. */
function withoutValues(message: string): string {
  return message.replace(/\nparams:[\s\S]*$/, "").replace(/: "[\s\S]*"$/, "");
}
