/** The zones of France, and Monaco, that postal codes distinguish, with their labels. */
export const POSTAL_ZONE_LABELS = {
  mainland: "France continentale",
  corsica: "Corse",
  monaco: "Monaco",
  guadeloupe: "Guadeloupe",
  martinique: "Martinique",
  guiana: "Guyane",
  reunion: "La Réunion",
  mayotte: "Mayotte",
  collectivities: "Collectivités d’outre-mer et Nouvelle-Calédonie",
  army: "Poste aux armées",
} as const;

export type PostalZone = keyof typeof POSTAL_ZONE_LABELS;

export const POSTAL_ZONES = Object.keys(POSTAL_ZONE_LABELS) as [PostalZone, ...PostalZone[]];

/** Prefixes of the postal codes of each zone. The longest matching prefix decides. */
const PREFIXES: Readonly<Record<Exclude<PostalZone, "mainland">, readonly string[]>> = {
  army: ["00"],
  corsica: ["20"],
  guadeloupe: ["971"],
  martinique: ["972"],
  guiana: ["973"],
  // 977 and 978 are La Réunion's CEDEX codes. For Saint-Barthélemy and Saint-Martin they are department
  // numbers only.
  reunion: ["974", "977", "978"],
  mayotte: ["976"],
  collectivities: [
    "970", // Saint-Martin and Saint-Barthélemy, CEDEX
    "97133", // Saint-Barthélemy
    "97150", // Saint-Martin
    "975", // Saint-Pierre-et-Miquelon
    "984", // Terres australes et antarctiques
    "986", // Wallis-et-Futuna
    "987", // Polynésie française
    "988", // Nouvelle-Calédonie
  ],
  monaco: ["980"],
};

const ZONE_OF_PREFIX = new Map(
  Object.entries(PREFIXES).flatMap(([zone, prefixes]) =>
    prefixes.map((prefix) => [prefix, zone as PostalZone] as const),
  ),
);

const LONGEST_FIRST = [5, 3, 2];

/** The five digits of "12345" or "12345-6789"; null for anything else. */
const digitsOf = (postalCode: string) =>
  /^(\d{5})(?:-\d{4})?$/.exec(postalCode.trim())?.[1] ?? null;

/** The zone of a postal code; null for an invalid code or an unknown place (96000, 99123). */
export function postalZoneOf(postalCode: string): PostalZone | null {
  const digits = digitsOf(postalCode);
  if (digits === null) return null;
  for (const length of LONGEST_FIRST) {
    const zone = ZONE_OF_PREFIX.get(digits.slice(0, length));
    if (zone) return zone;
  }
  return digits < "96" ? "mainland" : null;
}

const OVERSEAS: ReadonlySet<PostalZone> = new Set([
  "guadeloupe",
  "martinique",
  "guiana",
  "reunion",
  "mayotte",
  "collectivities",
]);

/** Is it in an overseas department or collectivity, where parcels pass through customs? */
export function isOverseas(postalCode: string): boolean {
  const zone = postalZoneOf(postalCode);
  return zone !== null && OVERSEAS.has(zone);
}

/** Does a postal code start with, or equal, one of these prefixes? */
export function hasPostalPrefix(postalCode: string, prefixes: readonly string[]): boolean {
  const digits = digitsOf(postalCode);
  return digits !== null && prefixes.some((prefix) => digits.startsWith(prefix));
}
