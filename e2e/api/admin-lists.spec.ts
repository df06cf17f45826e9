import type { Database } from "@/db";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import { createCart, createOrder, createWithdrawal } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { newEmail } from "../accounts";
import {
  historyOf,
  linesOfCsv,
  makeUnpaid,
  newAdmin,
  ORDER_ADDRESSES,
  sentencesOf,
} from "../admin";
import { expect, test } from "../fixtures";

// What the entities of the back office have in common, in two tables: how their lists are searched, sorted,
// filtered, paged and exported, and what happens to a save or a deletion that comes too late; and the
// sentences for bodies that are incomplete or wrong.

interface Entity {
  list: string;
  /** Its lists are plain arrays in every format, with the total in a header. */
  isPlainArray?: true;
  /** Creates the n-th of three rows, which a search for `word` finds. Returns its id. */
  create: (context: { db: Database; word: string; n: 0 | 1 | 2 }) => Promise<number>;
  /** The three rows in the order that a query without a sort has: "cba" is newest first. */
  order: string;
  /** Queries, and the rows that they give, in order. */
  finds: Record<string, string>;
  /** Further queries that are 400. */
  wrong?: string[];
  /** The first headings of the exported table. */
  heads: string[];
  /** The cells below some headings, for the rows in the order in which they were created. */
  cells?: Record<string, [string, string, string]>;
  /** Where a row is saved, and a change of it. Without it, the entity is not saved under a version. */
  save?: { path: string; entity: string; json: (n: number) => object; remove?: string };
}

const label = {
  order: "bac",
  finds: {
    "order[name]=asc": "bac",
    "order[name]=desc": "cab",
    "order[color]=asc": "cba",
    "order[id]=desc": "cba",
  },
  wrong: ["order[name]=up"],
  heads: ["ID", "Nom", "Couleur", "Produits"],
};
/** Names are in French alphabetical order, not in that of their bytes. */
const labelOf = (word: string, n: 0 | 1 | 2) => ({
  name: `${word} ${["Élan", "abricot", "Zoo"][n]}`,
  color: `#00000${3 - n}`,
});

const FIRST_NAMES = ["Bérénice", "Anaïs", "Chloé"] as const;

/** A customer whose family name is the word. */
const customer = ({ db, word, n }: { db: Database; word: string; n: number }) =>
  createUser({ db, lastName: word, firstName: FIRST_NAMES[n] ?? "" });

/** An order of a customer whose family name is the word. */
async function ordered({ db, word, n }: { db: Database; word: string; n: number }) {
  const user = await customer({ db, word, n });
  const product = await createProduct({ db, priceCents: [2000, 1000, 3000][n] ?? 0 });
  const orderedAt = new Date(Date.UTC(2001, 5, 1 + n, 12));
  const made = await createOrder({ db, user, items: [{ product }], orderedAt });
  return { user, product, ...made };
}

