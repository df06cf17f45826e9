import { type SQL, sql } from "drizzle-orm";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { seedLargeCatalogue } from "@/db/seed/large";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import type { Collection, ProductJson } from "../representation";
import { withTableLock } from "../table-lock";

type Products = Collection<ProductJson>;

const get = async (api: Api, query: string) =>
  (await api.get<Products>(`/api/products${query}`)).json;

const idsOf = (rows: Iterable<{ id: number }>) => [...rows].map(({ id }) => id);
const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

/** The ids of every page, in order, by following `hydra:next` as a client does. */
async function walk(api: Api, query: string): Promise<number[]> {
  const ids: number[] = [];
  let next: string | undefined = `/api/products${query}`;
  let total = 0;
  while (next) {
    const { json }: { json: Products } = await api.get<Products>(next);
    ids.push(...idsOf(json["hydra:member"]));
    total = json["hydra:totalItems"];
    next = json["hydra:view"]?.["hydra:next"];
  }
  expect(total, `hydra:totalItems of ${query}`).toBe(ids.length);
  return ids;
}

/** Other tests of this worker have written rows to the database. The shop must see these rows too. */
test.beforeAll(({ shop }) => shop.forgetCaches());

test.describe("one product", () => {
  test("a physical one has every field of the contract, and no other", async ({ api, arrange }) => {
    const { product, category, other, tag } = await arrange(async (db) => {
      const category = await createCategory({ db, name: "Girouettes", color: "#123abc" });
      const other = await createCategory({ db, name: "Toitures", color: "#abcdef" });
      const tag = await createTag({ db, name: "Cuivre", color: "#b87333" });
      const product = await createProduct({
        db,
        name: "Coq de clocher",
        description: "Il tourne.",
        priceCents: 12_345,
        vatRateBp: 550,
        image: "coq.webp",
        categoryIds: [category.id, other.id],
        tagIds: [tag.id],
        characteristics: [
          { name: "Matière", value: "Cuivre" },
          { name: "Hauteur", value: "60 cm" },
        ],
        createdAt: new Date("2026-02-03T04:05:06Z"),
      });
      return { product, category, other, tag };
    });
    const label = (
      path: string,
      type: string,
      { id, name, color }: { id: number; name: string; color: string },
    ) => ({ "@id": `/api/${path}/${id}`, "@type": type, id, name, color });

    const { status, headers, json } = await api.get<ProductJson>(`/api/products/${product.id}`);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/ld+json; charset=utf-8");
    expect(json).toEqual({
      "@context": "/api/contexts/Product",
      "@id": `/api/products/${product.id}`,
      "@type": "PhysicalProduct",
      id: product.id,
      productType: "physical",
      name: "Coq de clocher",
      description: "Il tourne.",
      price: 123.45,
      vatRate: 5.5,
      image: "coq.webp",
      images: [{ url: "coq.webp", alt: "" }],
      sku: null,
      gtin: null,
      brand: null,
      status: "active",
      defaultCategory: label("categories", "Category", category),
      categoryId: category.id,
      categories: [
        label("categories", "Category", category),
        label("categories", "Category", other),
      ],
      tags: [label("tags", "Tag", tag)],
      characteristics: { Matière: "Cuivre", Hauteur: "60 cm" },
      filesize: null,
      filetype: null,
      availability: "unlimited",
      stock: null,
      avgRating: null,
      reviewsCount: 0,
      sales_count: 0,
      createdAt: expect.stringMatching(/^2026-02-03T04:05:06(\.000)?(Z|\+00:00)$/),
    });
    expect(Object.keys(json.characteristics ?? {})).toEqual(["Matière", "Hauteur"]);
  });

  test("a digital one has its file's size and type, but no link", async ({ api, arrange }) => {
    const product = await arrange((db) =>
      createProduct({
        db,
        type: "digital",
        priceCents: 0,
        fileSizeKb: 1500,
        fileType: "EPUB",
        downloadLink: "https://fichiers.exemple.test/secret-37.epub",
        createdAt: null,
      }),
    );
    const { json, text } = await api.get<ProductJson>(`/api/products/${product.id}`);
    expect(json).toMatchObject({
      "@type": "DigitalProduct",
      productType: "digital",
      price: 0,
      filesize: 1500,
      filetype: "EPUB",
      characteristics: null,
      createdAt: null,
    });
    expect(text).not.toMatch(/secret-37|download/i);
  });

  test("its rating is of validated reviews, its sales are pieces", async ({ api, arrange }) => {
    const product = await arrange(async (db) => {
      const product = await createProduct({ db, priceCents: 1000 });
      const ratings = [
        [5, "VALIDATED"],
        [4, "VALIDATED"],
        [4, "VALIDATED"],
        [1, "PENDING"],
        [1, "REJECTED"],
      ] as const;
      for (const [rating, status] of ratings) {
        const { id: userId } = await createUser({ db });
        await createReview({ db, productId: product.id, userId, rating, status });
      }
      const user = await createUser({ db });
      await createOrder({ db, user, items: [{ product, quantity: 3 }] });
      await createOrder({ db, user, items: [{ product, quantity: 2 }] });
      return product;
    });
    const { json } = await api.get<ProductJson>(`/api/products/${product.id}`);
    expect(json.avgRating).toBeCloseTo(13 / 3, 3);
    expect(json).toMatchObject({ reviewsCount: 3, sales_count: 5 });
  });

  test("an unknown id is 404, as a French problem", async ({ api }) => {
    for (const id of ["0", "2147483647", "99999999999", "1%20", "1%00", "%F0%9F%A6%8A"]) {
      const { status, json } = await api.get(`/api/products/${id}`);
      expect(status, id).toBe(404);
      expect(json).toMatchObject({ title: "Introuvable", error: "Élément introuvable." });
    }
  });
});

