import { z } from "zod";
import { productResource } from "@/lib/catalogue/resource";
import { resource } from "@/lib/http/api/resource";
import type { RelatedRow } from "./queries";

const products = (description: string) => z.array(productResource.schema).describe(description);

export const relatedResource = resource({
  name: "RelatedProducts",
  path: null,
  description: "Ce qui se montre à côté d'un produit",
  schema: z.object({
    similar: products("Du même rayon, quatre au plus"),
    boughtTogether: products("Souvent achetés dans les mêmes commandes, quatre au plus"),
  }),
  embedded: () => ({ similar: productResource, boughtTogether: productResource }),
  toJson: (row: RelatedRow) => ({
    similar: row.similar.map(productResource.toJson),
    boughtTogether: row.boughtTogether.map(productResource.toJson),
  }),
});
