import { resourceMissing } from "@/sandbox/cards/api-error";
import type { ApiCall, Params } from "@/sandbox/cards/params";

/**
 * A page of objects, newest first: filtered by `created`, after `starting_after`.
 * `all` must be sorted oldest first.
 */
export function listPage<Item extends { id: string; created: number; object: string }>(
  { params }: ApiCall,
  { what, all }: { what: Item["object"]; all: Item[] },
) {
  const limit = params.integer("limit") ?? 10;
  const isAskedFor = createdFilter(params);
  const wanted = all.filter(({ created }) => isAskedFor(created)).reverse();
  const last = params.text("starting_after");
  const position = wanted.findIndex(({ id }) => id === last);
  if (last !== undefined && position < 0) throw resourceMissing(last, "starting_after", 400);
  const start = position + 1;
  const end = start + limit;
  return {
    object: "list",
    data: wanted.slice(start, end),
    has_more: end < wanted.length,
    url: `/v1/${what}s`,
  };
}

/** Reads `created` and `created[gt|gte|lt|lte]`, in seconds since 1970. */
function createdFilter(params: Params): (created: number) => boolean {
  const exactly = params.integer("created");
  const [gt, gte, lt, lte] = ["gt", "gte", "lt", "lte"].map((bound) =>
    params.integer(`created[${bound}]`),
  );
  return (created) =>
    created === (exactly ?? created) &&
    created > (gt ?? -1) &&
    created >= (gte ?? 0) &&
    created < (lt ?? Number.POSITIVE_INFINITY) &&
    created <= (lte ?? Number.POSITIVE_INFINITY);
}