const entities: Record<string, Entity> = {
  categories: {
    ...label,
    list: "/api/categories",
    create: async ({ db, word, n }) => (await createCategory({ db, ...labelOf(word, n) })).id,
    save: { path: "/api/categories", entity: "Category", json: (n) => ({ name: `Nom ${n}` }) },
  },
  tags: {
    ...label,
    list: "/api/tags",
    create: async ({ db, word, n }) => (await createTag({ db, ...labelOf(word, n) })).id,
    save: { path: "/api/tags", entity: "Tag", json: (n) => ({ name: `Nom ${n}` }) },
  },
  products: {
    list: "/api/products",
    create: async ({ db, word, n }) => {
      const priceCents = [300, 100, 200][n] ?? 0;
      const type = n === 2 ? "digital" : "physical";
      const image = n === 0 ? null : "a.webp";
      const weight = n === 1 ? 300 : null;
      const values = { name: `${word} ${n}`, priceCents, type, image, weight } as const;
      return (await createProduct({ db, ...values })).id;
    },
    order: "abc",
    finds: {
      "order[price]=asc": "bca",
      "order[id]=desc": "cba",
      "order[name]=desc": "cba",
      "order[createdAt]=asc": "abc",
      "price_sort=desc": "acb",
      "type=digital&order[id]=asc": "c",
      "withoutImage=true&order[id]=asc": "a",
      "withoutImage=false&order[id]=asc": "bc",
      "withoutWeight=true": "a",
      "withoutWeight=false": "b",
    },
    wrong: ["order[price]=cheap"],
    heads: ["ID", "Nom", "Description", "Prix (€)"],
    cells: { "Prix (€)": ["3", "1", "2"] },
    save: {
      path: "/api/physical_products",
      entity: "Product",
      json: (n) => ({ name: `Nom ${n}` }),
      remove: "/api/products",
    },
  },
  addresses: {
    list: "/api/addresses",
    create: async ({ db, word, n }) => {
      const { id: userId } = await customer({ db, word, n });
      const address = [
        { street: "3 rue C", city: "arles", postalCode: "13200", type: "billing" as const },
        { street: "1 rue A", city: "Cannes", postalCode: "06400" },
        { street: "2 rue B", city: "Brest", postalCode: "29200" },
      ][n];
      return (await createAddress({ db, userId, ...address })).id;
    },
    order: "cba",
    finds: {
      "order[city]=asc": "acb",
      "order[postalCode]=asc": "bac",
      "order[street]=asc": "bca",
      "type=billing": "a",
    },
    heads: ["ID", "Rue", "Ville", "Code postal", "Nom"],
    // Spreadsheets keep the leading zero.
    cells: { "Code postal": ["13200", '="06400"', "29200"] },
    save: { path: "/api/addresses", entity: "Address", json: (n) => ({ city: `Ville ${n}` }) },
  },
  carts: {
    list: "/api/carts",
    create: async ({ db, word, n }) => {
      const { id: userId } = await customer({ db, word, n });
      return (await createCart({ db, userId, items: [] })).cart.id;
    },
    order: "cba",
    finds: { "order[id]=asc": "abc", "order[updatedAt]=asc": "abc" },
    heads: ["ID", "Nom", "Prénom"],
    cells: { Prénom: [...FIRST_NAMES] },
  },
  orders: {
    list: "/api/admin_orders",
    create: async (context) => (await ordered(context)).order.id,
    order: "cba",
    finds: {
      "order[date]=asc": "abc",
      "order[total]=desc": "cab",
      "date[after]=2001-06-02&order[date]=asc": "bc",
      "status=paid&order[id]=asc": "abc",
      "status=delivered": "",
    },
    wrong: ["status=lost", "todo=dance", "date[after]=demain"],
    heads: ["ID", "Numéro"],
    save: { path: "/api/admin_orders", entity: "Order", json: (n) => ({ total: n }) },
  },
  invoices: {
    list: "/api/admin/invoices",
    isPlainArray: true,
    create: async (context) => {
      const { invoice } = await ordered(context);
      await makeUnpaid(context.db, invoice?.id);
      return invoice?.id ?? 0;
    },
    order: "cba",
    finds: {
      "order[totalAmount]=asc": "bac",
      "order[date]=asc": "abc",
      "order[number]=asc": "abc",
    },
    heads: ["ID", "Numéro", "Date", "Montant (€)"],
    cells: { "Montant (€)": ["20", "10", "30"] },
    save: {
      path: "/api/admin/invoices_update",
      entity: "Invoice",
      json: (n) => ({ totalAmount: n + 1 }),
      remove: "/api/admin/invoices_delete",
    },
  },
  "credit notes": {
    list: "/api/credit_notes",
    create: async (context) => {
      const { order } = await ordered(context);
      return (await createCreditNote({ db: context.db, orderId: order.id })).id;
    },
    order: "cba",
    finds: { "order[id]=asc": "abc" },
    heads: ["ID", "Numéro"],
  },
  withdrawals: {
    list: "/api/withdrawals",
    create: async (context) => {
      const { order, lines } = await ordered(context);
      const { db, n } = context;
      const state = n === 1 ? ("refused" as const) : ("received" as const);
      return (await createWithdrawal({ db, order, lines, state })).id;
    },
    order: "cba",
    finds: { "order[receivedAt]=asc": "abc", "state=refused": "b" },
    wrong: ["state=lost"],
    heads: ["ID"],
  },
  reviews: {
    list: "/api/reviews",
    create: async ({ db, word, n }) => {
      const { id: productId } = await createProduct({ db, name: `Objet ${word}` });
      const { id: userId } = await createUser({ db });
      const status = (["PENDING", "VALIDATED", "REJECTED"] as const)[n] ?? "PENDING";
      const rating = [3, 5, 1][n] ?? 3;
      return (await createReview({ db, userId, productId, status, rating })).id;
    },
    order: "cba",
    finds: {
      "order[rating]=asc": "cab",
      "order[datePublication]=asc": "abc",
      "status=PENDING": "a",
      "rating=5": "b",
    },
    heads: ["ID"],
    cells: { Statut: ["En attente", "Validé", "Rejeté"] },
    save: {
      path: "/api/reviews",
      entity: "Review",
      json: (n) => ({ content: `Un avis, le ${n}` }),
    },
  },
  users: {
    list: "/api/users",
    create: async ({ db, word, n }) => {
      const roles = n === 1 ? ["ROLE_USER", "ROLE_ADMIN"] : ["ROLE_USER"];
      const firstName = FIRST_NAMES[n] ?? "";
      const values = { isVerified: n !== 0, isDeleted: n === 2, roles };
      return (await createUser({ db, lastName: word, firstName, ...values })).id;
    },
    order: "cba",
    finds: {
      "order[lastname]=asc": "bac",
      "order[lastname]=desc": "cab",
      "order[createdAt]=asc": "abc",
      "role=ROLE_ADMIN": "b",
      "isVerified=false": "a",
      "isDeleted=true": "c",
    },
    wrong: ["role=KING", "isVerified=oui"],
    heads: ["ID", "Nom", "Prénom", "Email", "Rôles", "Vérifié", "Supprimé"],
    cells: { Vérifié: ["Non", "Oui", "Oui"] },
    save: {
      path: "/api/admin/users",
      entity: "User",
      json: (n) => ({ name: `Nom ${n}` }),
      remove: "/api/users",
    },
  },
};

