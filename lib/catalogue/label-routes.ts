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

function labelTexts({
  one,
  many,
  removal,
}: {
  one: string;
  many: string;
  removal: { description: string; refusals?: number[] };
}) {
  return {
    list: `Lister les ${many}`,
    create: `Ajouter une ${one}`,
    read: `Lire une ${one}`,
    update: `Modifier une ${one}`,
    remove: { summary: `Supprimer une ${one}`, ...removal },
  };
}

/** Both paths of the categories, or of the tags. Administrators see the products, too. */
function labelRoutes<S extends z.ZodObject>({
  admins,
  resource,
  list,
  tag,
  texts,
}: {
  admins: {
    collection: ReturnType<typeof collectionHandlers>;
    item: ReturnType<typeof itemHandlers>;
  };
  resource: Resource<CatalogueLabel, S>;
  list: () => Promise<CatalogueLabel[]>;
  /** What cached responses depend on. */
  tag: string;
  texts: ReturnType<typeof labelTexts>;
}) {
  const cacheTags = () => [tag];
  const { GET: page, POST } = admins.collection;
  const { GET: item, ...writes } = admins.item;
  const publicPage = route({
    access: "public",
    summary: texts.list,
    query: pagingQuery,
    cacheTags,
    run: async ({ query }) => pageOfLabels(await list(), query),
    reply: collectionOf(resource),
  });
  const publicItem = route({
    access: "public",
    summary: texts.read,
    params: idParams,
    cacheTags,
    run: async ({ params }) =>
      requireRow((await list()).find(({ id }) => id === params.id) ?? null),
    reply: resource,
  });
  return {
    collection: methods({ GET: viewOf({ admins: page, others: publicPage }), POST }),
    item: methods({ GET: viewOf({ admins: item, others: publicItem }), ...writes }),
  };
}

const categoryTexts = labelTexts({
  one: "catégorie",
  many: "catégories",
  removal: {
    description: "Refusé (409) si elle est la catégorie par défaut d'un produit.",
    refusals: [409],
  },
});

export const categoryRoutes = labelRoutes({
  admins: {
    collection: collectionHandlers(adminCategories, categoryTexts),
    item: itemHandlers(adminCategories, categoryTexts),
  },
  resource: categoryResource,
  list: listCategories,
  tag: CACHE_TAGS.categories,
  texts: categoryTexts,
});

const tagTexts = labelTexts({
  one: "étiquette",
  many: "étiquettes",
  removal: { description: "Ses produits la perdent." },
});

export const tagRoutes = labelRoutes({
  admins: {
    collection: collectionHandlers(adminTags, tagTexts),
    item: itemHandlers(adminTags, tagTexts),
  },
  resource: tagResource,
  list: listTags,
  tag: CACHE_TAGS.tags,
  texts: tagTexts,
});
