import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { LABEL_SIZE_KIND } from "@/db/schema/catalogue";
import { cachedText } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { centsFromEuros } from "@/lib/money";
import { conditionsOf, isAvailable } from "./conditions";
import type { Facets } from "./facet-schemas";
import { filtersOf, tagsOf } from "./filters";
import { type FilterCategory, listFilterCategories, listTags } from "./labels";
import type { CatalogueLabel } from "./rules";
import type { ProductFilters } from "./schemas";
import { approximateQuery, readQuery, type TextQuery, textCondition } from "./search/words";
import { inTurn } from "./turns";

// The counts beside the filters of the catalogue (docs/decisions/100). Each group of filters counts as if its own filter
// were not set, so that a further value can be chosen. All counts are exact, and read by one statement.

/** Where the price ranges begin, in euros; each ends one cent below the next. */
const PRICE_STEPS = [0, 10, 20, 50, 100, 200, 500] as const;
const RATINGS = [4, 3, 2, 1] as const;
/** Most groups of characteristics, and most values of each: the most common ones. */
const MAX_GROUPS = 12;
const MAX_VALUES = 50;

/** The cache tags of the counts. */
export const FACET_TAGS = [
  CACHE_TAGS.catalogue,
  CACHE_TAGS.availability,
  CACHE_TAGS.categories,
  CACHE_TAGS.tags,
];

/**
 * The counts for these filters, from the cache unless there is a search text, which rarely repeats. The
 * page and the order of a view are ignored.
 *
 * @throws 503 where the count has waited too long for its turn
 */
export async function getFacets({ search, ...view }: ProductFilters): Promise<Facets> {
  const filters = filtersOf(view);
  if (search) return countFacets(filters, search);
  const text = await cachedText({
    key: ["facets", JSON.stringify(filters)],
    tags: FACET_TAGS,
    run: async () => JSON.stringify(await countFacets(filters)),
  });
  return JSON.parse(text);
}

async function countFacets(filters: ProductFilters, search?: string): Promise<Facets> {
  const [categories, tags] = await Promise.all([listFilterCategories(), listTags()]);
  const labels = { categories, tags };
  return inTurn(async () => {
    if (!search) return facetsOf({ filters, labels, counts: await count({ filters, labels }) });
    const { words, exact } = await readQuery(search);
    const counts = exact && (await count({ filters, labels, query: exact }));
    if (counts && counts.of("total", "") > 0) return facetsOf({ filters, labels, counts });
    // As in the list: without an exact match, the products that match within typing errors.
    const near = await approximateQuery(words);
    const similar = near && (await count({ filters, labels, query: near }));
    return facetsOf({ filters, labels, counts: similar ?? counts ?? new Counts([]) });
  });
}

interface Labels {
  categories: readonly FilterCategory[];
  tags: readonly CatalogueLabel[];
}

/** A row of the statement: how many products have a value of a group. */
type CountRow = { group: string; value: string; count: number };

class Counts {
  readonly #groups = new Map<string, Map<string, number>>();

  constructor(rows: readonly CountRow[]) {
    for (const { group, value, count } of rows) {
      const values = this.#groups.get(group) ?? new Map<string, number>();
      this.#groups.set(group, values.set(value, count));
    }
  }

  of(group: string, value: string): number {
    return this.#groups.get(group)?.get(value) ?? 0;
  }

