import type { TransactionSql } from "postgres";
import { withConnection } from "@/db/connection";
import { categorySeeds, tagSeeds } from "./catalogue";
import { typeset } from "./typography";
import {
  adjectiveWords,
  digitalNouns,
  makerWords,
  materialWords,
  physicalNouns,
  sentenceWords,
  themeWords,
} from "./words";

/** Rows per statement: small enough to report progress often, large enough to need few round trips. */
const CHUNK = 100_000;
const MAKERS = 3_000;
/** With fewer new products, rebuilding the indexes takes longer than updating them. */
const REBUILD_FROM = 20_000;
/** The tables that the steps below fill. */
const TABLES = [
  "products",
  "product_categories",
  "product_tags",
  "product_listings",
  "search_words",
  "label_sizes",
] as const;

export interface LargeCatalogueOptions {
  /** The URL of the migrated database; its account must own the tables. */
  url: string;
  /** total number of products afterwards, existing ones included */
  products: number;
  /** date of the newest product */
  now?: Date;
  log?: (line: string) => void;
}

/**
 * Fills the catalogue up to `products` products, for benchmarks: bulk SQL, all or nothing, a few
 * minutes for a million. Every value is drawn from a hash of the product's number, so the same call
 * on an equal database gives equal rows. The tables are locked meanwhile.
 *
 * Ratings and sales are only counters: there are no such reviews and orders.
 *
 * @returns the number of added products
 */
export async function seedLargeCatalogue({
  url,
  products,
  now = new Date(),
  log = console.log,
}: LargeCatalogueOptions): Promise<number> {
  const started = Date.now();
  const say = (line: string) =>
    log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  return withConnection({ url }, async (sql) => {
    const added = await sql.begin((tx) => fill({ client: tx, products, now, say }));
    // VACUUM marks all pages visible, for index-only scans. It cannot run in a transaction.
    say("nettoyage et statistiques");
    for (const table of TABLES) await sql.unsafe(`vacuum (analyze) ${table}`);
    say("terminé");
    return added;
  });
}

type Say = (line: string) => void;

async function fill({
  client,
  products,
  now,
  say,
}: {
  client: TransactionSql;
  products: number;
  now: Date;
  say: Say;
}): Promise<number> {
  await client.unsafe("set local work_mem = '128MB'");
  await client.unsafe("set local maintenance_work_mem = '512MB'");
  await client.unsafe("set local synchronous_commit = off");
  await ensureLabels(client);

  const rows = await client.unsafe<{ existing: number; last_id: number }[]>(
    "select count(*)::int as existing, coalesce(max(id), 0)::int as last_id from products",
  );
  const { existing, last_id: lastId } = rows[0] ?? { existing: 0, last_id: 0 };
  const count = products - existing;
  if (count <= 0) {
    say(`le catalogue compte déjà ${existing} produits`);
    return 0;
  }

  // Triggers are disabled, since bulk statements below fill the derived tables; a trigger that sets a column of
  // the row itself stays. Foreign keys and indexes are rebuilt at the end: one pass over all rows instead of a
  // look-up per row.
  const triggers = await pauseTriggers(client);
  const rebuild = count >= REBUILD_FROM ? await dropForRebuild(client) : [];

  await writeWordLists(client);
  await drawProducts({ client, count, lastId, now });
  say(`${count} produits tirés`);
  for (let from = 1; from <= count; from += CHUNK) {
    const to = Math.min(count, from + CHUNK - 1);
    await client.unsafe(INSERT_PRODUCTS, [from, to]);
    say(`${to} produits`);
  }
  await client.unsafe(
    "select setval(pg_get_serial_sequence('products', 'id'), (select max(id) from products))",
  );
  await client.unsafe(INSERT_CATEGORIES, [lastId]);
  await client.unsafe(INSERT_TAGS, [lastId]);
  say("catégories et étiquettes");
  await client.unsafe(INSERT_LISTINGS, [lastId]);
  await client.unsafe("select label_sizes_recount()");
  say("listes du catalogue");
  await client.unsafe(INSERT_SEARCH_WORDS);
  say("vocabulaire de la recherche");

  for (const statement of rebuild) {
    await client.unsafe(statement.sql);
    say(statement.name);
  }
  for (const statement of triggers) await client.unsafe(statement);
  return count;
}

// Labels, triggers and indexes -------------------------------------------------------------------