test("the public catalogue contains no download link", async ({ api, database }) => {
  const rows = await database.execute<{ link: string }>(
    sql`select download_link as link from products where download_link is not null`,
  );
  expect(rows.length).toBeGreaterThan(20);
  const ids = await walk(api, "?type=digital&itemsPerPage=100");
  const paths = [
    "/api/products?type=digital&itemsPerPage=100",
    "/api/products?search=cours&itemsPerPage=100",
    `/api/home?${ids.map((id) => `recent[]=${id}`).join("&")}`,
    ...ids.map((id) => `/api/products/${id}`),
  ];
  for (const path of paths) {
    for (const accept of ["application/ld+json", "application/json"]) {
      const { text } = await api.get(path, { accept });
      expect(text, path).not.toMatch(/download/i);
      const links = rows.filter(({ link }) => text.includes(link));
      expect(links, path).toEqual([]);
    }
  }
});

test.describe("the list", () => {
  test("has the items as its members, and the template of its filters", async ({ api }) => {
    const json = await get(api, "");
    expect(json["hydra:member"]).toHaveLength(30);
    for (const member of json["hydra:member"]) {
      const item = await api.get<ProductJson>(`/api/products/${member.id}`);
      expect({ "@context": "/api/contexts/Product", ...member }).toEqual(item.json);
    }
    const { "hydra:template": template, ...search } = json["hydra:search"];
    expect(search).toMatchObject({
      "@type": "hydra:IriTemplate",
      "hydra:variableRepresentation": "BasicRepresentation",
    });
    const variables = /^\/api\/products\{\?([^}]+)\}$/.exec(template)?.[1]?.split(",") ?? [];
    const known = "search type min_price max_price price_sort date_sort category tags.id";
    expect(variables).toEqual(expect.arrayContaining(known.split(" ")));
    expect(search["hydra:mapping"].map(({ variable }) => variable)).toEqual(variables);
  });

  test("has at most 100 a page; one beyond the end is empty, and reads no list", async ({
    api,
    arrange,
    database: db,
  }) => {
    const { id } = await arrange(async (db) => {
      const category = await createCategory({ db });
      await db.execute(sql`
        insert into products (type, name, description, price_cents, default_category_id)
        select 'physical', case when n <= 35 then 'Grelot ' else 'Sabot ' end || n, 'Un objet.', n, ${category.id}
        from generate_series(1, 120) n`);
      return category;
    });
    const all = `category=${id}`;
    for (const [query, length] of [
      ["itemsPerPage=0", 0],
      ["itemsPerPage=101", 100],
      ["itemsPerPage=500&page=2", 20],
    ] as const) {
      const list = await get(api, `?${all}&${query}`);
      expect(list["hydra:member"], query).toHaveLength(length);
      expect(list["hydra:totalItems"], query).toBe(120);
    }
    const far = "page=1000000";
    const totals = new Map<string, number>();
    // The request for the first page counts each list.
    for (const list of ["", all, `${all}&price_sort=desc`, "max_price=40", "type=digital"])
      totals.set(list, (await get(api, `?${list}`))["hydra:totalItems"]);
    await withTableLock(db, "product_listings", async () => {
      for (const [list, total] of totals)
        expect(await get(api, `?${list}&${far}`), list).toMatchObject({
          "hydra:member": [],
          "hydra:totalItems": total,
        });
    });
    for (const path of ["categories", "tags"])
      expect((await api.get(`/api/${path}?${far}`)).json).toMatchObject({ "hydra:member": [] });
    const last = "/api/products?search=grelot&page=2";
    expect((await api.get<Products>(last)).json["hydra:member"]).toHaveLength(5);
    const none = { "hydra:member": [], "hydra:totalItems": 35 };
    expect(await get(api, `?search=grelotz&${far}`)).toMatchObject(none);
    expect(await get(api, `?search=grelot&${far}`)).toMatchObject({
      ...none,
      "hydra:view": { "hydra:last": last, "hydra:previous": last },
    });
    await arrange((db) => db.execute(sql`delete from products where default_category_id = ${id}`));
  });

  test("a query that cannot be read is 400, with a French sentence; an empty one is ignored", async ({
    api,
  }) => {
    for (const query of [
      ...["min_price=-1", "max_price=NaN", "category=abc", "category=/api/tags/1", "page=0"],
      ...["itemsPerPage=-1", "type=other", "price_sort=up", "date_sort=later"],
      ...["tags.id=/api/categories/1", "search=a%00b"],
    ]) {
      const { status, json } = await api.get<{ detail: string }>(`/api/products?${query}`);
      expect(status, query).toBe(400);
      expect(json.detail, query).toMatch(/^Le paramètre « .+\.$/);
    }
    const empty =
      "?search=&type=&min_price=&max_price=&category=&tags.id=&price_sort=&date_sort=&page=";
    expect((await get(api, empty))["hydra:member"]).toEqual((await get(api, ""))["hydra:member"]);
  });
});

