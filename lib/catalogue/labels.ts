import { sql } from "drizzle-orm";
import { db } from "@/db";
import { inFrenchOrder } from "@/db/french-order";
import { offsetOf, type Page, type PageRequest } from "@/lib/http/api/paging";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { CatalogueLabel } from "./rules";

// Categories and tags are few: they are cached in memory.

/** All categories, by name. */
export const listCategories = () => listLabels("categories");

/** A category with the names of the characteristics that its products can be filtered by. */
export type FilterCategory = CatalogueLabel & { filters: string[] };

/** All categories with their filters, by name. */
export const listFilterCategories = () =>
  cached<FilterCategory[]>({
    key: ["labels", "categories", "filters"],
    tags: [CACHE_TAGS.categories],
    run: async () =>
      db.execute<FilterCategory>(
        sql`select id, name, color, filters from categories order by ${inFrenchOrder(sql`name`)}, id`,
      ),
  });

/** All tags, by name. */
export const listTags = () => listLabels("tags");

function listLabels(table: "categories" | "tags") {
  return cached<CatalogueLabel[]>({
    key: ["labels", table],
    tags: [CACHE_TAGS[table]],
    run: async () => {
      const query = sql`select id, name, color from ${sql.identifier(table)} order by ${inFrenchOrder(sql`name`)}, id`;
      return db.execute<CatalogueLabel>(query);
    },
  });
}

export function pageOfLabels(
  labels: readonly CatalogueLabel[],
  request: PageRequest,
): Page<CatalogueLabel> {
  const offset = offsetOf(request);
  return { items: labels.slice(offset, offset + request.itemsPerPage), total: labels.length };
}

export const getCategory = async (id: number) => withId(await listCategories(), id);

export const getTag = async (id: number) => withId(await listTags(), id);

const withId = (labels: CatalogueLabel[], id: number) =>
  labels.find((label) => label.id === id) ?? null;
