import type { Writable } from "node:stream";
import type { PoolClient, QueryResult } from "pg";
import type { Query, Session } from "@/db/named-statements";

const END = /^(?:commit|rollback)$/;

/**
 * The connection of one transaction, for drizzle. Statements that are sent without waiting in between
 * leave in one packet, and PostgreSQL runs them one after the other. docs/decisions/054.
 *
 * @param opening a statement that goes along with BEGIN
 */
export function transactionSession(
  client: PoolClient,
  { session, opening }: { session: Session; opening?: string | undefined },
): Session {
  const { stream } = (client as PoolClient & { connection: { stream: Writable } }).connection;
  const send = session.query as Query;
  let hasEnded = false;

  /** Holds packets back until everything is sent that needs no answer first. */
  function collect(): void {
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  const query: Query = async (config, ...rest) => {
    const { text } = config as { text: string };
    if (hasEnded) {
      // Drizzle rolls back what could not be committed, which PostgreSQL has done already.
      if (text === "rollback") return NO_RESULT;
      throw new Error(`A statement after the end of its transaction: ${text}`);
    }
    hasEnded = END.test(text);
    collect();
    if (text === "begin" && opening !== undefined) return send(`begin; ${opening}`);
    const result = await send(config, ...rest);
    // PostgreSQL's answer to a COMMIT after a statement that failed.
    if (text === "commit" && result.command === "ROLLBACK")
      throw new Error("The transaction was rolled back: one of its statements had failed.");
    return result;
  };
  return { query } as unknown as Session;
}

const NO_RESULT: QueryResult = { rows: [], rowCount: null, command: "", oid: 0, fields: [] };
