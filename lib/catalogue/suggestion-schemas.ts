import { z } from "zod";
import { querySearch } from "@/lib/http/api/query";
import { AVAILABILITIES } from "@/lib/stock/rules";

/** The query of `GET /api/suggestions`. */
export const suggestionsQuery = z.object({
  q: querySearch({
    description: "Texte saisi ; des propositions à partir de 2 caractères",
  }).default(""),
});

/** The answer of `GET /api/suggestions`. */
export const suggestionsAnswer = z.object({
  products: z
    .array(
      z.object({
        id: z.int(),
        name: z.string(),
        image: z.string().nullable().describe("Comme celle d'un produit"),
        price: z.number().describe("Euros, TVA comprise"),
        availability: z.enum(AVAILABILITIES),
      }),
    )
    .describe("Six produits au plus, parmi les plus vendus"),
  categories: z
    .array(z.object({ id: z.int(), name: z.string() }))
    .describe("Trois catégories au plus"),
  corrected: z
    .string()
    .nullable()
    .describe("Le texte qui a été compris, s'il diffère d'une faute de frappe"),
  near: z
    .array(z.string())
    .optional()
    .describe("Sans résultat : des mots proches que la boutique connaît"),
});

export type Suggestions = z.output<typeof suggestionsAnswer>;
