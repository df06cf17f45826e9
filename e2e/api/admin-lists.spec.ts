import type { Database } from "@/db";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import { createCart, createOrder, createWithdrawal } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { historyOf, linesOfCsv, makeUnpaid, newAdmin } from "../admin";
import { expect, test } from "../fixtures";

// What the entities of the back office have in common, in one table: how their lists are searched, sorted,
// filtered, paged and exported, and what happens to a save or a deletion that comes too late.

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
    "order[name]=desc": "cab",
    "order[color]=asc": "cba",
    "order[id]=desc": "cba",
  },
  wrong: ["order[name]=up"],
  heads: ["ID", "Nom", "Couleur", "Produits"],
};
const labelOf = (word: string, n: number) => ({
  name: `${word} ${"bac".charAt(n)}`,
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
      return (await createProduct({ db, name: `${word} ${n}`, priceCents, type, image })).id;
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

  test(`${name} are listed, searched, sorted, filtered, paged and exported`, async ({
    api,
    database: db,
    shop,
  }) => {
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
  });

  if (save)
    test(`of ${name}, a late save is refused, and a row is deleted once`, async ({
      api,
      database: db,
    }) => {
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
