import { sql } from "drizzle-orm";
import { inFrenchOrder } from "@/db/french-order";
import { fromReplica } from "@/db/replica";
import { found } from "@/lib/errors";
import { offsetOf, type Page, type PageRequest } from "@/lib/http/api/paging";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

// Categories and tags: few, and kept in memory.

export type LabelRow = { id: number; name: string; color: string };

/** All categories, by name. */
export const listCategories = () => listLabels({ table: "categories", tag: CACHE_TAGS.categories });

/** All tags, by name. */
export const listTags = () => listLabels({ table: "tags", tag: CACHE_TAGS.tags });

function listLabels({ table, tag }: { table: "categories" | "tags"; tag: string }) {
  return cached<LabelRow[]>({
    key: ["labels", table],
    tags: [tag],
    run: async () => {
      const query = sql`select id, name, color from ${sql.identifier(table)} order by ${inFrenchOrder(sql`name`)}, id`;
      return fromReplica((db) => db.execute<LabelRow>(query));
    },
  });
}

/** One page of the categories. */
export const listCategoriesPage = async (request: PageRequest) =>
  slice(await listCategories(), request);

/** One page of the tags. */
export const listTagsPage = async (request: PageRequest) => slice(await listTags(), request);

function slice(labels: LabelRow[], request: PageRequest): Page<LabelRow> {
  const offset = offsetOf(request);
  return { items: labels.slice(offset, offset + request.itemsPerPage), total: labels.length };
}

/** The category, or null. */
export const getCategory = async (id: number) => withId(await listCategories(), id);

/** The tag, or null. */
export const getTag = async (id: number) => withId(await listTags(), id);

const withId = (labels: LabelRow[], id: number) => labels.find((label) => label.id === id) ?? null;

/** The category; 404 where there is none. */
export const requireCategory = async (id: number) => found(await getCategory(id));

/** The tag; 404 where there is none. */
export const requireTag = async (id: number) => found(await getTag(id));
