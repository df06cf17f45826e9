import { eq } from "drizzle-orm";
import type { PgColumn, PgInsertValue, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { refuseDuplicate } from "@/db/unique";
import { type Act, type Creation, recordChange, type Update } from "@/lib/audit/mutations";
import type { Entity, Snapshot } from "@/lib/audit/rules";
import type { Resource } from "@/lib/http/api/resource";
import { type ByIds, type CsvColumns, listOf } from "./list";
import { type ListDeclaration, listSource } from "./list-source";
import { requireVersion } from "./version";

/** A table whose rows admins write. */
type AdminTable = PgTable & { id: PgColumn; version: PgColumn };

/** What a list is made from. */
interface ListConfig<Row, S extends z.ZodObject, Q extends z.ZodObject, Item> {
  /** The JSON of a row: in the API, in the history, and in a refusal of an old version. */
  resource: Resource<Row, S>;
  /** The query of the list. */
  query: Q;
  source: ListDeclaration<z.output<Q>>;
  read: (options: ByIds) => Promise<readonly Row[]>;
  /** The CSV's file name without date and extension: `adresses`. */
  fileName: string;
  /** The CSV's columns by their headings. */
  columns: CsvColumns<NoInfer<Item>>;
  /** What the columns show; by default the JSON. */
  csvItem?: (row: Row) => Item;
}

/** A list that admins read: a page, all rows as CSV, and one row. */
export function adminList<
  Row extends { id: number },
  S extends z.ZodObject,
  Q extends z.ZodObject,
  Item = z.input<S>,
>({ resource, query, source, csvItem, ...config }: ListConfig<Row, S, Q, Item>) {
  const toItem = csvItem ?? (resource.toJson as unknown as (row: Row) => Item);
  const list = listOf({ ...config, sourceOf: listSource(source), toJson: toItem });
  return { resource, query, ...list };
}

interface EntityConfig<Row, I extends z.ZodType, C extends z.ZodType> {
  /** The name in the history. */
  entity: Entity;
  table: AdminTable;
  /** The body that creates an object. */
  input: I;
  /** The body that changes one, with the `version` that was read. */
  change: C;
  /**
   * Locks an object, and before it everything that must be locked first. `input` is missing for a removal. By
   * default the row alone is locked.
   */
  lock?: (tx: Transaction, target: { id: number; input?: Change<C> }) => Promise<unknown>;
  /** Writes an object. @returns its id */
  create: (tx: Transaction, creation: Creation<z.output<I>>) => Promise<number>;
  /** Writes the sent fields of `current`, the locked object. */
  update: (tx: Transaction, change: Update<Change<C>> & { current: Row }) => Promise<unknown>;
  /** Removes `current`, the locked object; by default deletes the row. */
  remove?: (tx: Transaction, act: Act & { current: Row }) => Promise<unknown>;
  /** What the history keeps of an object, if it is not the JSON. */
  snapshotOf?: (row: Row) => Snapshot;
  /** What is said where a unique key is violated, by the key's name. */
  duplicates?: Readonly<Record<string, () => Error>>;
  /** Expires the cached pages that showed `before` or show `after`. */
  expire?: (states: { before: Row | null; after: Row | null }) => Promise<void>;
}

/** The fields of a change, without the version. */
type Change<C extends z.ZodType> = Omit<z.output<C>, "version">;

/**
 * Everything that admins do with one kind of objects. Each write is one transaction: lock, check the version,
 * write, read again, record in the history. After it, cached pages expire. The functions of the definition may
 * throw what refuses a write.
 */
export function adminEntity<
  Row extends { id: number },
  S extends z.ZodObject,
  Q extends z.ZodObject,
  I extends z.ZodType,
  C extends z.ZodType<{ version?: number | null | undefined }>,
  Item = z.input<S>,
>(config: ListConfig<Row, S, Q, Item> & EntityConfig<Row, I, C>) {
  const { entity, table, resource, input, change, duplicates = {}, expire } = config;
  const list = adminList(config);
  const jsonOf = (row: Row) => resource.toJson(row) as Snapshot & { id: number; version: number };
  const { snapshotOf = jsonOf } = config;

  async function locked(tx: Transaction, target: { id: number; input?: Change<C> }) {
    if (config.lock) await config.lock(tx, target);
    else await tx.select().from(table).where(eq(table.id, target.id)).for("update");
    return list.one({ id: target.id, tx });
  }

  return {
    ...list,
    input,
    change,

    create: async ({ actor, input }: Creation<z.output<I>>): Promise<Row> => {
      const after = await db
        .transaction(async (tx) => {
          const id = await config.create(tx, { actor, input });
          const row = await list.one({ id, tx });
          await recordChange(tx, { actor, entity, id, before: null, after: snapshotOf(row) });
          return row;
        })
        .catch(refuseDuplicate(duplicates));
      await expire?.({ before: null, after });
      return after;
    },

    /** @throws 404, 409 for an old version */
    update: async ({ actor, id, input }: Update<z.output<C>>): Promise<Row> => {
      const { version: sent, ...fields } = input;
      const states = await db
        .transaction(async (tx) => {
          const before = await locked(tx, { id, input: fields });
          await requireVersion(tx, { entity, sent, current: jsonOf(before) });
          await config.update(tx, { actor, id, input: fields, current: before });
          const after = await list.one({ id, tx });
          const snapshots = { before: snapshotOf(before), after: snapshotOf(after) };
          await recordChange(tx, { actor, entity, id, ...snapshots });
          return { before, after };
        })
        .catch(refuseDuplicate(duplicates));
      await expire?.(states);
      return states.after;
    },

    /** @throws 404 */
    remove: async ({ actor, id }: Act): Promise<void> => {
      const before = await db.transaction(async (tx) => {
        const current = await locked(tx, { id });
        if (config.remove) await config.remove(tx, { actor, id, current });
        else await tx.delete(table).where(eq(table.id, id));
        await recordChange(tx, { actor, entity, id, before: snapshotOf(current), after: null });
        return current;
      });
      await expire?.({ before, after: null });
    },
  };
}

/** Inserts a row. @returns its id */
export async function insertRow<T extends AdminTable>(
  tx: Transaction,
  table: T,
  values: PgInsertValue<T>,
): Promise<number> {
  const [row] = await tx.insert(table).values(values).returning({ id: table.id });
  if (!row) throw new Error("The row was not written.");
  return row.id as number;
}

/** Sets the given columns of a row, and its next version. */
export async function changeRow<T extends AdminTable>(
  tx: Transaction,
  table: T,
  { id, ...columns }: PgUpdateSetSource<T> & { id: number },
): Promise<void> {
  const values = { ...columns, ...nextVersion(table) } as PgUpdateSetSource<T>;
  await tx.update(table).set(values).where(eq(table.id, id));
}
