import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createAddress, createUser } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { type Refusal, tokenOf } from "../accounts";
import { expect, test } from "../fixtures";

interface Address {
  id: number;
  street: string;
  city: string;
  postalCode: string;
  type: "shipping" | "billing";
  isDefault: boolean;
  isDefaultBilling: boolean;
}

const PATH = "/api/addresses_front";
const REQUIRED = "Ce champ est obligatoire.";
const POSTAL_CODE_WRONG = "Le code postal doit être valide (format: 12345 ou 12345-6789).";

const home = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };

async function customer(db: Database) {
  const user = await createUser({ db });
  return { id: user.id, token: await tokenOf(user) };
}

test("a customer creates, reads, updates and deletes an address", async ({ api, database }) => {
  const { token } = await customer(database);
  const created = await api.post<Address>(PATH, { token, json: home });
  expect(created.status).toBe(201);
  const { id } = created.json;
  expect(created.headers.location).toBe(`${PATH}/${id}`);
  expect(created.json).toEqual({
    "@context": "/api/contexts/CustomerAddress",
    "@id": `${PATH}/${id}`,
    "@type": "CustomerAddress",
    id,
    ...home,
    type: "shipping",
    isDefault: false,
    isDefaultBilling: false,
  });
  expect((await api.get("/api/contexts/CustomerAddress")).status).toBe(200);

  const changed = await api.put<Address>(`${PATH}/${id}`, {
    token,
    json: { city: " Villeurbanne ", postalCode: "69100-1234" },
  });
  expect(changed.status).toBe(200);
  const read = await api.get<Address>(`${PATH}/${id}`, { token, accept: "application/json" });
  expect(read.json).toEqual({
    id,
    street: home.street,
    city: "Villeurbanne",
    postalCode: "69100-1234",
    type: "shipping",
    isDefault: false,
    isDefaultBilling: false,
  });

  expect(changed.json).toMatchObject({ ...read.json });
  // Nothing tells another customer which addresses exist. e2e/access.spec.ts lists the refusals.
  const { token: other } = await customer(database);
  const foreign = await api.get(`${PATH}/${id}`, { token: other });
  const unknown = await api.get(`${PATH}/999999999`, { token: other });
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);

  const deleted = await api.delete(`${PATH}/${id}`, { token });
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  expect((await api.get(`${PATH}/${id}`, { token })).status).toBe(404);
  expect((await api.delete(`${PATH}/${id}`, { token })).status).toBe(404);
});

test("further lines may be given, kept and emptied", async ({ api, database }) => {
  const { token } = await customer(database);
  const details = {
    recipient: "Jeanne Roux",
    company: "Atelier Roux",
    complement: "Bâtiment B, 3e étage",
    phone: "+33 6 12 34 56 78",
  };
  const created = await api.post<Address>(PATH, { token, json: { ...home, ...details } });
  expect(created.status).toBe(201);
  expect(created.json).toMatchObject({ ...home, ...details });
  const path = `${PATH}/${created.json.id}`;
  // A client that does not know them sends none.
  const moved = await api.put<Address>(path, { token, json: { city: "Brest" } });
  expect(moved.json).toMatchObject({ ...home, ...details, city: "Brest" });
  const json = { company: "", phone: null, complement: "  Bâtiment   C " };
  const emptied = await api.put<Address>(path, { token, json });
  expect(emptied.json).toMatchObject({ recipient: "Jeanne Roux", complement: "Bâtiment C" });
  const [listed] = (await api.get<Address[]>(PATH, { token })).json;
  for (const gone of ["company", "phone"]) expect(listed).not.toHaveProperty(gone);
});

test("the list is a plain array of one's own addresses", async ({ api, database }) => {
  const { id: userId, token } = await customer(database);
  const other = await customer(database);
  await createAddress({ db: database, userId: other.id });
  const ids: number[] = [];
  for (const street of ["1 rue A", "2 rue B", "3 rue C"])
    ids.push((await createAddress({ db: database, userId, ...home, street })).id);
  for (const accept of [undefined, "application/json"]) {
    const { status, json } = await api.get<Address[]>(PATH, { token, accept });
    expect(status).toBe(200);
    expect(json.map(({ id }) => id)).toEqual(ids);
    const flags = { isDefault: false, isDefaultBilling: false };
    expect(json[0]).toEqual({ ...home, id: ids[0], street: "1 rue A", type: "shipping", ...flags });
  }
  const part = await api.get<Address[]>(`${PATH}?page=2&itemsPerPage=2`, { token });
  expect(part.json.map(({ id }) => id)).toEqual(ids.slice(2));
  expect((await api.get(`${PATH}?page=0`, { token })).status).toBe(400);
});

