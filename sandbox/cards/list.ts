import { invalidParam, resourceMissing } from "@/sandbox/cards/api-error";
import type { Params } from "@/sandbox/cards/params";

export interface StripeList<Item> {
  object: "list";
  data: Item[];
  has_more: boolean;
  url: string;
}

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** Reads the parameter `created`: an exact time, or a range. */
function createdFilter(params: Params): (created: number) => boolean {
  if (!params.isHash("created")) {
    const exact = params.integer("created");
    return (created) => exact === undefined || created === exact;
  }
  const range = params.hash("created");
  const above = range?.integer("gt") ?? -1;
  const from = range?.integer("gte") ?? 0;
  const below = range?.integer("lt") ?? Number.POSITIVE_INFINITY;
  const to = range?.integer("lte") ?? Number.POSITIVE_INFINITY;
  return (created) => created > above && created >= from && created < below && created <= to;
}

/**
 * One page of a list, newest first, with Stripe's cursors.
 *
 * @param rows oldest first
 */
export function paginate<Row extends { id: string; created: number }>({
  rows,
  params,
  url,
  what,
}: {
  rows: readonly Row[];
  params: Params;
  url: string;
  /** The type of object, for error messages. */
  what: string;
}): StripeList<Row> {
  const limit = params.integer("limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT)
    throw invalidParam({ message: `limit va de 1 à ${MAX_LIMIT}.`, param: "limit" });
  const isWanted = createdFilter(params);
  const wanted = rows.filter((row) => isWanted(row.created)).reverse();

  const positionOf = (param: "starting_after" | "ending_before"): number | undefined => {
    const id = params.text(param);
    if (id === undefined) return undefined;
    const position = wanted.findIndex((row) => row.id === id);
    if (position === -1) throw resourceMissing({ what, id, param, status: 400 });
    return position;
  };
  const after = positionOf("starting_after");
  const before = positionOf("ending_before");
  if (before !== undefined) {
    const from = Math.max(0, before - limit);
    return { object: "list", data: wanted.slice(from, before), has_more: from > 0, url };
  }
  const from = after === undefined ? 0 : after + 1;
  const data = wanted.slice(from, from + limit);
  return { object: "list", data, has_more: from + limit < wanted.length, url };
}
