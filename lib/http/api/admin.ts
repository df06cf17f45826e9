import type { z } from "zod";
import type { SessionUser, TokenClaims } from "@/lib/http/api/caller";
import type { CsvTable } from "@/lib/http/api/csv";
import { idParams } from "@/lib/http/api/ids";
import type { Page, PageRequest } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import type { Resource } from "@/lib/http/api/resource";
import { route } from "@/lib/http/api/route";
import type { Handler, RouteConfig } from "@/lib/http/api/route-definition";

// What administrators do with a collection, `/api/products`, and with one item, `/api/products/{id}`: the same
// declaration for most of them.

/** Who acts. */
interface AdminCall {
  actor: SessionUser;
  token: TokenClaims;
}

/** And on which item. */
interface AdminItemCall extends AdminCall {
  id: number;
}

type Config<B, T> = RouteConfig<"admin", typeof idParams, undefined, B, T>;

/** GET: a page of the items, or all of them as CSV. */
export function adminPage<Row, S extends z.ZodObject, Q extends z.ZodObject>({
  page,
  table,
  resource,
  ...config
}: Pick<Config<undefined, unknown>, "summary" | "description"> & {
  query: Q;
  page: (query: z.output<Q> & PageRequest) => Promise<Page<Row>>;
  table: (query: z.output<Q>) => CsvTable;
  resource: Resource<Row, S>;
}): Handler {
  return route<"admin", Page<Row>, undefined, Q>({
    ...config,
    access: "admin",
    run: ({ query }) => page(query as z.output<Q> & PageRequest),
    csv: ({ query }) => table(query as z.output<Q>),
    reply: collectionOf(resource),
  });
}

/** POST: adds an item. */
export function adminCreate<B extends z.ZodType, T>({
  run,
  ...config
}: Pick<Config<B, T>, "summary" | "description" | "bodyLimit" | "refusals" | "reply"> & {
  body: B;
  run: (creation: AdminCall & { input: z.output<B> }) => T | Promise<T>;
}): Handler {
  return route<"admin", T, undefined, undefined, B>({
    ...config,
    access: "admin",
    run: ({ user, token, body }) => run({ actor: user, token, input: body as z.output<B> }),
  });
}

/** GET: the item. */
export function adminRead<T>({
  run,
  ...config
}: Pick<Config<undefined, T>, "summary" | "reply"> & {
  run: (item: { id: number }) => T | Promise<T>;
}): Handler {
  return route({ ...config, access: "admin", params: idParams, run: ({ params }) => run(params) });
}

/** PUT: changes the item; 409 where it has changed since it was read. */
export function adminUpdate<B extends z.ZodType, T>({
  run,
  ...config
}: Pick<Config<B, T>, "summary" | "description" | "bodyLimit" | "reply"> & {
  body: B;
  run: (change: AdminItemCall & { input: z.output<B> }) => T | Promise<T>;
}): Handler {
  return route<"admin", T, typeof idParams, undefined, B>({
    ...config,
    access: "admin",
    params: idParams,
    refusals: [409],
    run: ({ user, token, params: { id }, body }) =>
      run({ actor: user, token, id, input: body as z.output<B> }),
  });
}

/** DELETE: takes the item away. */
export function adminDelete({
  run,
  ...config
}: Pick<Config<undefined, void>, "summary" | "description" | "refusals"> & {
  run: (act: AdminItemCall) => Promise<void>;
}): Handler {
  return route({
    ...config,
    access: "admin",
    params: idParams,
    run: ({ user, token, params: { id } }) => run({ actor: user, token, id }),
    reply: 204,
  });
}