let last = 0;
/** A word that no other row contains. */
const newWord = () => `Zyx${process.pid}q${last++}w`;

async function createThree({ db, create }: { db: Database; create: Entity["create"] }) {
  const word = newWord();
  const ids: number[] = [];
  for (const n of [0, 1, 2] as const) ids.push(await create({ db, word, n }));
  return { word, ids };
}

for (const [name, entity] of Object.entries(entities)) {
  const { list, isPlainArray, create, save } = entity;

  test(`${name} are found, sorted, paged and exported`, async ({ api, database: db, shop }) => {
    const { token } = await newAdmin(db);
    const { word, ids } = await createThree({ db, create });
    await shop.forgetCaches();
    const rowsOf = async (query: string) => {
      const answer = await api.get<{ id: number }[]>(`${list}?search=${word}&${query}`, {
        token,
        accept: "application/json",
      });
      expect(answer.status, `${query}: ${answer.text}`).toBe(200);
      return answer.json.map(({ id }) => "abc".charAt(ids.indexOf(id))).join("");
    };
    expect(await rowsOf("")).toBe(entity.order);
    for (const [query, rows] of Object.entries(entity.finds))
      expect(await rowsOf(query), query).toBe(rows);
    expect(await rowsOf("order[id]=asc&itemsPerPage=2&page=2")).toBe("c");
    for (const text of [`${word}%20introuvable`, "!!!"]) {
      const none = await api.get<unknown[]>(`${list}?search=${text}`, {
        token,
        accept: "application/json",
      });
      expect(none.json, text).toEqual([]);
    }
    const first = await api.get<Record<string, unknown>>(`${list}?search=${word}&itemsPerPage=2`, {
      token,
    });
    expect(first.headers["cache-control"]).toBe("private, no-store");
    if (isPlainArray) {
      expect(first.headers["x-total-count"]).toBe("3");
      expect(first.json).toHaveLength(2);
    } else
      expect(first.json).toMatchObject({
        "hydra:totalItems": 3,
        "hydra:view": { "hydra:last": expect.stringContaining("page=2") },
      });
    for (const query of ["order[id]=up", "page=0", ...(entity.wrong ?? [])])
      expect((await api.get(`${list}?${query}`, { token })).status, query).toBe(400);

    // The table has all rows that are found, whatever the page.
    const [heads = [], ...lines] = linesOfCsv(
      await api.get(`${list}?search=${word}&order[id]=asc&itemsPerPage=1`, {
        token,
        accept: "text/csv",
      }),
    );
    expect(heads.slice(0, entity.heads.length)).toEqual(entity.heads);
    expect(lines.map(([id]) => Number(id))).toEqual(ids);
    for (const [head, cells] of Object.entries(entity.cells ?? {}))
      expect(
        lines.map((line) => line[heads.indexOf(head)]),
        head,
      ).toEqual(cells);
    const { status } = await api.get(list, { accept: "text/csv" });
    expect([401, 406], "an export without a login").toContain(status);
  });

  if (save)
    test(`of ${name}, a late save or deletion is refused`, async ({ api, database: db }) => {
      const { token } = await newAdmin(db);
      const id = await create({ db, word: newWord(), n: 0 });
      const put = (json: object) =>
        api.put<{ version: number }>(`${save.path}/${id}`, { token, json });
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, n) => put({ ...save.json(n), version: 1 })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({
        "@type": "hydra:Error",
        error: "Cet objet a été modifié entre-temps par Inès Garnier.",
        current: { id, version: 2 },
      });
      // Without a version the save is not checked.
      expect((await put(save.json(7))).json).toMatchObject({ id, version: 3 });
      const path = `${save.remove ?? save.path}/${id}`;
      const removals = await Promise.all([1, 2, 3].map(() => api.delete(path, { token })));
      expect(removals.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
      expect((await put(save.json(8))).status).toBe(404);
      expect((await api.get(`${list}/${id}`, { token })).status).toBe(404);
      const history = await historyOf({ api, token, entity: save.entity, id });
      expect(history.map(({ action }) => action)).toEqual(["delete", "update", "update"]);
    });
}

