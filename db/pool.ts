import { connect, type Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { sslOf } from "@/db/connection";
import { traceQuery } from "@/db/query-spans";
import { isConnectionLost, timeoutError } from "@/lib/errors/database-unavailable";
import { OperatorError } from "@/lib/errors/operator-error";
import { sqlErrorIn } from "@/lib/errors/sql-error";
import { createSemaphore, type Semaphore } from "@/lib/runtime/semaphore";
import { ARRAY_TYPES } from "./array-types";

interface PoolOptions {
  url: string;
  /** Maximum number of connections. */
  max: number;
  /** Seconds to wait for a free connection, and again for opening one. */
  connectTimeout: number;
  /** Seconds after which the server cancels a statement. */
  statementTimeout: number;
  /** Seconds after which an unused connection is closed. */
  idleTimeout: number;
  applicationName: string;
  /** DATABASE_PREPARE: whether connections may have settings and prepared statements. */
  isPrepared: boolean;
}

/** Extra seconds for the server's report of a statement timeout. */
const GRACE = 1;

/** Statements and transactions that wait for a connection; further ones fail at once. */
const MAX_WAITING = 500;

interface Client {
  sql: Sql;
  database: PostgresJsDatabase;
}

type Run<T> = (tx: TransactionSql) => Promise<T>;
type Query = ReturnType<Sql["unsafe"]>;

/**
 * Connections of postgres.js for drizzle. Adds to postgres.js: timeouts for a connection and for an answer,
 * prepared statements for drizzle, and a new client after a lost connection. docs/decisions/065.
 */
export class Pool {
  private readonly permits: Semaphore;
  private readonly sockets = new Set<Socket>();
  private client: Client | undefined;

  constructor(private readonly options: PoolOptions) {
    this.permits = createSemaphore(options.max);
  }

  /** Read it at each use: the client is replaced after a lost connection. */
  get database(): PostgresJsDatabase {
    this.client ??= this.open();
    return this.client.database;
  }

  /** The connections by state, and the number of statements and transactions waiting for one. */
  get usage(): { used: number; idle: number; waiting: number } {
    for (const socket of this.sockets) if (socket.destroyed) this.sockets.delete(socket);
    const { inUse: used, waiting } = this.permits;
    return { used, idle: Math.max(0, this.sockets.size - used), waiting };
  }

  /** Closes the connections after their statements; the next statement opens another one. */
  async close(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.sql.end({ timeout: this.answerTimeout });
  }

  /** Seconds to wait for an answer: an answer, or the report of a timeout, may be lost in the network. */
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
      // By default postgres.js waits up to 20 s after failures before it reconnects.
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

  /** A pooler refuses session settings (`ignore_startup_parameters`), or applies them to all its clients. */
  private settings(): PostgresOptions["connection"] {
    const { applicationName, statementTimeout, isPrepared } = this.options;
    if (!isPrepared) return { application_name: applicationName };
    return {
      application_name: applicationName,
      statement_timeout: statementTimeout * 1_000,
      idle_in_transaction_session_timeout: 2 * statementTimeout * 1_000,
      // For lists and searches: a plan for a common word is wrong for a rare word.
      plan_cache_mode: "force_custom_plan",
    };
  }

  private connect({ host: [host], port: [port], path }: Target): Socket {
    const socket = connect(path ? { path } : { host, port: Number(port), noDelay: true });
    this.sockets.add(socket);
    // postgres.js reads `host` and `port` of the socket for the certificate and for error messages.
    return Object.assign(socket, { host, port });
  }

  /**
   * Replaces `unsafe`, which drizzle calls as `unsafe(text, values)` and `unsafe(text, values).values()`.
   * Drizzle prepares only statements with an explicit name; here all are prepared.
   */
  private statements(sql: Sql | TransactionSql, run: (query: Query) => Promise<unknown>) {
    return (text: string, values: unknown[]) => {
      const query = sql.unsafe(text, values as never[], { prepare: true });
      const result = traceQuery(text, () => run(query));
      const inArrays = () => {
        // The query can still be changed: postgres.js sends it in a later microtask.
        query.values();
        return result;
      };
      return Object.assign(result, { values: inArrays });
    };
  }

  /** Waits for a free connection, with a timeout and in a bounded queue: postgres.js would wait forever. */
  private withPermit<T>(run: () => Promise<T>): Promise<T> {
    const atMost = this.options.connectTimeout * 1_000;
    const error = () => timeoutError("No connection was free in time");
    return this.permits.run(run, { atMost, maxWaiting: MAX_WAITING, error });
  }

  /** Waits for the server's answer, with a timeout. */
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
   * Returns the error to throw. A client that has lost a connection gets no more work, since postgres.js could
   * return one statement's answer for another statement. Its other connections finish their work.
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
   * 1. postgres.js sends BEGIN, and calls back after the answer.
   * 2. `run` sends its statements, each with a timeout for its answer.
   * 3. After `run` postgres.js sends COMMIT, or ROLLBACK after an error.
   * 4. If the connection is lost, or silent for too long, the caller gets an error at once. For postgres.js
   *    `run` never ends then: otherwise it would send COMMIT or ROLLBACK on a connection that is closed or
   *    that another transaction uses.
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
    /** Runs the transaction, or a nested part in a savepoint. */
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
        // Statements of transactions look rows up by key: one plan suits all values. Sent with the first one.
        if (this.options.isPrepared) tx.unsafe("set local plan_cache_mode = auto").catch(fail);
        try {
          return await attempt(tx, run, fail);
        } finally {
          // A statement sent after COMMIT would run outside the transaction.
          isOver = true;
          timer = this.limitSilence(lose);
        }
      }) as Promise<T>;
      const result = await Promise.race([whole, loss]);
      // PostgreSQL answers COMMIT with a rollback after a failed statement.
      if (failure) throw failure;
      return result;
    } catch (error) {
      // Of statements that were sent together, the first failure is the cause.
      throw this.afterError(sql, isAborted(error) ? (failure ?? error) : error);
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  }
}

/** Whether the statement failed only because an earlier one had failed (SQLSTATE 25P02). */
const isAborted = (error: unknown) => sqlErrorIn(error)?.code === "25P02";

/** PgBouncer's answer to an unknown setting. */
const isSettingRefused = (error: unknown) =>
  error instanceof Error && error.message.startsWith("unsupported startup parameter");

const POOLER_HINT =
  "DATABASE_URL mène à un répartiteur de connexions (PgBouncer) : donnez aussi DATABASE_PREPARE=0.";

/** The target of a custom socket; missing in the types of postgres.js. */
type Target = { host: string[]; port: (string | number)[]; path?: string };
type PostgresOptions = postgres.Options<Record<never, never>> & {
  socket: (target: Target) => Socket;
};
