import { connect, type Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { sslOf } from "@/db/connection";
import { traceQuery } from "@/db/query-spans";
import { isConnectionLost, timeoutError } from "@/lib/database-outage";
import { OperatorError } from "@/lib/operator-error";
import { createSemaphore, type Semaphore } from "@/lib/semaphore";
import { sqlErrorIn } from "@/lib/sql-error";
import { ARRAY_TYPES } from "./array-types";

interface PoolOptions {
  url: string;
  /** The maximum of connections. */
  max: number;
  /** Seconds to wait for a free connection, and as many to make one. */
  connectTimeout: number;
  /** Seconds after which the server cancels a statement. */
  statementTimeout: number;
  /** Seconds after which an unused connection is closed. */
  idleTimeout: number;
  applicationName: string;
  /** DATABASE_PREPARE: whether connections may have settings and prepared statements. */
  isPrepared: boolean;
}

/** Seconds that the server has to report the timeout of a statement. */
const GRACE = 1;

interface Client {
  sql: Sql;
  database: PostgresJsDatabase;
}

type Run<T> = (tx: TransactionSql) => Promise<T>;
type Query = ReturnType<Sql["unsafe"]>;

/**
 * Connections of postgres.js for drizzle, with three things that postgres.js leaves open: waiting for a
 * connection or an answer is bounded, drizzle's statements are prepared, and a client that has lost a
 * connection is replaced. docs/decisions/065.
 */
export class Pool {
  private readonly permits: Semaphore;
  private readonly sockets = new Set<Socket>();
  private client: Client | undefined;

  constructor(private readonly options: PoolOptions) {
    this.permits = createSemaphore(options.max);
  }

  /** To be read at each use: it is another one after a connection was lost. */
  get database(): PostgresJsDatabase {
    this.client ??= this.open();
    return this.client.database;
  }

  /** The connections by state, and how many statements and transactions wait for one. */
  get usage(): { used: number; idle: number; waiting: number } {
    for (const socket of this.sockets) if (socket.destroyed) this.sockets.delete(socket);
    const { inUse: used, waiting } = this.permits;
    return { used, idle: Math.max(0, this.sockets.size - used), waiting };
  }

  /** Closes the connections after their statements; the next statement would open another one. */
  async close(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.sql.end({ timeout: this.answerTimeout });
  }

  /** Seconds: the answer, or the server's report of a timeout, may be lost in the network. */
  private get answerTimeout(): number {
    return this.options.statementTimeout + GRACE;
  }

  private open(): Client {
    const { url, max, connectTimeout, idleTimeout, isPrepared } = this.options;
    const options: PostgresOptions = {
      max,
      connect_timeout: connectTimeout,
      ssl: sslOf(url),
      idle_timeout: idleTimeout,
      // Else it waits for up to 20 s after failures before it connects again.
      backoff: () => 0,
      prepare: isPrepared,
      connection: this.settings(),
      onnotice: () => undefined,
      socket: (to) => this.connect(to),
      ...ARRAY_TYPES,
    };
    const sql = postgres(url, options);
    const session = {
      options: sql.options,
      unsafe: this.statements(sql, (query) => this.withPermit(() => this.answer(sql, query))),
      begin: <T>(run: Run<T>) => this.withPermit(() => this.transact(sql, run)),
    };
    return { sql, database: drizzle({ client: session as unknown as Sql }) };
  }

  /** A pooler refuses them (`ignore_startup_parameters`), or gives them to everybody. */
  private settings(): PostgresOptions["connection"] {
    const { applicationName, statementTimeout, isPrepared } = this.options;
    if (!isPrepared) return { application_name: applicationName };
    return {
      application_name: applicationName,
      statement_timeout: statementTimeout * 1_000,
      idle_in_transaction_session_timeout: 2 * statementTimeout * 1_000,
      // For lists and searches: a plan for a common word is the wrong one for a rare one.
      plan_cache_mode: "force_custom_plan",
    };
  }

  private connect({ host: [host], port: [port], path }: Target): Socket {
    const socket = connect(path ? { path } : { host, port: Number(port), noDelay: true });
    this.sockets.add(socket);
    // As on a socket of postgres.js: for the certificate, and for messages.
    return Object.assign(socket, { host, port });
  }

  /**
   * `unsafe`, as drizzle calls it: `unsafe(text, values)` and `unsafe(text, values).values()`. Drizzle
   * has only those statements prepared that were given a name by hand; here all are.
   */
  private statements(sql: Sql | TransactionSql, run: (query: Query) => Promise<unknown>) {
    return (text: string, values: unknown[]) => {
      const query = sql.unsafe(text, values as never[], { prepare: true });
      const result = traceQuery(text, () => run(query));
      const inArrays = () => {
        // Not sent yet: postgres.js does so in a later microtask.
        query.values();
        return result;
      };
      return Object.assign(result, { values: inArrays });
    };
  }

  /** Waits for a free connection: postgres.js itself would do so without end. */
  private withPermit<T>(run: () => Promise<T>): Promise<T> {
    const error = () => timeoutError("No connection was free in time");
    return this.permits.run(run, { atMost: this.options.connectTimeout * 1_000, error });
  }

  /** Waits for an answer of the server. */
  private async answer<T>(sql: Sql, result: PromiseLike<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = this.limitSilence(reject);
    });
    try {
      return await Promise.race([result, silence]);
    } catch (error) {
      throw this.afterError(sql, error);
    } finally {
      clearTimeout(timer);
    }
  }

  private limitSilence(giveUp: (error: unknown) => void): NodeJS.Timeout {
    const onTimeout = () => giveUp(timeoutError("The database did not answer in time"));
    return setTimeout(onTimeout, this.answerTimeout * 1_000);
  }

  /**
   * What to throw for an error. A client that has lost a connection gets no more work: postgres.js could take
   * the answer to one statement for that to another. Its other connections finish what they do.
   */
  private afterError(sql: Sql, error: unknown): unknown {
    if (isConnectionLost(error) && this.client?.sql === sql) {
      this.client = undefined;
      void sql.end({ timeout: this.answerTimeout });
    }
    return isSettingRefused(error) ? new OperatorError(POOLER_HINT, { cause: error }) : error;
  }

  /**
   * A transaction by `begin` of postgres.js:
   *
   * 1. postgres.js sends BEGIN, and calls back once that is answered.
   * 2. `run` sends its statements, each with a limit for its answer.
   * 3. After `run` postgres.js sends COMMIT, or ROLLBACK for an error.
   * 4. A connection that is lost, or silent for too long, ends all this for the caller at once. To postgres.js
   *    `run` then never ends: COMMIT or ROLLBACK would go to a connection that is gone, or is somebody else's.
   */
  private async transact<T>(sql: Sql, run: Run<T>): Promise<T> {
    let isOver = false;
    let failure: unknown;
    let lose: (error: unknown) => void = () => undefined;
    const loss = new Promise<never>((_, reject) => {
      lose = reject;
    });
    let timer = this.limitSilence(lose);

    const send = (query: Query, onError?: (error: unknown) => void): Promise<unknown> => {
      if (isOver) return Promise.reject(new Error("A statement after the end of its transaction."));
      return this.answer(sql, query).catch((error: unknown) => {
        onError?.(error);
        if (isConnectionLost(error)) {
          isOver = true;
          lose(error);
        }
        throw error;
      });
    };
    /** Runs the transaction, or a part of it in a savepoint. */
    const attempt = async <R>(
      tx: TransactionSql,
      part: Run<R>,
      onError?: (error: unknown) => void,
    ): Promise<R> => {
      const session = {
        options: sql.options,
        unsafe: this.statements(tx, (query) => send(query, onError)),
        savepoint: (inner: Run<unknown>) => tx.savepoint((savepoint) => attempt(savepoint, inner)),
      };
      try {
        return await part(session as unknown as TransactionSql);
      } finally {
        if (isOver) await new Promise<never>(() => undefined);
      }
    };

    try {
      const whole = sql.begin(async (tx) => {
        clearTimeout(timer);
        const fail = (error: unknown) => {
          failure ??= error;
        };
        // Its statements go by keys: one plan suits all values. Sent along with the first of them.
        if (this.options.isPrepared) tx.unsafe("set local plan_cache_mode = auto").catch(fail);
        try {
          return await attempt(tx, run, fail);
        } finally {
          // What comes after COMMIT would run on its own.
          isOver = true;
          timer = this.limitSilence(lose);
        }
      }) as Promise<T>;
      const result = await Promise.race([whole, loss]);
      // PostgreSQL has answered COMMIT by a rollback.
      if (failure) throw failure;
      return result;
    } catch (error) {
      // Statements that were sent together: the one that failed first says why.
      throw this.afterError(sql, isAborted(error) ? (failure ?? error) : error);
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  }
}

/** Only because a statement before it has failed (SQLSTATE 25P02)? */
const isAborted = (error: unknown) => sqlErrorIn(error)?.code === "25P02";

/** PgBouncer's answer to a setting that it does not know. */
const isSettingRefused = (error: unknown) =>
  error instanceof Error && error.message.startsWith("unsupported startup parameter");

const POOLER_HINT =
  "DATABASE_URL mène à un répartiteur de connexions (PgBouncer) : donnez aussi DATABASE_PREPARE=0.";

/** What a custom socket connects to; not in the types of postgres.js. */
type Target = { host: string[]; port: (string | number)[]; path?: string };
type PostgresOptions = postgres.Options<Record<never, never>> & {
  socket: (target: Target) => Socket;
};