const REQUIRED = "Ce champ est obligatoire.";
const ALL_REQUIRED = "Tous les champs sont obligatoires.";
const USER_REQUIRED = "Veuillez sélectionner un utilisateur.";
const CATEGORY_REQUIRED = "Veuillez sélectionner une catégorie par défaut.";
const SIZE_REQUIRED = "Veuillez renseigner une taille de fichier valide pour un produit digital.";
const NO_AMOUNT = "Veuillez saisir un montant en euros, avec deux décimales au plus.";
const NO_LIST = "Ce champ doit être une liste d'identifiants ou d'adresses.";
const NO_STARS = "Veuillez attribuer une note";
const TOO_FEW = "La quantité doit être d'au moins 1.";
const TOO_MANY = "La quantité ne peut pas dépasser 99 par produit.";
const NEGATIVE = "Le montant ne peut pas être négatif.";
const TOO_HIGH = "Le montant ne peut pas dépasser 21\u202f474\u202f836,47\u00a0€.";
const NO_VAT_RATE = "Le taux de TVA doit être 20, 10, 5,5, 2,1 ou 0.";
const NO_COLOR = "La couleur doit être de la forme #rrggbb.";
const NO_IMAGE = "Cette image doit être un nom de fichier ou une adresse http(s).";
const NO_LINK =
  "Ce lien doit être une adresse http(s), un chemin /downloads/… ou un nom de fichier.";
const NO_TEXTS = "Les caractéristiques doivent être des textes désignés par leur nom.";
const NO_USER = "Cet utilisateur n'existe pas.";
const NO_PRODUCT = "Ce produit n'existe pas.";
const NO_CATEGORY = "Cette catégorie n'existe pas.";
const UNKNOWN = 2_000_000_000;

type Json = Record<string, unknown>;
type Wrong = [change: Json, sentences: Json];

/** Each of these values of a field has this sentence, at the field or at another path. */
const each = (field: string, values: unknown[], sentence: unknown, path = field): Wrong[] =>
  values.map((value) => [{ [field]: value }, { [path]: sentence }]);

/** The only line of a list has this sentence. */
const inLine = (list: string, line: Json, field: string, sentence: string): Wrong => [
  { [list]: [line] },
  { [`${list}[0].${field}`]: sentence },
];

interface Checked {
  path: string;
  /** Where a row is saved, if not at `path`. */
  savePath?: string;
  /** A complete body; creates the rows that it names. */
  whole: (db: Database) => Promise<Json>;
  /** The sentences for an empty body. */
  empty: Json;
  /** Changes that make the complete body wrong. */
  wrong: Wrong[];
  /** Changes that are wrong only in a new row. */
  wrongInNew?: Wrong[];
  /** The answer to a second row with the same body. */
  again?: { status: number; sentence: string };
}

const wholeLabel = {
  whole: async () => ({ name: newWord() }),
  empty: { name: REQUIRED },
  wrong: [
    ...each("name", ["  ", null], REQUIRED),
    ...each("color", ["red", "#12345g", "#1234567", ""], NO_COLOR),
  ],
};

const wholeProduct = async (db: Database) => ({
  name: "Lampe",
  price: 42.9,
  description: "Une lampe.",
  defaultCategory: `/api/categories/${(await createCategory({ db })).id}`,
});

const EMPTY_PRODUCT = {
  name: REQUIRED,
  price: REQUIRED,
  description: REQUIRED,
  defaultCategory: CATEGORY_REQUIRED,
};

