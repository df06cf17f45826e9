import type { ClientBase, Pool, PoolClient, QueryResult } from "pg";

// Named prepared statements: PostgreSQL keeps them parsed and, after some uses, planned. They belong to
// the connection, so there may be no pooler in between that shares connections between transactions.
// The statements of transactions look up keys and have one good plan. Lists and searches are not
// prepared: they need a plan for their own values. docs/decisions/043.

/** Statements per process. Each costs some ten kilobytes per connection at the server. */
const MAX_NAMES = 200;
/** Texts that are counted before all counts are reset: lists of values make many unique ones. */
const MAX_COUNTED = 1_000;
/** Uses of a text before it is prepared. */
const MIN_USES = 3;

/** Gives each frequent text a name; undefined for the others. */
export function statementNames({ maxNames = MAX_NAMES, minUses = MIN_USES } = {}) {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxNames) return known;
    const count = (counts.get(text) ?? 0) + 1;
    if (count >= minUses) {
      counts.delete(text);
      names.set(text, `s${names.size}`);
      return names.get(text);
    }
    if (counts.size >= MAX_COUNTED) counts.clear();
    counts.set(text, count);
    return undefined;
  };
}

/** The name of a text's prepared statement. */
export type NameOf = ReturnType<typeof statementNames>;

/**
 * Is this connection made to the server itself? A pooler gives its clients another process id than
 * that of the server's connection.
 */
export async function isDirect(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid === (client as ClientBase & { processID?: number }).processID;
}

/** `query` as drizzle calls it. */
export type Query = (...args: unknown[]) => Promise<QueryResult>;

/** What drizzle uses of a connection or a pool. */
export type Session = Pick<PoolClient, "query">;

/** A connection with prepared statements. */
export function namedSession(client: PoolClient, { nameOf }: { nameOf: NameOf | undefined }) {
  const send = client.query.bind(client) as Query;
  const query: Query = (config, ...rest) => {
    const { text, values = rest[0] } = config as { text: string; values?: unknown };
    const name = Array.isArray(values) && values.length > 0 ? nameOf?.(text) : undefined;
    return send(name === undefined ? config : { ...(config as object), name }, ...rest);
  };
  return { query } as Session;
}

/** A pool with prepared statements. */
export function namedPool(
  pool: Pool,
  { namesOf }: { namesOf: (client: PoolClient) => NameOf | undefined },
): Session {
  const query: Query = async (...args) => {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      const session = namedSession(client, { nameOf: namesOf(client) });
      return await (session.query as Query)(...args);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  };
  return { query } as Session;
}