test("filters that match nothing give an empty list, not an error", async ({ api }) => {
  for (const query of [
    "?min_price=50&max_price=10",
    "?category=2000000000",
    "?category=2&tags.id=2000000000",
    "?min_price=50&max_price=10&search=cours",
    "?min_price=50&max_price=10&price_sort=asc",
  ]) {
    const json = await get(api, query);
    expect(json, query).toMatchObject({ "hydra:totalItems": 0, "hydra:member": [] });
    expect(Object.keys(json["hydra:view"] ?? {}), query).toEqual(["@id", "@type"]);
  }
});

test.describe("sorting", () => {
  /** Prices and dates with ties and gaps, in a category of their own. */
  const rows = [
    [500, "2026-01-03"],
    [200, "2026-01-01"],
    [500, null],
    [200, "2026-01-02"],
    [500, "2026-01-03"],
    [200, null],
    [200, "2026-01-01"],
    [900, null],
    [100, "2026-01-02"],
    [500, "2026-01-01"],
    [200, null],
  ] as const;
  let category = 0;

  test.beforeAll(async ({ database, shop }) => {
    const { id } = await createCategory({ db: database });
    category = id;
    for (const [index, [priceCents, day]] of rows.entries()) {
      await createProduct({
        db: database,
        name: "Baromètre",
        type: index % 3 === 0 ? "digital" : "physical",
        priceCents,
        createdAt: day === null ? null : new Date(day),
        categoryIds: [id],
      });
    }
    await shop.forgetCaches();
  });

  const orders: [query: string, order: SQL][] = [
    ["price_sort=asc", sql`price_cents`],
    ["price_sort=desc", sql`price_cents desc`],
    ["date_sort=oldest", sql`created_at nulls last`],
    ["date_sort=asc", sql`created_at nulls last`],
    ["date_sort=newest", sql`created_at desc nulls first`],
    ["date_sort=desc", sql`created_at desc nulls first`],
    ["price_sort=asc&date_sort=newest", sql`price_cents, created_at desc nulls first`],
    ["price_sort=asc&date_sort=oldest", sql`price_cents, created_at nulls last`],
    ["price_sort=desc&date_sort=newest", sql`price_cents desc, created_at desc nulls first`],
    ["date_sort=oldest&price_sort=desc", sql`price_cents desc, created_at nulls last`],
    ["search=barometre&price_sort=desc", sql`price_cents desc`],
    ["search=barometre&date_sort=newest", sql`created_at desc nulls first`],
  ];
  test("neither skips nor repeats a product, however long the pages are", async ({
    api,
    database,
  }) => {
    for (const [query, order] of orders) {
      const found = await database.execute<{ id: number; rank: number }>(sql`
        select id, rank() over (order by ${order})::int as rank from products
        where default_category_id = ${category}`);
      const rank = new Map(found.map((row) => [row.id, row.rank]));
      for (const size of [2, 100]) {
        const ids = await walk(api, `?category=${category}&${query}&itemsPerPage=${size}`);
        expect(ascending(ids), query).toEqual(ascending([...rank.keys()]));
        const ranks = ids.map((id) => rank.get(id) ?? 0);
        expect(ranks, query).toEqual(ascending(ranks));
        // Products with equal keys are all sorted by id, so that the order is total.
        const directions = ids.flatMap((id, i) =>
          i > 0 && ranks[i] === ranks[i - 1] ? [Math.sign(id - (ids[i - 1] ?? 0))] : [],
        );
        expect(new Set(directions).size, query).toBe(1);
      }
    }
  });

  test("the whole catalogue has each product once in every order", async ({ api, database }) => {
    const found = await database.execute<{ id: number }>(
      sql`select id from products where status = 'active'`,
    );
    for (const query of ["", "price_sort=asc", "price_sort=desc", "date_sort=newest"])
      expect(ascending(await walk(api, `?itemsPerPage=7&${query}`)), query).toEqual(
        ascending(idsOf(found)),
      );
  });
});

