import { z } from "zod";
import { productResource, tagResource } from "@/lib/catalogue/resource";
import { resource } from "@/lib/http/api/resource";
import type { HomeRow } from "./queries";

const products = (description: string) => z.array(productResource.schema).describe(description);

export const homeResource = resource({
  name: "Home",
  path: null,
  description: "Les listes de la page d'accueil",
  schema: z.object({
    bestRatedProducts: products("Les mieux notés"),
    cheapestProduct: products("Les moins chers"),
    recentlyViewedProducts: products("Récemment consultés, dans l'ordre demandé"),
    mostSoldProducts: products("Les plus vendus"),
    latestProducts: products("Les derniers ajouts"),
    tags: z.array(tagResource.schema).describe("Toutes les étiquettes"),
  }),
  embedded: () => ({
    bestRatedProducts: productResource,
    cheapestProduct: productResource,
    recentlyViewedProducts: productResource,
    mostSoldProducts: productResource,
    latestProducts: productResource,
    tags: tagResource,
  }),
  toJson: (row: HomeRow) => ({
    bestRatedProducts: row.bestRatedProducts.map(productResource.toJson),
    cheapestProduct: row.cheapestProduct.map(productResource.toJson),
    recentlyViewedProducts: row.recentlyViewedProducts.map(productResource.toJson),
    mostSoldProducts: row.mostSoldProducts.map(productResource.toJson),
    latestProducts: row.latestProducts.map(productResource.toJson),
    tags: row.tags.map(tagResource.toJson),
  }),
});
