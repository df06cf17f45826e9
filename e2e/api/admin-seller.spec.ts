import { eq } from "drizzle-orm";
import { createUser } from "@/db/factories/people";
import { invoices } from "@/db/schema/invoices";
import { shopSettings } from "@/db/schema/settings";
import { historyOf, newAdmin, sentencesOf } from "../admin";
import { createBuyerWithCart, requestPayment } from "../buying";
import { expect, test } from "../fixtures";

const PATH = "/api/admin/seller";
const SELLER = {
  legalName: "Les Tisserands SARL",
  address: "4 rue du Fil\n59100 Roubaix",
  siren: "552081317",
  vatNumber: "fr03552081317",
  email: "compta@tisserands.test",
};

/** As stored, with formatted numbers. */
const STORED_SELLER = { ...SELLER, siren: "552 081 317", vatNumber: "FR03 552081317" };

test("an administrator fills in the seller's details once", async ({ shopWith }) => {
  const { api, baseURL, database: db, log } = await shopWith();
  await db.delete(shopSettings);
  const { token } = await newAdmin(db);
  const customer = await createUser({ db });
  /** Adds an invoice. Returns a function that reads its seller. */
  const newInvoice = async () => {
    const whole = { totalAmount: 12.5, pdfPath: "facture.pdf", paymentId: "pi_1" };
    const created = await api.post<{ id: number }>("/api/admin/invoices_create", {
      token,
      json: { ...whole, user: customer.id },
    });
    expect(created.status, created.text).toBe(201);
    return async () => {
      const [row] = await db.select().from(invoices).where(eq(invoices.id, created.json.id));
      return row?.snapshot.seller;
    };
  };
  const dashboard = async () => (await api.get("/api/admin/dashboard", { token })).json;
  const save = (json: object) => api.put(PATH, { token, json });
  await test.step("a test key sells without the seller's details", async () => {
    const { buyer } = await createBuyerWithCart({ api, db });
    expect((await requestPayment({ api, buyer })).status).toBe(200);
  });

  const page = async (path: string) => {
    const answer = await fetch(baseURL + path);
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const notice = () => page("/mentions-legales");
  expect(await notice()).not.toContain("SIREN");

  const nobody = { "@type": "Seller", id: 1, legalName: "", address: "", version: 0 };
  expect((await api.get(PATH, { token })).json).toMatchObject(nobody);
  expect(await dashboard()).toMatchObject({
    sellerIsKnown: false,
    termsAreKnown: false,
    missingToSell: [],
  });
  const former = await newInvoice();
  expect(await former()).toMatchObject({ name: "Mini Ecommerce", siren: "", address: [] });
  await expect.poll(log).toContain("an invoice does not name who sells");

  // Several people save at the same time: one succeeds, the others see what the first has written.
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => save({ ...SELLER, version: 0 })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.json).toMatchObject({ current: { ...STORED_SELLER, version: 1 } });
  expect((await api.get(PATH, { token })).json).toMatchObject({ ...STORED_SELLER, version: 1 });
  expect(await dashboard()).toMatchObject({ sellerIsKnown: true });
  expect(await notice()).toContain("Les Tisserands SARL");
  expect(await notice()).toContain("552 081 317");

  // New invoices contain the seller's details. The existing invoice stays as it was issued.
  const named = await newInvoice();
  const { legalName: name, address, ...numbers } = STORED_SELLER;
  expect(await named()).toEqual({ ...numbers, name, address: address.split("\n") });
  expect(await former()).toMatchObject({ name: "Mini Ecommerce" });

  const moved = { ...SELLER, address: " 9 quai du Lin \r\n\r\n 59100   Roubaix\n", version: 1 };
  expect((await save(moved)).json).toMatchObject({
    address: "9 quai du Lin\n59100 Roubaix",
    version: 2,
  });
  const host = "Les Serveurs SAS\n1 rue du Câble, 75002 Paris";
  const { siren } = STORED_SELLER;
  expect((await save({ host })).json).toMatchObject({ siren, host, version: 3 });
  expect(await notice()).toContain("1 rue du Câble, 75002 Paris");

  const terms = () => page("/conditions-generales-de-vente");
  expect(await terms()).toContain("Le vendeur ne les a pas encore publiées.");
  const text = "# Prix\r\nEn euros <TTC>.\r\n\r\n\r\n- un\r\n- deux";
  expect((await save({ terms: text })).json).toMatchObject({
    host,
    terms: "# Prix\nEn euros <TTC>.\n\n- un\n- deux",
    version: 4,
  });
  expect(await terms()).toMatch(
    /<h2[^>]*>Prix<\/h2><p[^>]*>En euros &lt;TTC&gt;\.<\/p><ul[^>]*><li>un<\/li><li>deux<\/li><\/ul>/,
  );
  expect(await dashboard()).toMatchObject({ termsAreKnown: true });
  expect((await save({ terms: "é\n".repeat(25_000) })).status).toBe(200);
  expect((await save({ terms: "a".repeat(50_001) })).status).toBe(422);

  const [, , , last, first] = await historyOf({ api, token, entity: "Seller", id: 1 });
  expect(first?.action).toBe("create");
  expect(last?.changes).toEqual([
    { field: "address", before: SELLER.address, after: "9 quai du Lin\n59100 Roubaix" },
  ]);
});

test("invalid SIREN and VAT numbers are refused, field by field", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const REQUIRED = "Ce champ est obligatoire.";
  const lines = "1\n2\r\n3\n\n4\n5\n6";
  for (const [change, sentences] of [
    [
      { legalName: "", address: null, siren: " ", vatNumber: "", email: "" },
      {
        legalName: REQUIRED,
        address: REQUIRED,
        siren: REQUIRED,
        vatNumber: REQUIRED,
        email: REQUIRED,
      },
    ],
    [{ address: " \n " }, { address: REQUIRED }],
    [{ email: "a", host: lines }, { email: "Cette adresse e-mail n'est pas valide." }],
    [{ host: `${lines}\n7` }, { host: "Ce champ doit tenir en 6 lignes au plus." }],
    [
      { siren: "123", vatNumber: "DE123456789" },
      {
        siren:
          "Ce SIREN n'existe pas\u00a0: neuf chiffres, dont le dernier est une clé de contrôle.",
      },
    ],
    [
      { vatNumber: "FR04552081317" },
      {
        vatNumber:
          "Ce numéro de TVA n'est pas valable\u00a0: en France, FR, une clé de deux caractères, puis le SIREN.",
      },
    ],
  ] as const)
    expect(sentencesOf(await api.put(PATH, { token, json: { ...SELLER, ...change } }))).toEqual(
      sentences,
    );
  const [{ legalName } = { legalName: "" }] = await database.select().from(shopSettings);
  expect(legalName).not.toBe(SELLER.legalName);
});
