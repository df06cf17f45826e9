import type { shippingMethods } from "@/db/schema/shipping";
import { typeset } from "./typography";

/** One by weight for small things, and one for all, which is free from an amount on. */
export const shippingSeeds: readonly (typeof shippingMethods.$inferInsert)[] = [
  {
    name: "Lettre suivie",
    delay: typeset("3 à 4 jours ouvrés"),
    priceCents: 0,
    bands: [
      { maxGrams: 250, priceCents: 290 },
      { maxGrams: 500, priceCents: 450 },
    ],
    position: 0,
  },
  {
    name: "Colis à domicile",
    delay: typeset("2 à 3 jours ouvrés"),
    priceCents: 0,
    freeFromCents: 6000,
    bands: [
      { maxGrams: 2000, priceCents: 590 },
      { maxGrams: 5000, priceCents: 890 },
      { maxGrams: 30_000, priceCents: 1490 },
    ],
    position: 1,
  },
];
