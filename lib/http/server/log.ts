import { trace } from "@opentelemetry/api";
import pino from "pino";
import { env } from "@/lib/env";
import { currentRequestId } from "@/lib/http/server/request-context";

let logger: pino.Logger | undefined;

function write(level: "debug" | "info" | "warn" | "error") {
  return (fields: Record<string, unknown>, text: string): void => {
    // Created at the first line: modules read no environment while they are loaded.
    logger ??= pino(
      {
        base: undefined,
        timestamp: pino.stdTimeFunctions.isoTime,
        serializers: { err: describeError },
        mixin: requestFields,
      },
      output(),
    );
    logger.level = env().LOG_LEVEL;
    logger[level](fields, text);
    // Next.js's development server shows where in the sources it was thrown.
    if (fields.err && env().NODE_ENV === "development") console.error(fields.err);
  };
}

/** Bytes that are kept while they cannot be written. */
const MAX_UNWRITTEN = 1_000_000;

/** Where the lines go. What cannot be written, to a full disk for instance, costs lines and nothing else. */
function output(): pino.DestinationStream {
  const standardOutput = pino.destination({ fd: 1, sync: true, maxLength: MAX_UNWRITTEN });
  return standardOutput.on("error", () => undefined);
}

/** The request and the trace that a line belongs to. */
function requestFields(): Record<string, string> {
  const requestId = currentRequestId();
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...(requestId && { requestId }),
    ...(span && { traceId: span.traceId }),
  };
}

/**
 * The server's log: one JSON line per event on standard output, an exception under `err`, the
 * id of the request that it belongs to under `requestId`.
 */
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
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const {
    code,
    constraint_name: constraint,
    table_name: table,
    digest,
  } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: withoutValues(error.message),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(table !== undefined && { table }),
    // The reference that an error page shows.
    ...(typeof digest === "string" && { digest }),
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