const checks: Record<string, Checked> = {
  categories: { ...wholeLabel, path: "/api/categories" },
  tags: { ...wholeLabel, path: "/api/tags" },
  "physical products": {
    path: "/api/physical_products",
    whole: wholeProduct,
    empty: EMPTY_PRODUCT,
    wrong: [
      ...each("defaultCategory", ["", null, "/api/tags/1"], CATEGORY_REQUIRED),
      ...each("defaultCategory", [UNKNOWN], NO_CATEGORY),
      ...each("price", ["abc", 1.234, true], NO_AMOUNT),
      ...each("price", [-0.01, "-1"], NEGATIVE),
      ...each("price", [21_474_836.48, 1e12], TOO_HIGH),
      ...each("price", ["", null], REQUIRED),
      ...each("name", ["", "  ", null, "\u200b", "\u2800 \u3164"], REQUIRED),
      ...each("description", ["\u00ad\n\u200e"], REQUIRED),
      ...each("name", ["a".repeat(256)], "Ce champ doit contenir au plus 255 caractères."),
      ...each(
        "vatRate",
        [19.6, -1, "abc", 20.004, false, [], ["5.5"], " ", "0x14", "1e1"],
        NO_VAT_RATE,
      ),
      ...each(
        "image",
        ["../secret.png", "javascript:alert(1)", "http://", "a<b>.png", "/etc/passwd"],
        NO_IMAGE,
      ),
      ...each("characteristics", ["abc", { a: {} }, [{ name: "a" }]], NO_TEXTS),
      ...each("categories", ["abc", 1], NO_LIST),
      ...each("categories", [[1, UNKNOWN]], NO_CATEGORY, "categories[1]"),
      ...each("tags", [["/api/tags/2000000000"]], "Ce tag n'existe pas.", "tags[0]"),
      ...each("tags", [[1, {}]], expect.any(String), "tags[1]"),
    ],
  },
  "digital products": {
    path: "/api/digital_products",
    whole: async (db) => ({ ...(await wholeProduct(db)), filesize: 10 }),
    empty: { ...EMPTY_PRODUCT, filesize: SIZE_REQUIRED },
    wrong: [
      ...each("filesize", [0, "", "abc", 1.5, 3e9], SIZE_REQUIRED),
      ...each(
        "downloadLink",
        ["javascript:alert(1)", "//exemple.fr/a", "http://", "../../etc/passwd", "/2026/guide.pdf"],
        NO_LINK,
      ),
    ],
  },
  addresses: {
    path: "/api/addresses",
    whole: async (db) => ({
      street: "12 rue des Lilas",
      city: "Lyon",
      postalCode: "69003",
      user: (await createUser({ db })).id,
    }),
    empty: {
      street: REQUIRED,
      city: REQUIRED,
      postalCode: "Le code postal ne doit pas être vide.",
      user: USER_REQUIRED,
    },
    wrong: [...each("user", ["", null], USER_REQUIRED), ...each("user", [UNKNOWN], NO_USER)],
  },
  carts: {
    path: "/api/carts",
    whole: async (db) => ({ user: (await createUser({ db })).id, items: [] }),
    empty: { user: REQUIRED },
    wrong: [
      inLine("items", { quantity: 1 }, "product", REQUIRED),
      inLine("items", { product: UNKNOWN, quantity: 1 }, "product", NO_PRODUCT),
      inLine("items", { product: 1, quantity: 0 }, "quantity", TOO_FEW),
      inLine("items", { product: 1 }, "quantity", TOO_FEW),
      inLine("items", { product: 1, quantity: 1.5 }, "quantity", TOO_FEW),
      inLine("items", { product: 1, quantity: 100 }, "quantity", TOO_MANY),
    ],
    again: { status: 422, sentence: "Cet utilisateur a déjà un panier." },
  },
  orders: {
    path: "/api/admin_orders",
    whole: async (db) => ({
      user: (await createUser({ db })).id,
      orderItems: [{ product: (await createProduct({ db })).id, quantity: 1 }],
      total: 0,
      ...ORDER_ADDRESSES,
      invoice_pdf_path: "a.pdf",
    }),
    empty: { "": ALL_REQUIRED },
    wrong: [
      ...[
        "user",
        "orderItems",
        "total",
        ...Object.keys(ORDER_ADDRESSES),
        "invoice_pdf_path",
      ].flatMap((field) => each(field, ["", null], ALL_REQUIRED, "")),
      ...each("orderItems", [[]], ALL_REQUIRED, ""),
      ...each("shippingCity", [" "], ALL_REQUIRED, ""),
      ...each("user", [UNKNOWN], NO_USER),
      inLine("orderItems", { product: UNKNOWN, quantity: 1 }, "product", NO_PRODUCT),
      inLine("orderItems", { product: 1, quantity: 0 }, "quantity", TOO_FEW),
      ...each("total", [-1], NEGATIVE),
    ],
  },
  invoices: {
    path: "/api/admin/invoices_create",
    savePath: "/api/admin/invoices_update",
    whole: async (db) => ({
      totalAmount: 0,
      user: (await createUser({ db })).id,
      pdfPath: "a.pdf",
      paymentId: "pi",
    }),
    empty: { "": ALL_REQUIRED },
    wrong: [
      ...["totalAmount", "user", "pdfPath", "paymentId"].flatMap((field) =>
        each(field, [""], ALL_REQUIRED, ""),
      ),
      ...each("user", [null], ALL_REQUIRED, ""),
      ...each("user", [UNKNOWN], NO_USER),
      ...each("totalAmount", ["douze"], NO_AMOUNT),
    ],
    wrongInNew: each("order", [UNKNOWN], "Cette commande n'existe pas."),
  },
  reviews: {
    path: "/api/reviews",
    whole: async (db) => ({
      product: (await createProduct({ db })).id,
      user: (await createUser({ db })).id,
      content: "Bien.",
      rating: 5,
    }),
    empty: { product: REQUIRED, user: REQUIRED, content: REQUIRED, rating: NO_STARS },
    wrong: [
      ...each("rating", [-1, 6, 2.5, "x", null], NO_STARS),
      ...each("user", [UNKNOWN], NO_USER),
      ...each("product", [UNKNOWN], NO_PRODUCT),
      ...each("status", ["LOST"], expect.stringContaining("PENDING, VALIDATED, REJECTED")),
    ],
    again: { status: 409, sentence: "Cet utilisateur a déjà laissé un avis sur ce produit." },
  },
  users: {
    path: "/api/admin/users",
    whole: async () => ({
      email: newEmail(),
      name: "A",
      lastname: "B",
      password: "Motdepasse-2026!",
    }),
    empty: { email: REQUIRED, name: REQUIRED, lastname: REQUIRED, password: REQUIRED },
    wrong: [
      ...each("email", ["pas-une-adresse"], "Veuillez saisir une adresse e-mail valide."),
      ...each(
        "roles",
        [["ROLE_KING"]],
        expect.stringContaining("ROLE_USER, ROLE_ADMIN"),
        "roles[0]",
      ),
      ...each("isVerified", ["oui"], "Ce champ doit être vrai ou faux."),
      ...each(
        "password",
        ["court"],
        expect.stringContaining("Le mot de passe doit contenir au moins"),
      ),
    ],
    wrongInNew: each("password", [""], REQUIRED),
    again: { status: 422, sentence: "Cette adresse e-mail est déjà utilisée." },
  },
};

