import { resourceMissing } from "@/sandbox/cards/api-error";
import type { ApiCall } from "@/sandbox/cards/params";

/** A page of objects, given oldest first: those since `created[gte]`, newest first, after `starting_after`. */
export function listPage<Item extends { id: string; created: number; object: string }>(
  { params }: ApiCall,
  { what, all }: { what: Item["object"]; all: Item[] },
) {
  const limit = params.integer("limit") ?? 10;
  const since = params.integer("created[gte]") ?? 0;
  const after = params.text("starting_after");
  const wanted = all.filter(({ created }) => created >= since).reverse();
  const start = after === undefined ? 0 : wanted.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw resourceMissing(after, "starting_after", 400);
  return {
    object: "list",
    data: wanted.slice(start, start + limit),
    has_more: start + limit < wanted.length,
    url: `/v1/${what}s`,
  };
}
