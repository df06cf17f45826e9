import type { ClientBase, Pool, PoolClient } from "pg";

// PostgreSQL keeps a statement that has a name, parsed, and after some uses its plan, too: the next
// time it is asked for by its name alone. It belongs to the connection, so there may be no pooler in
// between that lends connections for a transaction each. What transactions do goes by keys, and has
// one good plan. Lists and searches have no names: they want a plan for their own values.
// docs/decisions/043.

/** Names per process. Each costs every connection some ten kilobytes at the server. */
const MOST_NAMES = 200;
/** Texts are counted up to this number, then anew: lists of values make many that never come again. */
const MOST_COUNTED = 1_000;
/** How often a text must have been run before it is given a name. */
const FREQUENT = 3;

/** Gives texts that come again and again a name each; undefined for the others. */
export function statementNames({ most = MOST_NAMES, frequent = FREQUENT } = {}) {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= most) return known;
    const count = (counts.get(text) ?? 0) + 1;
    if (count >= frequent) {
      counts.delete(text);
      names.set(text, `s${names.size}`);
      return names.get(text);
    }
    if (counts.size >= MOST_COUNTED) counts.clear();
    counts.set(text, count);
    return undefined;
  };
}

/** The name under which a text is kept. */
export type NameOf = ReturnType<typeof statementNames>;

/**
 * Does a new connection lead to the server itself? A pooler tells its clients another number of a
 * process than that of the connection which it lends them.
 */
export async function isDirect(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid === (client as ClientBase & { processID?: number }).processID;
}

type Query = (...args: unknown[]) => unknown;

/** What drizzle asks of a connection or a pool. */
export type Session = Pick<PoolClient, "query">;

/** A connection whose statements have names; those of a transaction begin with `opening`, too. */
export function namedSession(
  client: PoolClient,
  { nameOf, opening }: { nameOf: NameOf | undefined; opening?: string | undefined },
): Session {
  const send = client.query.bind(client) as Query;
  const query: Query = (config, ...rest) => {
    const { text, values = rest[0] } = config as { text: string; values?: unknown };
    if (opening !== undefined && text === "begin") return send(`begin; ${opening}`);
    const name = Array.isArray(values) && values.length > 0 ? nameOf?.(text) : undefined;
    return send(name === undefined ? config : { ...(config as object), name }, ...rest);
  };
  return { query } as Session;
}

/** A pool whose statements have names. */
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
