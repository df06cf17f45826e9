import type { z } from "zod";
import type { Act, Creation, Update } from "@/lib/audit/mutations";
import { adminCreate, adminItem } from "@/lib/http/api/admin";
import type { CsvTable } from "@/lib/http/api/csv";
import type { Page, PageRequest } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import type { Resource } from "@/lib/http/api/resource";
import { route } from "@/lib/http/api/route";

// The handlers of an entity's two paths, `/api/carts` and `/api/carts/{id}`, from what the documentation says
// of each.

/** A call's summary, or more about it. */
type Text<More = unknown> = string | ({ summary: string; description?: string } & More);

/** Further refusals than those of every such call. */
type WithRefusals = { refusals?: number[] };
/** Bytes of the body. */
type WithLimit = { bodyLimit?: number };

const about = <More>(text: Text<More>) => (typeof text === "string" ? { summary: text } : text);

/** The part of a `adminList` that its paths need. */
interface List<Row, S extends z.ZodObject, Q extends z.ZodObject> {
  resource: Resource<Row, S>;
  query: Q;
  page: (query: z.output<Q> & PageRequest) => Promise<Page<Row>>;
  table: (query: z.output<Q>) => CsvTable;
}

/** GET of `/api/carts`: a page of the items, or all of them as CSV. */
export const listHandlers = <Row, S extends z.ZodObject, Q extends z.ZodObject>(
  { query, page, table, resource }: List<Row, S, Q>,
  list: Text,
) => ({
  GET: route<"admin", Page<Row>, undefined, Q>({
    ...about(list),
    access: "admin",
    query,
    run: ({ query }) => page(query as z.output<Q> & PageRequest),
    csv: ({ query }) => table(query as z.output<Q>),
    reply: collectionOf(resource),
  }),
});

/** GET and POST of `/api/carts`. */
export const collectionHandlers = <
  Row,
  S extends z.ZodObject,
  Q extends z.ZodObject,
  I extends z.ZodType,
>(
  entity: List<Row, S, Q> & {
    input: I;
    create: (creation: Creation<z.output<I>>) => Promise<Row>;
  },
  { list, create }: { list: Text; create: Text<WithRefusals & WithLimit> },
) => ({
  ...listHandlers(entity, list),
  POST: adminCreate({
    ...about(create),
    body: entity.input,
    run: entity.create,
    reply: entity.resource,
  }),
});

/** GET, PUT and DELETE of `/api/carts/{id}`. */
export const itemHandlers = <Row, S extends z.ZodObject, C extends z.ZodType>(
  {
    resource,
    ...entity
  }: {
    resource: Resource<Row, S>;
    change: C;
    one: (item: { id: number }) => Promise<Row>;
    update: (change: Update<z.output<C>>) => Promise<Row>;
    remove: (act: Act) => Promise<void>;
  },
  { read, update, remove }: { read: string; update: Text<WithLimit>; remove: Text<WithRefusals> },
) => ({
  GET: adminItem({ summary: read, run: entity.one, reply: resource }),
  PUT: adminItem({ ...about(update), body: entity.change, run: entity.update, reply: resource }),
  DELETE: adminItem({ ...about(remove), run: entity.remove, reply: 204 }),
});