test.describe("searching", () => {
  const ids: Record<string, number> = {};

  test.beforeAll(async ({ database: db, shop }) => {
    const add = async (key: string, name: string, description: string, salesCount = 0) => {
      ids[key] = (await createProduct({ db, name, description, salesCount })).id;
    };
    await add("mentioned", "Pied de zinguerie", "Se visse sous toute belle brouette.", 500);
    await add("wooden", "Brouette élaguée", "Elle roule.", 9);
    await add("exact", "Brouette", "Une roue, deux bras.", 1);
    await add("horse", "Cheval d'arçon", "Pour s'y balancer avec les enfants.");
    await add("dodging", "Nécessaire de feinteuse", "Pour esquiver le soir.");
    await add("oyster", "Écailler à huîtres", "Pour l'Œuvre au noir, façon œuf.");
    await add("hostile", "C++ % de remise_50 \\o/", "Un livre l'un d'un.");
    await add("number", "Trottinette 4000W", "Rapide.");
    await add("ordinal", "Presse 1ère, 24heures", "Deux 2tasses de 12pièces.");
    await add("small", "Blouson de zouave, taille S", "Chaud.", 700);
    await add("medium", "Blouson de zouave, taille M", "Chaud.");
    await add("purse", "Porte-monnaie zouzou", "Avec un porte-cartes zouzette.");
    await add("wallet", "Portefeuille zouzou", "Plat.");
    await add("router", "Routeur Wi-Fi zouzou", "Rapide.");
    await add("hotspot", "Borne wifi zouzou", "Rapide.");
    await add("t-shirt", "T-shirt zouzou", "Léger.");
    await add("tee-shirt", "Tee-shirt zouzou", "Léger.");
    await add("tee shirt", "Tee shirt zouzou", "Léger.");
    await add("sweatshirt", "Sweat-shirt zouzou", "Épais.");
    await add("part", "Pièce AB-1234-X zouzou", "En acier.");
    await add("bottle", "Gourde zouzou 500 ml", "En inox.");
    await add("flask", "Flacon zouzou 500ml", "En verre.");
    await add("jug", "Carafe zouzou 1500ml", "En verre.");
    await add("cable", "Câble zouzou 1,5 m", "Souple.");
    await add("cord", "Cordon zouzou 1.5m", "Souple.");
    await add("rope", "Corde zouzou 15 m", "Tressée, en 1 à 5 brins.");
    await add("trunk", "Malle zouzou 3-en-1", "Grande.");
    await add("kit", "Kit zouzou 3 en 1", "Grand.");
    await add("chest", "Coffre zouzou 3en1", "Grand.");
    await add("bedspread", "Couvre-lit zouzou", "Doux.");
    await add("cover", "Couverture de lit zouzou", "Douce.");
    await add("tarpaulin", "Bâche de chantier", "Ses œillets zouvrent bien.");
    await shop.forgetCaches();
  });

  const search = async (api: Api, text: string, more = "") => {
    const { json, headers } = await api.get<Products>(
      `/api/products?search=${encodeURIComponent(text)}&itemsPerPage=100${more}`,
    );
    const own = new Map(Object.entries(ids).map(([key, id]) => [id, key]));
    return {
      keys: json["hydra:member"].map(({ id }) => own.get(id) ?? `#${id}`),
      total: json["hydra:totalItems"],
      isApproximate: headers["search-approximate"],
    };
  };

  const found: [text: string, why: string, keys: string[]][] = [
    ["brouette", "the word itself", ["exact", "wooden", "mentioned"]],
    ["BROUETTES", "neither case nor plural matter", ["exact", "wooden", "mentioned"]],
    ["  brouette. ", "nor spaces and punctuation", ["exact", "wooden", "mentioned"]],
    ["elaguee brouette", "nor accents, nor the order of words", ["wooden"]],
    ["ÉLAGUÉES", "nor capital accents", ["wooden"]],
    ["chevaux", "an irregular plural", ["horse"]],
    ["cheval d’arçon", "a curly apostrophe", ["horse"]],
    ["d'arçon", "an elided article", ["horse"]],
    ["esquivait", "a conjugated verb", ["dodging"]],
    ["esquivés", "a participle", ["dodging"]],
    ["rouett", "a part of a word of the name", ["exact", "wooden"]],
    ["brouette visse", "words of name and description together", ["mentioned"]],
    ["la brouette de l'élag", "words that French passes over", ["wooden"]],
    ["huitres", "an accent left out", ["oyster"]],
    ["oeuf", "a ligature spelt out", ["oyster"]],
    ["œuf", "a ligature", ["oyster"]],
    ["4000W", "digits and letters", ["number"]],
    ["presse 1ère", "a word that begins with a digit", ["ordinal"]],
    ["24heures", "and looks like a plural", ["ordinal"]],
    ["2TASSES", "anywhere", ["ordinal"]],
    ["12pieces", "without accents", ["ordinal"]],
    ["remise_50", "an underscore is no wildcard", ["hostile"]],
    ["portemonnaie zouzou", "a hyphen left out", ["purse"]],
    ["porte monnaie zouzou", "a space for the hyphen", ["purse"]],
    ["porte-monnaie zouzou", "the hyphen", ["purse"]],
    ["portemon zouzou", "a part of it", ["purse"]],
    ["portecartes", "in a description", ["purse"]],
    ["porte feuille zouzou", "a space too much", ["wallet"]],
    ["porte-feuilles zouzou", "a hyphen too much", ["wallet"]],
    ["wifi zouzou", "one word", ["router", "hotspot"]],
    ["wi-fi zouzou", "two with a hyphen", ["router", "hotspot"]],
    ["wi fi zouzou", "two words", ["router", "hotspot"]],
    ["tee shirt zouzou", "however it is written", ["t-shirt", "tee-shirt", "tee shirt"]],
    ["teeshirts zouzou", "as one word", ["t-shirt", "tee-shirt", "tee shirt"]],
    ["t-shirt zouzou", "as English writes it", ["t-shirt", "tee-shirt", "tee shirt"]],
    ["tshirt zouzou", "without its hyphen", ["t-shirt", "tee-shirt", "tee shirt"]],
    ["tee zouzou", "a part of it", ["tee-shirt", "tee shirt"]],
    ["AB1234X zouzou", "a reference without its hyphens", ["part"]],
    ["ab 1234 x zouzou", "with spaces", ["part"]],
    ["AB-1234-X zouzou", "as it is", ["part"]],
    ["AB1234 zouzou", "the beginning of it", ["part"]],
    ["AB1235X", "another reference is no typing error", []],
    ["500ml zouzou", "a size without a space, and no longer number", ["bottle", "flask"]],
    ["500 ml zouzou", "with a space", ["bottle", "flask"]],
    ["1500 ml zouzou", "with a space that is not there", ["jug"]],
    ["1,5m zouzou", "a decimal comma", ["cable", "cord"]],
    ["1,5 m zouzou", "with a space", ["cable", "cord"]],
    ["1.5 m zouzou", "a decimal point", ["cable", "cord"]],
    ["3en1 zouzou", "a stop word between digits", ["trunk", "kit", "chest"]],
    ["3-en-1 zouzou", "with hyphens", ["trunk", "kit", "chest"]],
    ["couvrelit", "nothing else that is similar", ["bedspread"]],
    ["couvre lits zouzou", "two words", ["bedspread"]],
  ];
  test("each text finds what its words mean in French", async ({ api }) => {
    for (const [text, why, keys] of found) {
      const result = await search(api, text);
      expect(result.keys.toSorted(), `« ${text} »: ${why}`).toEqual(keys.toSorted());
      expect(result.total, text).toBe(keys.length);
      expect(result.isApproximate, text).toBeUndefined();
    }
  });

  test("the best match comes first: the exact name, the name, a mention", async ({ api }) => {
    expect((await search(api, "brouette")).keys).toEqual(["exact", "wooden", "mentioned"]);
    expect((await search(api, "Brouette élaguée")).keys).toEqual(["wooden"]);
    // A single letter counts, too.
    expect((await search(api, "zouave taille m")).keys).toEqual(["medium", "small"]);
    expect((await search(api, "taille S zouave")).keys).toEqual(["small", "medium"]);
    expect((await search(api, "c++")).keys).toContain("hostile");
    expect((await search(api, "M")).keys[0]).toBe("medium");
  });

  test("every word must match; a part of a word only in names", async ({ api }) => {
    for (const text of ["brouette cheval", "brouette zzzzzz"])
      expect(await search(api, text)).toMatchObject({ keys: [], total: 0 });
    expect((await search(api, "fants")).keys).not.toContain("horse");
  });

  test("a typing error finds approximate matches, marked as such", async ({ api }) => {
    for (const [text, keys] of [
      ["brouettte", ["exact", "wooden", "mentioned"]],
      ["borouette", ["exact", "wooden", "mentioned"]],
      ["bruoette", ["exact", "wooden", "mentioned"]],
      ["brauette élaguée", ["wooden"]],
      ["trotinete", ["number"]],
    ] as const) {
      const result = await search(api, text);
      expect(result.keys.toSorted(), text).toEqual(keys.toSorted());
      expect(result, text).toMatchObject({ isApproximate: "true", total: keys.length });
    }
    // Nothing is similar to these. The last one is two letters away from "couvrelit".
    for (const text of ["xqzwvkjhg", "zzz", "qx", "zouvrelat"]) {
      const result = await search(api, text);
      expect(result, text).toMatchObject({ keys: [], total: 0, isApproximate: undefined });
    }
  });

  test("common words are found with every filter and sort", async ({ api, arrange, database }) => {
    test.slow();
    const COUNT = 5_000;
    const { lists, tag } = await arrange(async (db) => {
      const lists = idsOf([await createCategory({ db }), await createCategory({ db })]);
      const tag = (await createTag({ db })).id;
      // Folding products are in the first category only, stiff ones in the second one only.
      await db.execute(sql`
        insert into products (type, name, description, price_cents, default_category_id, sales_count)
        select case when i % 5 = 0 then 'digital' else 'physical' end,
          'Ombrelle ' || case when i % 2 = 0 then 'repliable' else 'rigidifiée' end,
          case when i % 100 < 2 then 'Rarissimement livrée.' else 'Couramment livrée.' end
            || case when i % 14 = 7 then ' Vraiment rigidifiée.' else '' end,
          1000 + i * 37 % 900, (${sql.param(lists)}::int[])[1 + i % 2], i * 7919 % 1000
        from generate_series(1, ${COUNT}) i`);
      await db.execute(sql`
        insert into product_categories (product_id, category_id)
        select id, case when id % 40 < 6 then ${lists[0]} else default_category_id end from products
        where default_category_id = any(${sql.param(lists)})`);
      await db.execute(sql`
        insert into product_tags (product_id, tag_id) select id, ${tag} from products
        where default_category_id = ${lists[1]} and sales_count < 30`);
      await db.execute(sql`analyze products, product_listings`);
      return { lists, tag };
    });
    const inCategory = (id?: number) => sql`(p.default_category_id = ${id} or exists (
      select from product_categories c where c.product_id = p.id and c.category_id = ${id}))`;
    const restrictions: [more: string, condition: SQL][] = [
      ["", sql`true`],
      [`category=${lists[0]}`, inCategory(lists[0])],
      ["max_price=10.8", sql`p.price_cents <= 1080`],
      [`category=${lists[1]}&type=digital`, sql`${inCategory(lists[1])} and p.type = 'digital'`],
      [`tags.id=${tag}`, sql`p.sales_count < 30 and p.default_category_id = ${lists[1]}`],
      [
        `category=${lists[0]}&tags.id=${tag}&max_price=15`,
        sql`${inCategory(lists[0])} and p.price_cents <= 1500 and exists (
          select from product_tags t where t.product_id = p.id and t.tag_id = ${tag})`,
      ],
    ];
    const searches = ["ombrelle", "rigidifiee", "ombrelle rarissimement"];
    const SIZE = 12;
    const rows = await database.execute<{ id: number; text: string }>(
      sql`select id, search_normalise(name || ' ' || description) as text from products`,
    );
    const texts = new Map(rows.map(({ id, text }) => [id, text]));
    for (const [more, condition] of restrictions)
      for (const [sort, order] of [
        ["", null],
        ["price_sort=desc", sql`p.price_cents desc, p.id desc`],
      ] as const) {
        const allowed = await database.execute<{ id: number }>(
          sql`select id from products p where ${condition} order by ${order ?? sql`p.id`}`,
        );
        for (const text of searches) {
          const query = `?search=${encodeURIComponent(text)}&itemsPerPage=100&${more}&${sort}`;
          const expected = allowed
            .map(({ id }) => id)
            .filter((id) => text.split(" ").every((word) => texts.get(id)?.includes(word)));
          // The order of a sorted list is known without reading all of its pages.
          const found = order ? expected : await walk(api, query);
          if (!order) expect(ascending(found), query).toEqual(expected);
          // Smaller pages are found in other ways, but in the same order.
          const last = Math.max(1, Math.ceil(found.length / SIZE));
          for (const page of new Set([1, 2, 3, last])) {
            const part = query.replace("itemsPerPage=100", `itemsPerPage=${SIZE}&page=${page}`);
            const list = await get(api, part);
            const ids = idsOf(list["hydra:member"]);
            expect(ids, part).toEqual(found.slice((page - 1) * SIZE, page * SIZE));
            if (page === last) expect(list["hydra:totalItems"], part).toBe(found.length);
          }
        }
      }
    // Of very many matches, the 48 best-selling ones come first, by relevance. The others follow by
    // sales.
    for (const [more, condition] of restrictions.slice(0, 2)) {
      const rows = await arrange((db) =>
        db.execute<{ id: number }>(sql`
          select id from products p where p.name like 'Ombrelle%' and ${condition}
          order by p.sales_count desc, p.id`),
      );
      const bySales = idsOf(rows);
      const found = await walk(api, `?search=ombrelle&itemsPerPage=100&${more}`);
      expect(found.slice(48), more).toEqual(bySales.slice(48));
      expect(new Set(found.slice(0, 48)), more).toEqual(new Set(bySales.slice(0, 48)));
    }
    await arrange((db) =>
      db.execute(sql`delete from products where default_category_id = any(${sql.param(lists)})`),
    );
  });

  test("in a large catalogue the best sold of many matches come first", async ({ shopWith }) => {
    test.slow();
    // With so many matches, the index is asked for the best-selling ones first, and for more if it has
    // found too few.
    const { api, env, forgetCaches } = await shopWith();
    const log = () => undefined;
    await seedLargeCatalogue({ url: String(env.DATABASE_URL), products: 40_000, log });
    await forgetCaches();
    const page = async (query: string) =>
      (await get(api, `?search=carnet&itemsPerPage=100&${query}`))["hydra:member"];
    const matches: ProductJson[] = [];
    for (let number = 1; matches.length === 100 * (number - 1); number++)
      matches.push(...(await page(`price_sort=asc&page=${number}`)));
    expect(matches.length).toBeGreaterThan(2_000);
    const bySales = idsOf(matches.toSorted((a, b) => b.sales_count - a.sales_count || a.id - b.id));
    const found: number[] = [];
    for (const number of [1, 2, 3, 10]) found.push(...idsOf(await page(`page=${number}`)));
    expect(new Set(found.slice(0, 48))).toEqual(new Set(bySales.slice(0, 48)));
    expect(found.slice(48, 300)).toEqual(bySales.slice(48, 300));
    expect(found.slice(300)).toEqual(bySales.slice(900, 1_000));
  });

  const hostile = [
    ...["''; drop table products; --", '"', "%%%", "a_b", "*", ":*", "-1", "1'='1", "(((", "& | !"],
    ...["de la", "le", "a", "é", "<script>alert(1)</script>", "{{7*7}} #{7*7}"],
    ...["\u202e\u200b\ufeff", "\t\n\r", "ﬁ ŉ ǆ ß İ", "Ω≈ç√∫˜µ≤≥÷", "ᄀᄁ 日本語 العربية"],
    ...["\ud7ff\ue000\uffff", "x".repeat(10_000), "🦊".repeat(3_000), "%".repeat(10_000)],
  ];
  test("any text is a valid search", async ({ api }) => {
    for (const text of hostile) {
      const { status, json } = await api.get<Products>(
        `/api/products?search=${encodeURIComponent(text)}`,
      );
      expect(status, text.slice(0, 40)).toBe(200);
      expect(json["@type"]).toBe("hydra:Collection");
      expect(json["hydra:totalItems"]).toBeGreaterThanOrEqual(json["hydra:member"].length);
    }
    expect((await get(api, "?itemsPerPage=1"))["hydra:member"]).toHaveLength(1);
  });

  test("text without any word finds nothing; words are found within signs, and in a long text's beginning", async ({
    api,
  }) => {
    for (const text of ["%", "_", "'", "\\", "🦊", "&|!", "…"])
      expect(await search(api, text), text).toMatchObject({ keys: [], total: 0 });
    for (const text of [
      "👩‍👩‍👧‍👦 brouette",
      "brouette & | ! :* <-> ()",
      "!brouette",
      "brouette, ".repeat(1_000),
      `brouette${" ".repeat(9_000)}cheval`,
    ])
      expect((await search(api, text)).keys.toSorted(), text.slice(0, 40)).toEqual([
        "exact",
        "mentioned",
        "wooden",
      ]);
  });
});
