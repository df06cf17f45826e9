import type { z } from "zod";
import type { SessionUser, TokenClaims } from "@/lib/http/api/caller";
import { idParams } from "@/lib/http/api/ids";
import { route } from "@/lib/http/api/route";
import type { Handler, ParsedBody, RouteConfig } from "@/lib/http/api/route-definition";

// What administrators do with one item, `/api/products/{id}`: the same declaration for most of them.

/** Of which item, and who acts. */
interface StaffCall {
  actor: SessionUser;
  token: TokenClaims;
  id: number;
}

type Config<B, T> = RouteConfig<"admin", typeof idParams, undefined, B, T>;

/** GET: the item. */
export function staffRead<T>({
  run,
  ...config
}: Pick<Config<undefined, T>, "summary" | "reply"> & {
  run: (item: { id: number }) => T | Promise<T>;
}): Handler {
  return route({ ...config, access: "admin", params: idParams, run: ({ params }) => run(params) });
}

/** PUT: changes the item; 409 where it has changed since it was read. */
export function staffUpdate<B extends z.ZodType, T>({
  run,
  ...config
}: Pick<Config<B, T>, "summary" | "description" | "bodyLimit" | "reply"> & {
  body: B;
  run: (change: StaffCall & { input: ParsedBody<B> }) => T | Promise<T>;
}): Handler {
  return route<"admin", T, typeof idParams, undefined, B>({
    ...config,
    access: "admin",
    params: idParams,
    refusals: [409],
    run: ({ user, token, params: { id }, body }) => run({ actor: user, token, id, input: body }),
  });
}

/** DELETE: takes the item away. */
export function staffDelete({
  run,
  ...config
}: Pick<Config<undefined, void>, "summary" | "description" | "refusals"> & {
  run: (act: StaffCall) => Promise<void>;
}): Handler {
  return route({
    ...config,
    access: "admin",
    params: idParams,
    run: ({ user, token, params: { id } }) => run({ actor: user, token, id }),
    reply: 204,
  });
}
