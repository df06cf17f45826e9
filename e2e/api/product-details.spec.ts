import { createCategory, createProduct } from "@/db/factories/catalogue";
import { newAdmin, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import type { Collection, ProductJson } from "../representation";

// Pictures, reference, barcode and brand of a product.

const PATHS = ["/api/products", "/api/physical_products", "/api/digital_products"] as const;

let last = 0;
/** A text that no other test has. */
const fresh = (prefix: string) => `${prefix}${process.pid}${Date.now()}${++last}`;

/** A GTIN-13 that no other product has. */
function freshGtin(): string {
  const digits = `29${String(Date.now() % 1e8).padStart(8, "0")}${String(++last % 100).padStart(2, "0")}`;
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const pictures = (...names: string[]) => names.map((url) => ({ url, alt: `Vue ${url}` }));

for (const path of PATHS)
  test(`${path} takes pictures, reference, barcode and brand`, async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { id: categoryId } = await createCategory({ db: database });
    const [sku, gtin] = [fresh("REF-"), freshGtin()];
    const created = await api.post<ProductJson>(path, {
      token,
      json: {
        name: "Lampe",
        price: 10,
        description: "Une lampe.",
        defaultCategory: categoryId,
        product_type: path.includes("digital") ? "digital" : "physical",
        filesize: 10,
        images: [{ url: "a.webp" }, { url: "b.webp", alt: " De\nface " }, { url: "a.webp" }],
        sku: `  ${sku} `,
        gtin: `${gtin.slice(0, 1)} ${gtin.slice(1, 7)}-${gtin.slice(7)}`,
        brand: "Atelier",
      },
    });
    expect(created.status, created.text).toBe(201);
    const expected = {
      image: "a.webp",
      images: [
        { url: "a.webp", alt: "" },
        { url: "b.webp", alt: "De face" },
      ],
      sku,
      gtin,
      brand: "Atelier",
      status: "active",
    };
    expect(created.json).toMatchObject(expected);
    const { id } = created.json;
    expect((await api.get(`/api/products/${id}`)).json).toMatchObject(expected);

    // An old client does not know the new fields.
    const put = async (json: object) => {
      const answer = await api.put<ProductJson>(`${path}/${id}`, { token, json });
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    };
    expect(await put({ name: "Lampe Aube" })).toMatchObject(expected);
    expect((await put({ image: "c.webp" })).images.map(({ url }) => url)).toEqual([
      "c.webp",
      "b.webp",
    ]);
    const both = await put({ image: "f.webp", images: pictures("g.webp") });
    expect([both.image, both.images]).toEqual(["g.webp", pictures("g.webp")]);
    const emptied = await put({ images: [], sku: "", gtin: null, brand: "" });
    expect(emptied).toMatchObject({ image: null, images: [], sku: null, gtin: null, brand: null });
  });

test("wrong pictures, references and states have their messages", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const { id } = await createProduct({ db: database });
  const put = (json: object) => api.put(`/api/products/${id}`, { token, json });
  const gtin =
    "Ce code-barres n'est pas valide\u00a0: 8, 12, 13 ou 14 chiffres, dont le dernier est la clé de contrôle.";
  const many = Array.from({ length: 13 }, (_, n) => ({ url: `${n}.webp` }));
  for (const [json, sentences] of [
    [{ gtin: "4006381333932" }, { gtin }],
    [{ gtin: 12 }, { gtin }],
    [{ status: "archived" }, { status: expect.any(String) }],
    [{ sku: "x".repeat(65) }, { sku: expect.any(String) }],
    [{ images: "a.webp" }, { images: expect.any(String) }],
    [{ images: many }, { images: "Un produit peut avoir 12 images au plus." }],
    [{ images: [{ alt: "Sans image" }] }, { "images[0].url": "Ce champ est obligatoire." }],
    [
      { images: [{ url: "javascript:alert(1)" }] },
      { "images[0].url": "Cette image doit être un nom de fichier ou une adresse http(s)." },
    ],
  ] as const)
    expect(sentencesOf(await put(json))).toEqual(sentences);
  expect((await put({ images: many.slice(1) })).status).toBe(200);
});

test("of products with one reference or barcode, one is saved", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const made = await Promise.all([1, 2, 3, 4].map(() => createProduct({ db: database })));
  for (const [field, value, sentence] of [
    ["sku", fresh("Ref "), "Un autre produit porte déjà cette référence."],
    ["gtin", freshGtin(), "Un autre produit porte déjà ce code-barres."],
  ] as const) {
    const answers = await Promise.all(
      made.map(({ id }, n) =>
        api.put(`/api/products/${id}`, {
          token,
          // A reference is the same in capitals.
          json: { [field]: n % 2 ? value.toUpperCase() : value },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    for (const answer of answers.filter(({ status }) => status === 422))
      expect(sentencesOf(answer)).toEqual({ [field]: sentence });
  }
});

test("a reference, a barcode and a brand are found", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const [brand, sku, gtin] = [fresh("Marquequelconque"), fresh("AB-12/"), freshGtin()];
  const { id, other } = await arrange(async (db) => ({
    id: (await createProduct({ db, sku, gtin, brand })).id,
    // Its name contains the text that is the other's reference.
    other: (await createProduct({ db, name: `Notice ${sku}` })).id,
  }));
  const found = async (search: string, as: object, order = "") => {
    const answer = await api.get<Collection<ProductJson>>(
      `/api/products?search=${encodeURIComponent(search)}${order}`,
      as,
    );
    expect(answer.status, answer.text).toBe(200);
    return answer.json["hydra:member"].map((product) => product.id);
  };
  const spaced = `${gtin.slice(0, 1)} ${gtin.slice(1, 7)} ${gtin.slice(7)}`;
  for (const as of [{}, { token }]) {
    expect(await found(sku, as)).toEqual([id, other]);
    expect(await found(sku.toLowerCase().replace("/", " "), as)).toContain(id);
    for (const text of [gtin, spaced, `0${gtin}`, brand])
      expect(await found(text, as), text).toEqual([id]);
    expect(await found(brand.slice(0, -2), as)).toContain(id);
    // A reference is not a word among others.
    expect(await found(`lampe ${gtin}`, as)).toEqual([]);
  }
  expect(await found(gtin, { token }, "&order[name]=asc")).toEqual([id]);
});
