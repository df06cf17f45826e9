import { Journal, readJournal } from "@/sandbox/cards/journal";
import type { Change, StoredEvent, TableName, Tables } from "@/sandbox/cards/records";

type Rows = { [T in TableName]: Map<string, Tables[T]> };

const emptyRows = (): Rows => ({
  paymentIntents: new Map(),
  charges: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  events: new Map(),
  deliveries: new Map(),
  answers: new Map(),
});

const DAY_MS = 24 * 60 * 60 * 1000;
/** Stripe keeps idempotency keys for at least a day. */
export const IDEMPOTENCY_KEY_TTL_MS = DAY_MS;
/** Stripe lists events for 30 days. */
const EVENT_TTL_MS = 30 * DAY_MS;

/** Reads stored records and its own uncommitted changes, which are committed together. */
export class Transaction {
  private readonly changed = emptyRows();
  readonly changes: Change[] = [];

  constructor(private readonly rows: Rows) {}

  get<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    return this.changed[table].get(id) ?? this.rows[table].get(id);
  }

  /** Oldest first. */
  list<T extends TableName>(table: T): Tables[T][] {
    const rows: ReadonlyMap<string, Tables[T]> = this.rows[table];
    const changed: ReadonlyMap<string, Tables[T]> = this.changed[table];
    return [...(changed.size === 0 ? rows : new Map([...rows, ...changed])).values()];
  }

  put<T extends TableName>(table: T, record: Tables[T]): Tables[T] {
    const rows: Map<string, Tables[T]> = this.changed[table];
    rows.set(record.id, record);
    this.changes.push([table, record] as unknown as Change);
    return record;
  }
}

/** The sandbox's data, in memory and in a journal file. */
export class Store {
  private rows = emptyRows();
  private journal: Journal;
  /** Called for every event after it was committed. */
  onEvent: (event: StoredEvent) => void = () => undefined;

  constructor(private readonly file: string) {
    readJournal({ file, onTransaction: (changes) => this.apply(changes) });
    this.deleteExpired();
    // Without what is outdated.
    this.journal = new Journal(file, this.snapshot());
  }

  /** Runs synchronously, so transactions are serialised. */
  transact<Result>(run: (tx: Transaction) => Result): Result {
    const tx = new Transaction(this.rows);
    const result = run(tx);
    if (tx.changes.length > 0) {
      this.journal.append(tx.changes);
      this.apply(tx.changes);
      for (const [table, record] of tx.changes) if (table === "events") this.onEvent(record);
    }
    return result;
  }

  read<Result>(run: (tx: Transaction) => Result): Result {
    return run(new Transaction(this.rows));
  }

  clear(): void {
    this.journal.close();
    this.journal = new Journal(this.file, []);
    this.rows = emptyRows();
  }

  close(): void {
    this.journal.close();
  }

  private apply(changes: readonly Change[]): void {
    // A file of an older version may hold tables that are no more.
    for (const [table, record] of changes)
      (this.rows[table] as Map<string, typeof record> | undefined)?.set(record.id, record);
  }

  private *snapshot(): Generator<Change> {
    for (const table of Object.keys(this.rows) as TableName[])
      for (const record of this.rows[table].values()) yield [table, record] as unknown as Change;
  }

  private deleteExpired(): void {
    const { answers, events, deliveries } = this.rows;
    const now = Date.now();
    for (const { id, savedAt } of answers.values())
      if (savedAt < now - IDEMPOTENCY_KEY_TTL_MS) answers.delete(id);
    for (const { id, created } of events.values()) {
      if (created * 1000 >= now - EVENT_TTL_MS) continue;
      events.delete(id);
      deliveries.delete(id);
    }
  }
}
