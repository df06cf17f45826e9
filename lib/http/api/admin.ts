import type { z } from "zod";
import type { SessionUser, TokenClaims } from "@/lib/http/api/caller";
import { idParams } from "@/lib/http/api/ids";
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
type Declared = "summary" | "description" | "bodyLimit" | "refusals" | "reply";

/** POST: adds an item. */
export function adminCreate<B extends z.ZodType, T>({
  run,
  ...config
}: Pick<Config<B, T>, Declared> & {
  body: B;
  run: (creation: AdminCall & { input: z.output<B> }) => T | Promise<T>;
}): Handler {
  return route<"admin", T, undefined, undefined, B>({
    ...config,
    access: "admin",
    run: ({ user, token, body }) => run({ actor: user, token, input: body as z.output<B> }),
  });
}

/** GET, PUT or DELETE: reads the item, changes it, or takes it away. A change is 409 where the item has changed meanwhile. */
export function adminItem<T, B extends z.ZodType = z.ZodUndefined>({
  run,
  ...config
}: Pick<Config<B, T>, Declared> & {
  body?: B;
  run: (call: AdminItemCall & { input: z.output<B> }) => T | Promise<T>;
}): Handler {
  return route<"admin", T, typeof idParams, undefined, B>({
    ...(config.body && { refusals: [409] }),
    ...config,
    access: "admin",
    params: idParams,
    run: ({ user, token, params: { id }, body }) =>
      run({ actor: user, token, id, input: body as z.output<B> }),
  });
}