  all(group: string): [value: string, count: number][] {
    return [...(this.#groups.get(group) ?? [])];
  }
}

/** What a product is counted by, without lists of values. */
const VALUES = {
  total: sql`''`,
  type: sql`p.type`,
  price: sql`width_bucket(p.price_cents, ${sql.raw(
    `array[${PRICE_STEPS.map((euros) => centsFromEuros(euros)).join()}]`,
  )})::text`,
  rating: sql`floor(p.average_rating)::int::text`,
  availability: sql`case when ${isAvailable} then 'in_stock' else 'sold_out' end`,
} satisfies Record<string, SQL>;

type ValueGroup = keyof typeof VALUES;

/** The filters of each group. */
const OWN_FILTERS = {
  total: [],
  type: ["type"],
  price: ["minPriceCents", "maxPriceCents"],
  rating: ["minRating"],
  availability: ["availability"],
  category: ["categoryId"],
  tag: ["tagId", "tagIds"],
} as const satisfies Record<string, readonly (keyof ProductFilters)[]>;

function withoutOwn(filters: ProductFilters, group: keyof typeof OWN_FILTERS): ProductFilters {
  const others = { ...filters };
  for (const name of OWN_FILTERS[group]) others[name] = undefined;
  return others;
}

const isSet = (filters: ProductFilters, group: keyof typeof OWN_FILTERS) =>
  OWN_FILTERS[group].some((name) => filters[name] !== undefined);

interface CountRequest {
  filters: ProductFilters;
  labels: Labels;
  query?: TextQuery;
}

async function count({ filters, labels, query }: CountRequest): Promise<Counts> {
  const where = (some: ProductFilters) =>
    sql.join([...conditionsOf(some), ...(query ? [textCondition(query)] : [])], sql` and `);
  const isUnfiltered = (some: ProductFilters) =>
    !query && Object.values(some).every((value) => value === undefined);
  const groups = Object.keys(VALUES) as ValueGroup[];
  const shared = groups.filter((group) => !isSet(filters, group));
  const own = groups.filter((group) => isSet(filters, group));
  const statements = [
    countValues(shared, where(filters)),
    ...own.map((group) => countValues([group], where(withoutOwn(filters, group)))),
    ...(["category", "tag"] as const).map((kind) => {
      const others = withoutOwn(filters, kind);
      return isUnfiltered(others) ? countLabels(kind) : countLabelsOf(kind, where(others));
    }),
    ...characteristicNames({ filters, labels }).map((names) =>
      countCharacteristics(names, where(withoutCharacteristic(filters, names))),
    ),
  ];
  return new Counts(await db.execute<CountRow>(sql.join(statements, sql` union all `)));
}

/** Counts the products by each of the groups, in one pass. */
function countValues(groups: readonly ValueGroup[], where: SQL): SQL {
  const columns = groups.map((group) => sql`${VALUES[group]} as ${sql.identifier(group)}`);
  const names = groups.map((group) => sql`${sql.identifier(group)}`);
  const sets = names.map((name) => sql`(${name})`);
  const chosen = groups.map((group, i) => sql`when grouping(${names[i]}) = 0 then ${group}`);
  const value = names.map((name) => sql`when grouping(${name}) = 0 then ${name}`);
  return sql`
    select case ${sql.join(chosen, sql` `)} end as "group", case ${sql.join(value, sql` `)} end as value,
      count(*)::int as count
    from (select ${sql.join(columns, sql`, `)} from products p where ${where}) p
    group by grouping sets (${sql.join(sets, sql`, `)})`;
}

/** How many products each label has, as kept by triggers. */
const countLabels = (kind: "category" | "tag"): SQL => sql`
  select ${kind}, label_id::text, sum(products)::int from label_sizes
  where kind = ${LABEL_SIZE_KIND[kind]} group by label_id`;

/** The same for some of the products. */
function countLabelsOf(kind: "category" | "tag", where: SQL): SQL {
  const ids =
    kind === "tag"
      ? sql`p.tag_ids`
      : sql`case when p.default_category_id = any (p.category_ids) then p.category_ids
          else p.category_ids || p.default_category_id end`;
  return sql`
    select ${kind}, id::text, count(*)::int
    from (select ${ids} as ids from products p where ${where}) p, unnest(p.ids) id group by id`;
}

/** The names to count, in groups with the same filters: all names that are not filtered by form one group. */
function characteristicNames({ filters, labels }: CountRequest): string[][] {
  const filtered = (filters.characteristics ?? []).map(({ name }) => name);
  const others = offeredNames({ filters, labels }).filter((name) => !filtered.includes(name));
  return [...(others.length > 0 ? [others] : []), ...filtered.map((name) => [name])];
}

/** The characteristics that the chosen category offers as filters, or else any category; and the filters that are set. */
function offeredNames({ filters, labels }: CountRequest): string[] {
  const { categoryId, characteristics = [] } = filters;
  const chosen = labels.categories.filter(
    ({ id }) => categoryId === undefined || id === categoryId,
  );
  const offered = new Set(chosen.flatMap((category) => category.filters));
  return [
    ...new Set([...[...offered].slice(0, MAX_GROUPS), ...characteristics.map(({ name }) => name)]),
  ];
}

const withoutCharacteristic = (
  filters: ProductFilters,
  names: readonly string[],
): ProductFilters => ({
  ...filters,
  characteristics: filters.characteristics?.filter(({ name }) => !names.includes(name)),
});

const countCharacteristics = (names: readonly string[], where: SQL): SQL => sql`
  select 'characteristic:' || c.name, c.value, count(*)::int
  from products p, jsonb_to_recordset(p.characteristics) as c (name text, value text)
  where ${where} and p.characteristics is not null and c.name = any (${sql.param([...names])}::text[])
  group by c.name, c.value`;

/** The counts as the API shows them: values that have products, and values that are set. */
function facetsOf({ filters, labels, counts }: CountRequest & { counts: Counts }): Facets {
  const isShown = (count: number, isSet: boolean) => count > 0 || isSet;
  const named = (
    kind: "category" | "tag",
    all: readonly CatalogueLabel[],
    set: readonly number[],
  ) =>
    all
      .map(({ id, name, color }) => ({ id, name, color, count: counts.of(kind, String(id)) }))
      .filter(({ id, count }) => isShown(count, set.includes(id)));
  const { categoryId, type, minPriceCents, maxPriceCents } = filters;
  return {
    categories: named("category", labels.categories, categoryId === undefined ? [] : [categoryId]),
    types: (["physical", "digital"] as const)
      .map((value) => ({ value, count: counts.of("type", value) }))
      .filter(({ value, count }) => isShown(count, type === value)),
    tags: named("tag", labels.tags, tagsOf(filters)),
    prices: PRICE_STEPS.map((min, i) => {
      const next = PRICE_STEPS[i + 1];
      const max = next === undefined ? null : next - 0.01;
      return { min, max, count: counts.of("price", String(i + 1)) };
    }).filter(({ min, max, count }) =>
      isShown(
        count,
        minPriceCents === centsFromEuros(min) &&
          maxPriceCents === (max === null ? undefined : centsFromEuros(max)),
      ),
    ),
    ratings: RATINGS.map((min) => ({ min, count: atLeast(counts, min) })).filter(({ min, count }) =>
      isShown(count, filters.minRating === min),
    ),
    availability: [{ value: "in_stock", count: counts.of("availability", "in_stock") }],
    characteristics: offeredNames({ filters, labels })
      .map((name) => ({ name, values: valuesOf({ name, filters, counts }) }))
      .filter(({ values }) => values.length > 0),
  };
}

/** Products by the whole number below their average. */
const atLeast = (counts: Counts, min: number): number =>
  counts.all("rating").reduce((sum, [floor, n]) => sum + (Number(floor) >= min ? n : 0), 0);

/** The most common values and the values that are set, in alphabetical order, numbers by size. */
function valuesOf({
  name,
  filters,
  counts,
}: {
  name: string;
  filters: ProductFilters;
  counts: Counts;
}) {
  const group = `characteristic:${name}`;
  const set = filters.characteristics?.find((filter) => filter.name === name)?.values ?? [];
  const common = counts
    .all(group)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_VALUES);
  return [...new Set([...common.map(([value]) => value), ...set])]
    .map((value) => ({ value, count: counts.of(group, value) }))
    .sort((a, b) => COLLATOR.compare(a.value, b.value));
}

const COLLATOR = new Intl.Collator("fr", { numeric: true });