/** Writes the demonstration shop's categories and tags if the database has none. */
async function ensureLabels(client: TransactionSql): Promise<void> {
  for (const [table, seeds] of [
    ["categories", categorySeeds],
    ["tags", tagSeeds],
  ] as const) {
    await client.unsafe(
      `insert into ${table} (name, color)
       select name, color from unnest($1::text[], $2::text[]) with ordinality as label (name, color, n)
       where not exists (select from ${table}) order by n`,
      [seeds.map(({ name }) => name), seeds.map(({ color }) => color)],
    );
  }
}

/** @returns the statements that enable them again */
async function pauseTriggers(client: TransactionSql): Promise<string[]> {
  const rows = await client.unsafe<{ tbl: string; name: string }[]>(
    `select tgrelid::regclass::text as tbl, quote_ident(tgname) as name from pg_trigger
     where tgrelid = any ($1::text[]::regclass[]) and not tgisinternal and tgenabled = 'O'
       -- Not those before a row: they have this bit.
       and tgtype & 2 = 0`,
    [TABLES],
  );
  for (const { tbl, name } of rows) {
    await client.unsafe(`alter table ${tbl} disable trigger ${name}`);
  }
  return rows.map(({ tbl, name }) => `alter table ${tbl} enable trigger ${name}`);
}