test("invalid fields have their messages, and change nothing", async ({ api, database }) => {
  const { id: userId, token } = await customer(database);
  const address = await createAddress({ db: database, userId });
  const path = `${PATH}/${address.id}`;
  for (const [json, errors] of [
    [{}, { street: REQUIRED, city: REQUIRED, postalCode: "Le code postal ne doit pas être vide." }],
    [
      {
        ...home,
        recipient: "a".repeat(101),
        company: "a".repeat(101),
        complement: "a".repeat(256),
        phone: "06-12",
      },
      {
        recipient: "Ce champ doit contenir au plus 100 caractères.",
        company: "Ce champ doit contenir au plus 100 caractères.",
        complement: "Ce champ doit contenir au plus 255 caractères.",
        phone:
          "Le numéro de téléphone doit avoir de 6 à 20 signes\u00a0: chiffres, espaces, points, tirets, parenthèses, et + au début.",
      },
    ],
    [
      { ...home, postalCode: "69 003", type: "home", street: "a".repeat(256), isDefault: "yes" },
      {
        street: "Ce champ doit contenir au plus 255 caractères.",
        postalCode: POSTAL_CODE_WRONG,
        type: "Cette valeur n'est pas permise. Valeurs permises : shipping, billing.",
        isDefault: "Ce champ doit être vrai ou faux.",
      },
    ],
  ] as const) {
    const refused = await api.post<Refusal>(PATH, { token, json });
    expect([refused.status, refused.json.errors]).toEqual([422, errors]);
  }
  const wrong = await api.put<Refusal>(path, { token, json: { ...home, postalCode: "ABCDE" } });
  expect([wrong.status, wrong.json.error]).toEqual([422, `postalCode: ${POSTAL_CODE_WRONG}`]);
  for (const change of [{ street: 12 }, { city: "" }, { city: "a\0b" }])
    expect((await api.put(path, { token, json: change })).status).toBe(422);
  const stored = await database.select().from(addresses).where(eq(addresses.userId, userId));
  expect(stored).toEqual([address]);
});

test.describe("defaults", () => {
  const defaults = async (database: Database, userId: number) => {
    const rows = await database.select().from(addresses).where(eq(addresses.userId, userId));
    return {
      shipping: rows.filter(({ isDefault }) => isDefault).map(({ id }) => id),
      billing: rows.filter(({ isDefaultBilling }) => isDefaultBilling).map(({ id }) => id),
    };
  };

  test("each type has one default, however it is set", async ({ api, database }) => {
    const { id: userId, token } = await customer(database);
    const add = async (json: object) =>
      (await api.post<Address>(PATH, { token, json: { ...home, ...json } })).json.id;
    const first = await add({ isDefault: true });
    const bill = await add({ type: "billing", isDefaultBilling: true });
    expect(await defaults(database, userId)).toEqual({ shipping: [first], billing: [bill] });
    // The default moves when an address is added, edited, or set as the default.
    const second = await add({ isDefault: true });
    expect(await defaults(database, userId)).toEqual({ shipping: [second], billing: [bill] });
    await api.put(`${PATH}/${first}`, { token, json: { isDefault: true } });
    expect(await defaults(database, userId)).toEqual({ shipping: [first], billing: [bill] });
    const set = await api.put(`${PATH}/${second}/default`, { token });
    expect(set.json).toEqual({ message: "Adresse par défaut mise à jour avec succès!" });
    expect(await defaults(database, userId)).toEqual({ shipping: [second], billing: [bill] });
    const otherBill = await add({ type: "billing" });
    const setBilling = await api.put(`${PATH}/${otherBill}/default-billing`, { token });
    expect(setBilling.json).toEqual({
      message: "Adresse de facturation par défaut mise à jour avec succès!",
    });
    expect(await defaults(database, userId)).toEqual({ shipping: [second], billing: [otherBill] });
    // A default address may lose its flag, and may be deleted.
    await api.put(`${PATH}/${second}`, { token, json: { isDefault: false } });
    expect((await api.delete(`${PATH}/${otherBill}`, { token })).status).toBe(204);
    expect(await defaults(database, userId)).toEqual({ shipping: [], billing: [] });
  });

  test("an address can be the default of its own type only", async ({ api, database }) => {
    const { token } = await customer(database);
    const json = { ...home, isDefault: true, isDefaultBilling: true };
    const shipping = await api.post<Address>(PATH, { token, json });
    expect(shipping.json).toMatchObject({ isDefault: true, isDefaultBilling: false });
    // An address that changes its type loses the former type's flag.
    const path = `${PATH}/${shipping.json.id}`;
    const turned = await api.put<Address>(path, { token, json: { type: "billing" } });
    expect(turned.json).toMatchObject({ isDefault: false, isDefaultBilling: false });
    const wrong = await api.put<Refusal>(`${path}/default`, { token });
    expect(wrong.status).toBe(422);
    expect(wrong.json.errors).toEqual({
      general: "Seule une adresse de livraison peut être l'adresse de livraison par défaut.",
    });
  });

  test("concurrent requests leave exactly one, and none fails", async ({ api, database }) => {
    const { id: userId, token } = await customer(database);
    const ids: number[] = [];
    for (let count = 0; count < 6; count++)
      ids.push((await createAddress({ db: database, userId })).id);
    const requests = ids.flatMap((id) => [
      api.put(`${PATH}/${id}/default`, { token }),
      api.put(`${PATH}/${id}`, { token, json: { isDefault: true } }),
      api.post(PATH, { token, json: { ...home, isDefault: true } }),
    ]);
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 201]));
    expect((await defaults(database, userId)).shipping).toHaveLength(1);
  });
});

test("fifty addresses are the limit, also for concurrent requests", async ({ api, database }) => {
  const { id: userId, token } = await customer(database);
  await database.insert(addresses).values(Array.from({ length: 47 }, () => ({ userId, ...home })));
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.post<Refusal>(PATH, { token, json: home })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.json.errors).toEqual({
    general: "Vous ne pouvez pas enregistrer plus de 50 adresses.",
  });
  const stored = await database.select().from(addresses).where(eq(addresses.userId, userId));
  expect(stored).toHaveLength(50);
  expect((await api.get<Address[]>(PATH, { token })).json).toHaveLength(50);
});
