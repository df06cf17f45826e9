import { z } from "zod";

const count = z.int().describe("Nombre de produits");
const labelFacet = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
  color: z.string().describe("Couleur, #rrggbb"),
  count,
});

/** The answer of `GET /api/product_facets`. */
export const facetsAnswer = z.object({
  categories: z.array(labelFacet).describe("Catégories, par nom"),
  types: z.array(z.object({ value: z.enum(["physical", "digital"]), count })),
  tags: z.array(labelFacet).describe("Étiquettes, par nom"),
  prices: z
    .array(
      z.object({
        min: z.number().describe("Prix minimal en euros, inclus"),
        max: z.number().nullable().describe("Prix maximal en euros, inclus ; null : sans limite"),
        count,
      }),
    )
    .describe("Tranches de prix"),
  ratings: z.array(z.object({ min: z.number().describe("Note moyenne minimale"), count })),
  availability: z
    .array(z.object({ value: z.enum(["in_stock"]), count }))
    .describe("in_stock : les produits qui ne sont pas épuisés"),
  characteristics: z
    .array(
      z.object({
        name: z.string(),
        values: z.array(z.object({ value: z.string(), count })),
      }),
    )
    .describe("Caractéristiques que la boutique propose comme filtres"),
});

export type Facets = z.output<typeof facetsAnswer>;