for (const [name, checked] of Object.entries(checks)) {
  const { path, savePath = path, wrong, wrongInNew = [], again } = checked;
  test(`of ${name}, what is missing or wrong has its sentence`, async ({ api, database: db }) => {
    const { token } = await newAdmin(db);
    const post = (json: Json) => api.post<{ id: number }>(path, { token, json });
    expect(sentencesOf(await post({}))).toEqual(checked.empty);
    const whole = await checked.whole(db);
    for (const [change, sentences] of [...wrong, ...wrongInNew])
      expect(sentencesOf(await post({ ...whole, ...change })), JSON.stringify(change)).toEqual(
        sentences,
      );

    // Nothing was created so far, and of concurrent requests one creates what can exist once.
    const answers = await Promise.all((again ? [1, 2, 3] : [1]).map(() => post(whole)));
    const created = answers.find(({ status }) => status === 201);
    expect(created, answers[0]?.text).toBeDefined();
    for (const answer of answers.filter((each) => each !== created)) {
      expect(answer.status).toBe(again?.status);
      expect(answer.text).toContain(again?.sentence);
    }
    for (const [json, sentences] of wrong)
      expect(
        sentencesOf(await api.put(`${savePath}/${created?.json.id}`, { token, json })),
        `a save of ${JSON.stringify(json)}`,
      ).toEqual(sentences);
  });
}
