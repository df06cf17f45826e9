import pino from "pino";

/** The server's log: one JSON line per event on standard output. */
export const log = pino({
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: ["password", "token", "authorization", "*.password", "*.token", "*.authorization"],
});
