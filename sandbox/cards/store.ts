import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/errors/operator-error";
import type { StoredEvent, StoredResponse, TableName, Tables } from "@/sandbox/cards/records";

type Rows = { [Name in TableName]: Map<string, Tables[Name]> };

/** A created or replaced record. */
type Change = readonly [table: TableName, record: Tables[TableName]];

const emptyRows = (): Rows => ({
  paymentIntents: new Map(),
  charges: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  events: new Map(),
  answers: new Map(),
});

/** Stripe keeps idempotency keys for at least a day. */
export const isKept = ({ savedAt }: StoredResponse): boolean =>
  savedAt > Date.now() - 24 * 60 * 60 * 1000;

/**
 * The sandbox's data, in memory and in a file with one line per transaction, appended before the response.
 * It survives a killed process but not a power cut, since the file is not synced.
 */
export class Store {
  private rows = emptyRows();
  private changes: Change[] = [];
  /** Called for every event after its commit. */
  onEvent: (event: StoredEvent) => void = () => undefined;

  /** @throws OperatorError for a malformed file */
  constructor(private readonly file: string) {
    mkdirSync(path.dirname(file), { recursive: true });
    this.load();
    this.compact();
  }

  get<Name extends TableName>(table: Name, id: string): Tables[Name] | undefined {
    return this.rows[table].get(id);
  }

  /** Oldest first. */
  list<Name extends TableName>(table: Name): Tables[Name][] {
    const rows: Map<string, Tables[Name]> = this.rows[table];
    return [...rows.values()];
  }

  /** Call it only within `transact`. */
  put<Name extends TableName>(table: Name, record: Tables[Name]): Tables[Name] {
    const rows: Map<string, Tables[Name]> = this.rows[table];
    rows.set(record.id, record);
    this.changes.push([table, record]);
    return record;
  }

  /** Runs synchronously, so transactions are serialised. A transaction that throws is rolled back. */
  transact<Result>(run: () => Result): Result {
    try {
      const result = run();
      const changes = this.changes;
      if (changes.length > 0) this.append(`${JSON.stringify(changes)}\n`);
      this.changes = [];
      for (const [table, record] of changes)
        if (table === "events") this.onEvent(record as StoredEvent);
      return result;
    } catch (error) {
      if (this.changes.length > 0) this.load();
      throw error;
    }
  }

  clear(): void {
    this.rows = emptyRows();
    this.compact();
  }

  private append(line: string): void {
    const { size } = statSync(this.file);
    try {
      appendFileSync(this.file, line);
    } catch (error) {
      // On a full disk, a part of the line may have been written.
      truncateSync(this.file, size);
      throw error;
    }
  }

  private load(): void {
    this.rows = emptyRows();
    this.changes = [];
    if (!existsSync(this.file)) return;
    // A last line without a newline is incomplete: the process was killed while writing it, before the
    // response.
    const lines = readFileSync(this.file, "utf8").split("\n").slice(0, -1);
    for (const [index, line] of lines.entries()) {
      try {
        // A file of an older version may contain tables that do not exist: skip them.
        for (const [table, record] of JSON.parse(line) as Change[])
          (this.rows[table] as Map<string, typeof record> | undefined)?.set(record.id, record);
      } catch {
        throw new OperatorError(
          `Les données du bac à sable de cartes sont abîmées (${this.file}, ligne ${index + 1}). Supprimez ce fichier pour repartir de zéro.`,
        );
      }
    }
  }

  /** Atomically rewrites the file without expired and replaced records. */
  private compact(): void {
    for (const answer of this.list("answers"))
      if (!isKept(answer)) this.rows.answers.delete(answer.id);
    const changes = Object.entries(this.rows).flatMap(([table, rows]) =>
      [...rows.values()].map((record) => [table, record]),
    );
    const draft = `${this.file}.new`;
    writeFileSync(draft, `${JSON.stringify(changes)}\n`, { mode: 0o600 });
    renameSync(draft, this.file);
  }
}