/** Drops what slows bulk inserts down. @returns the statements that recreate it, in order */
async function dropForRebuild(client: TransactionSql): Promise<{ name: string; sql: string }[]> {
  const indexes = await client.unsafe<{ name: string; sql: string }[]>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as sql
     from pg_index i
     where i.indrelid = any ($1::text[]::regclass[]) and not i.indisprimary
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
     order by 1`,
    [TABLES],
  );
  const keys = await client.unsafe<{ tbl: string; name: string; definition: string }[]>(
    `select conrelid::regclass::text as tbl, quote_ident(conname) as name,
            pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conrelid = any ($1::text[]::regclass[]) order by 1, 2`,
    [TABLES],
  );
  for (const { tbl, name } of keys) {
    await client.unsafe(`alter table ${tbl} drop constraint ${name}`);
  }
  for (const { name } of indexes) await client.unsafe(`drop index ${name}`);
  return [
    ...indexes,
    ...keys.map(({ tbl, name, definition }) => ({
      name,
      sql: `alter table ${tbl} add constraint ${name} ${definition}`,
    })),
  ];
}

// The rows ---------------------------------------------------------------------------------------

async function writeWordLists(client: TransactionSql): Promise<void> {
  await client.unsafe(`
    create temporary table noun_word (
      id int, is_digital boolean, name text, is_feminine boolean, image text, file_type text,
      categories int[]) on commit drop;
    create temporary table adjective_word (id int, masculine text, feminine text) on commit drop;
    create temporary table tail_word (id int, is_digital boolean, name text) on commit drop;
    create temporary table maker_word (id int, name text) on commit drop;
    create temporary table sentence_word (slot int, id int, name text) on commit drop`);

  // The category's index among the seeds, modulo the number of categories in the database.
  const place = (key: string) => categorySeeds.findIndex((category) => category.key === key);
  for (const [isDigital, nouns] of [
    [false, physicalNouns],
    [true, digitalNouns],
  ] as const) {
    await client.unsafe(
      `insert into noun_word
       select n - 1, $1, name, is_feminine, image, file_type, string_to_array(places, ',')::int[]
       from unnest($2::text[], $3::text[]::boolean[], $4::text[], $5::text[], $6::text[])
         with ordinality as noun (name, is_feminine, image, file_type, places, n)`,
      [
        isDigital,
        nouns.map(({ name }) => typeset(name)),
        nouns.map(({ gender }) => String(gender === "f")),
        nouns.map(({ picture }) => `${picture}.webp`),
        nouns.map(({ fileType }) => fileType ?? null),
        nouns.map(({ categories }) => categories.map(place).join(",")),
      ],
    );
  }
  await client.unsafe(
    `insert into adjective_word
     select n - 1, masculine, feminine
     from unnest($1::text[], $2::text[]) with ordinality as adjective (masculine, feminine, n)`,
    [adjectiveWords.map(([m]) => m), adjectiveWords.map(([, f]) => f)],
  );
  for (const [isDigital, names] of [
    [false, materialWords.map((name) => `en ${name}`)],
    [true, themeWords],
  ] as const) {
    await client.unsafe(
      `insert into tail_word
       select n - 1, $1, name from unnest($2::text[]) with ordinality as tail (name, n)`,
      [isDigital, names.map(typeset)],
    );
  }
  await client.unsafe(
    "insert into maker_word select n - 1, name from unnest($1::text[]) with ordinality as m (name, n)",
    [makerWords(MAKERS)],
  );
  for (const [slot, sentences] of sentenceWords.entries()) {
    await client.unsafe(
      `insert into sentence_word
       select $1, n - 1, name from unnest($2::text[]) with ordinality as s (name, n)`,
      [slot, sentences.map(typeset)],
    );
  }
  for (const table of ["noun_word", "adjective_word", "tail_word", "maker_word", "sentence_word"]) {
    await client.unsafe(`analyze ${table}`);
  }
}

/**
 * Draws the parts of every new product, as small numbers. `chance(n, salt)` is a number from 0 to 1
 * that depends only on its arguments; raised to a power, it favours the beginning of a list.
 */
async function drawProducts({
  client,
  count,
  lastId,
  now,
}: {
  client: TransactionSql;
  count: number;
  lastId: number;
  now: Date;
}): Promise<void> {
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  await client.unsafe(`
    create function pg_temp.chance(n int, salt int) returns double precision
    language sql immutable parallel safe as
    $$ select ((hashint8extended(n, salt) >> 11) & 4503599627370495) / 4503599627370496.0::double precision $$;
    create temporary table draw (
      n int, id int, is_digital boolean, noun int, adjective int, tail int, maker int, number int,
      sentence1 int, sentence2 int, sentence3 int, price_cents int, created_at timestamptz,
      rating_count int, rating_mean double precision, sales_count int,
      extra_categories int, extra_tags int) on commit drop`);
  await client.unsafe(
    `insert into draw
     select n, $2::int + n, is_digital,
       floor(power(pg_temp.chance(n, 2), 1.8) * case when is_digital then $5::int else $4::int end),
       floor(power(pg_temp.chance(n, 3), 2.6) * $6::int),
       floor(power(pg_temp.chance(n, 4), 2.2) * case when is_digital then $8::int else $7::int end),
       case when pg_temp.chance(n, 5) < 0.6 then floor(power(pg_temp.chance(n, 6), 3) * $9::int) end,
       case when pg_temp.chance(n, 7) < 0.4 then 1 + floor(power(pg_temp.chance(n, 8), 2) * 999) end,
       floor(pg_temp.chance(n, 9) * $10::int),
       floor(pg_temp.chance(n, 10) * $11::int),
       floor(pg_temp.chance(n, 11) * $12::int),
       -- Most things cost 5 to 60 euros, a few a thousand; prices end as prices do.
       100 * (2 + floor(58 * power(pg_temp.chance(n, 12), 1.6)
                        + 240 * power(pg_temp.chance(n, 13), 6)
                        + 900 * power(0.5 + pg_temp.chance(n, 14) / 2, 60)))::int
         + (array[90, 90, 0, 50, 99, 95])[1 + floor(pg_temp.chance(n, 15) * 6)::int],
       -- To the minute, so that some share theirs; two in a thousand have none.
       case when pg_temp.chance(n, 16) >= 0.002
         then $3::timestamptz - (1 + floor(power(pg_temp.chance(n, 17), 1.3) * 1577000)) * interval '1 minute'
       end,
       case when pg_temp.chance(n, 18) < 0.55 then 1 + floor(power(pg_temp.chance(n, 19), 5) * 240) else 0 end,
       5 - 2.4 * power(pg_temp.chance(n, 20), 1.7),
       floor(power(pg_temp.chance(n, 21), 7) * 3000),
       floor(pg_temp.chance(n, 22) * 3),
       floor(pg_temp.chance(n, 23) * 4)
     from (
       select n, pg_temp.chance(n, 1) < 0.5 as is_digital from generate_series(1, $1::int) as n offset 0
     ) numbers`,
    [
      count,
      lastId,
      today,
      physicalNouns.length,
      digitalNouns.length,
      adjectiveWords.length,
      materialWords.length,
      themeWords.length,
      MAKERS,
      sentenceWords[0]?.length ?? 0,
      sentenceWords[1]?.length ?? 0,
      sentenceWords[2]?.length ?? 0,
    ],
  );
  await client.unsafe("create index on draw (n)");
  await client.unsafe("analyze draw");
}

/**
 * Inserts products with their labels: the default category, the noun's second category, up to two more,
 * and one to four tags. The first tags of the list are the most common.
 */
const INSERT_PRODUCTS = `
  with category as (
    select array_agg(id order by id) as ids, count(*)::int as total from categories
  ), tag as (
    select array_agg(id order by id) as ids, count(*)::int as total from tags
  )
  insert into products (id, type, name, description, price_cents, vat_rate_bp, image,
    default_category_id, characteristics, download_link, file_size_kb, file_type,
    rating_count, rating_sum, sales_count, category_ids, tag_ids, created_at, updated_at)
  select d.id,
    case when d.is_digital then 'digital' else 'physical' end,
    noun.name || ' ' || case when noun.is_feminine then adjective.feminine else adjective.masculine end
      || ' ' || tail.name
      || coalesce(', ' || maker.name, '')
      || coalesce(' nº' || chr(160) || d.number, ''),
    s1.name || ' ' || s2.name || ' ' || s3.name,
    d.price_cents,
    case when noun.file_type = 'EPUB' then 550 else 2000 end,
    noun.image,
    category.ids[1 + noun.categories[1] % category.total],
    case when not d.is_digital then jsonb_build_array(
      jsonb_build_object('name', 'Matière', 'value', upper(substr(tail.name, 4, 1)) || substr(tail.name, 5)),
      jsonb_build_object('name', 'Poids', 'value', (40 + d.price_cents % 37 * 25) || chr(160) || 'g'))
    end,
    case when d.is_digital then '/downloads/' || d.id || '.' || lower(noun.file_type) end,
    case when d.is_digital then 800 + d.price_cents * 7 + d.n % 1000 end,
    noun.file_type,
    d.rating_count, least(5 * d.rating_count, round(d.rating_count * d.rating_mean)), d.sales_count,
    array(
      select distinct category.ids[1 + place % category.total]
      from unnest(noun.categories[1:1] || case d.extra_categories
        when 0 then '{}'::int[]
        when 1 then array[coalesce(noun.categories[2], d.n)]
        else array[coalesce(noun.categories[2], d.n), d.n / 8]
      end) as place
      order by 1
    ),
    array(
      select distinct tag.ids[1 + floor(power(pg_temp.chance(d.n, 30 + k), 1.4) * tag.total)::int]
      from generate_series(0, d.extra_tags) as k
      order by 1
    ),
    d.created_at, coalesce(d.created_at, now())
  from draw d
  cross join category
  cross join tag
  join noun_word noun on noun.id = d.noun and noun.is_digital = d.is_digital
  join adjective_word adjective on adjective.id = d.adjective
  join tail_word tail on tail.id = d.tail and tail.is_digital = d.is_digital
  join sentence_word s1 on s1.slot = 0 and s1.id = d.sentence1
  join sentence_word s2 on s2.slot = 1 and s2.id = d.sentence2
  join sentence_word s3 on s3.slot = 2 and s3.id = d.sentence3
  left join maker_word maker on maker.id = d.maker
  where d.n between $1 and $2
  order by d.n`;

const INSERT_CATEGORIES = `
  insert into product_categories (product_id, category_id)
  select id, unnest(category_ids) from products where id > $1 order by 1, 2`;

const INSERT_TAGS = `
  insert into product_tags (product_id, tag_id)
  select id, unnest(tag_ids) from products where id > $1 order by 1, 2`;

/** The rows that the triggers would write, in the order of their key. */
const INSERT_LISTINGS = `
  insert into product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
  select kind, facet_id, p.type = 'digital' as is_digital, p.id, p.price_cents, p.created_at
  from (
    select 0 as kind, 0 as facet_id, id as product_id from products where id > $1
    union all
    select 1, category_id, product_id from product_categories where product_id > $1
    union all
    select 2, tag_id, product_id from product_tags where product_id > $1
  ) list
  join products p on p.id = list.product_id
  order by kind, facet_id, is_digital, p.id`;

/** Collects words from the drawn word lists instead of each product: same result, a thousand times faster. */
const INSERT_SEARCH_WORDS = `
  with texts as (
    select noun.name, true as in_name from noun_word noun
    where (noun.is_digital, noun.id) in (select is_digital, noun from draw)
    union all
    select case when noun.is_feminine then adjective.feminine else adjective.masculine end, true
    from (select distinct is_digital, noun, adjective from draw) d
    join noun_word noun on noun.id = d.noun and noun.is_digital = d.is_digital
    join adjective_word adjective on adjective.id = d.adjective
    union all
    select name, true from tail_word where (is_digital, id) in (select is_digital, tail from draw)
    union all
    select name, true from maker_word where id in (select maker from draw)
    union all
    select 'nº ' || number, true from (select distinct number from draw where number is not null) d
    union all
    select name, false from sentence_word
    where (slot = 0 and id in (select sentence1 from draw))
       or (slot = 1 and id in (select sentence2 from draw))
       or (slot = 2 and id in (select sentence3 from draw))
  )
  insert into search_words (word, lexeme, in_name)
  select w.word, w.lexeme, bool_or(t.in_name)
  from texts t cross join lateral search_words_of(t.name) w
  group by w.word, w.lexeme
  order by w.word
  on conflict (word) do update set in_name = true
  where excluded.in_name and not search_words.in_name`;
