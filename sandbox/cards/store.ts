import { Journal } from "@/sandbox/cards/journal";
import type { Change, StoredEvent, TableName, Tables } from "@/sandbox/cards/records";

type Rows = { [T in TableName]: Map<string, Tables[T]> };

const emptyRows = (): Rows => ({
  paymentIntents: new Map(),
  charges: new Map(),
  refunds: new Map(),
  paymentMethods: new Map(),
  events: new Map(),
  deliveries: new Map(),
  answers: new Map(),
});

const DAY_MS = 24 * 60 * 60 * 1000;
/** Stripe forgets idempotency keys after at least a day. */
export const ANSWER_LIFE_MS = DAY_MS;
/** Stripe lists the events of 30 days. */
const EVENT_LIFE_MS = 30 * DAY_MS;
/** So many outdated lines the file may hold before it is written anew at a start. */
const TOLERATED_WASTE = 1_000;

/** Reads what is kept and what it has changed itself; all of it counts at its end, or nothing. */
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

/** All that the sandbox knows: in memory, and in a file that survives the process. */
export class Store {
  private rows = emptyRows();
  private readonly journal: Journal;
  /** Told of every event right after it was kept. */
  onEvent: (event: StoredEvent) => void = () => undefined;

  constructor(file: string) {
    let read = 0;
    this.journal = Journal.open({
      file,
      onTransaction: (changes) => {
        read += changes.length;
        this.apply(changes);
      },
    });
    this.forgetOld();
    const kept = [...this.everything()];
    if (read > kept.length + TOLERATED_WASTE) this.journal.replace(kept);
  }

  /** Runs without a pause in between, so that requests cannot come between each other. */
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
    this.journal.replace([]);
    this.rows = emptyRows();
  }

  close(): void {
    this.journal.close();
  }

  private apply(changes: readonly Change[]): void {
    for (const [table, record] of changes)
      (this.rows[table] as Map<string, typeof record>).set(record.id, record);
  }

  private *everything(): Generator<Change> {
    for (const table of Object.keys(this.rows) as TableName[])
      for (const record of this.rows[table].values()) yield [table, record] as unknown as Change;
  }

  private forgetOld(): void {
    const { answers, events, deliveries } = this.rows;
    const now = Date.now();
    for (const { id, savedAt } of answers.values())
      if (savedAt < now - ANSWER_LIFE_MS) answers.delete(id);
    for (const { id, created } of events.values()) {
      if (created * 1000 >= now - EVENT_LIFE_MS) continue;
      events.delete(id);
      deliveries.delete(id);
    }
  }
}
