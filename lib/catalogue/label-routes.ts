import type { z } from "zod";
import { collectionHandlers, itemHandlers } from "@/lib/backoffice/routes";
import { requireRow } from "@/lib/errors/failure";
import { idParams } from "@/lib/http/api/ids";
import { pagingQuery } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import type { Resource } from "@/lib/http/api/resource";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { adminCategories, adminTags } from "./admin-labels";
import { listCategories, listTags, pageOfLabels } from "./labels";
import { categoryResource, tagResource } from "./resource";
import type { CatalogueLabel } from "./rules";

/** Both paths of the categories, or of the tags. Administrators see the products, too. */
function labelRoutes<S extends z.ZodObject>({
  labels,
  resource,
  list,
  tag,
  one,
  many,
  removal,
}: {
  labels: typeof adminCategories | typeof adminTags;
  resource: Resource<CatalogueLabel, S>;
  list: () => Promise<CatalogueLabel[]>;
  /** What cached responses depend on. */
  tag: string;
  one: string;
  many: string;
  removal: { description: string; refusals?: number[] };
}) {
  const texts = { list: `Lister les ${many}`, read: `Lire une ${one}` };
  const cache = () => ({ tags: [tag] });
  const { GET: page, POST } = collectionHandlers(labels, {
    list: texts.list,
    create: `Ajouter une ${one}`,
  });
  const { GET: item, ...writes } = itemHandlers(labels, {
    read: texts.read,
    update: `Modifier une ${one}`,
    remove: { summary: `Supprimer une ${one}`, ...removal },
  });
  const publicPage = route({
    access: "public",
    summary: texts.list,
    query: pagingQuery,
    cache,
    run: async ({ query }) => pageOfLabels(await list(), query),
    reply: collectionOf(resource),
  });
  const publicItem = route({
    access: "public",
    summary: texts.read,
    params: idParams,
    cache,
    run: async ({ params }) =>
      requireRow((await list()).find(({ id }) => id === params.id) ?? null),
    reply: resource,
  });
  return {
    collection: methods({ GET: viewOf({ admins: page, others: publicPage }), POST }),
    item: methods({ GET: viewOf({ admins: item, others: publicItem }), ...writes }),
  };
}

export const categoryRoutes = labelRoutes({
  labels: adminCategories,
  resource: categoryResource,
  list: listCategories,
  tag: CACHE_TAGS.categories,
  one: "catégorie",
  many: "catégories",
  removal: {
    description: "Refusé (409) si elle est la catégorie par défaut d'un produit.",
    refusals: [409],
  },
});

export const tagRoutes = labelRoutes({
  labels: adminTags,
  resource: tagResource,
  list: listTags,
  tag: CACHE_TAGS.tags,
  one: "étiquette",
  many: "étiquettes",
  removal: { description: "Ses produits la perdent." },
});
