import type { categorySeeds } from "./catalogue";

type CategoryKey = (typeof categorySeeds)[number]["key"];

/** The beginning of the references of a category's products, and the brand of most of them. */
const SERIES: Record<CategoryKey, { prefix: string; brand: string | null }> = {
  papeterie: { prefix: "PAP", brand: "Kervaleg" },
  couture: { prefix: "COU", brand: "Ozanneau" },
  arts: { prefix: "ART", brand: null },
  maison: { prefix: "MAI", brand: "Dervault" },
  cuisine: { prefix: "CUI", brand: "Valmoret" },
  jardin: { prefix: "JAR", brand: null },
  musique: { prefix: "MUS", brand: "Hesperec" },
  livres: { prefix: "LIV", brand: "Quernevel" },
};

/** Every fourth product has no brand, as in shops that make some things themselves. */
const UNBRANDED_EVERY = 4;

/**
 * Reference, barcode and brand of the seed's products. Barcodes begin with 200, which GS1 reserves for use within a
 * company: they are nobody's. Files have none.
 *
 * @param place among the products, from 0
 */
export function referencesOf({
  category,
  type,
  place,
}: {
  category: string;
  type: "physical" | "digital";
  place: number;
}): { sku: string; gtin: string | null; brand: string | null } {
  const { prefix, brand } = SERIES[category as CategoryKey];
  const number = place + 1;
  return {
    sku: `${prefix}-${String(number).padStart(4, "0")}`,
    gtin: type === "physical" ? withCheckDigit(`200${String(number).padStart(9, "0")}`) : null,
    brand: number % UNBRANDED_EVERY === 0 ? null : brand,
  };
}

/** A GTIN-13 of its first twelve digits. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
