import type { shippingMethods } from "@/db/schema/shipping-methods";
import { typeset } from "./typography";

/** Priced by weight for small parcels; flat for everything, free above an amount, more expensive to Corsica. */
export const shippingSeeds: readonly (typeof shippingMethods.$inferInsert)[] = [
  {
    name: "Lettre suivie",
    delay: typeset("3 à 4 jours ouvrés"),
    priceCents: 0,
    bands: [
      { maxGrams: 250, priceCents: 290 },
      { maxGrams: 500, priceCents: 450 },
    ],
    zones: ["mainland", "corsica", "monaco"],
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
    zones: ["mainland", "monaco"],
    position: 1,
  },
  {
    name: "Colis en Corse",
    delay: typeset("4 à 6 jours ouvrés"),
    priceCents: 0,
    freeFromCents: 12_000,
    bands: [
      { maxGrams: 2000, priceCents: 790 },
      { maxGrams: 5000, priceCents: 1190 },
      { maxGrams: 30_000, priceCents: 2190 },
    ],
    zones: ["corsica"],
    position: 2,
  },
];
