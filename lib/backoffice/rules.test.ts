import { expect, test } from "@playwright/test";
import { currentOf, describeChanges, describeValue, differencesOf, problemsOfSave } from "./rules";

const fallback = "Erreur lors de la sauvegarde du tag.";
const refusal = (status: number, body: unknown = null) => ({
  status,
  body,
  violations: (body as { violations?: [] } | null)?.violations ?? [],
});
const say = (status: number, body?: unknown, hasError = false) =>
  problemsOfSave({ error: refusal(status, body), fallback, hasError });

test("violations come before the description, and that before the screen's message", () => {
  const violations = [
    { propertyPath: "name", message: "Ce champ est obligatoire." },
    { propertyPath: "", message: "Rien ne va." },
  ];
  expect(say(422, { violations, "hydra:description": "name: …" })).toEqual([
    { field: "name", message: "Ce champ est obligatoire." },
    { message: "Rien ne va." },
  ]);
  expect(say(409, { "hydra:description": "Conflit." })).toEqual([{ message: "Conflit." }]);
  expect(say(400, {})).toEqual([{ message: fallback }]);
  expect(say(400)).toEqual([{ message: fallback }]);
});

test("server errors and lost connections have the screen's message", () => {
  const body = { "hydra:description": "Une erreur interne est survenue.", error: "Oups" };
  expect(say(500, body, true)).toEqual([{ message: fallback }]);
  expect(say(0)).toEqual([{ message: fallback }]);
});

test("the response's field `error` comes first on screens that use it", () => {
  const body = { error: "E-mail refusé", "hydra:description": "email: pris", violations: [] };
  expect(say(422, body, true)).toEqual([{ message: "E-mail refusé" }]);
  expect(say(422, body)).toEqual([{ message: "email: pris" }]);
  const repeated = {
    error: "email: pris",
    "hydra:description": "email: pris",
    violations: [{ propertyPath: "email", message: "Pris." }],
  };
  expect(say(422, repeated, true)).toEqual([{ field: "email", message: "Pris." }]);
});

test("only a conflict contains the current object", () => {
  expect(currentOf(refusal(409, { current: { id: 1 } }))).toEqual({ id: 1 });
  expect(currentOf(refusal(409, {}))).toBeNull();
  expect(currentOf(refusal(422, { current: { id: 1 } }))).toBeNull();
});

test("versions are compared field by field, as people read them", () => {
  const mine = { name: "A", on: true, user: { id: 1, label: "Camille" }, items: [], secret: 1 };
  const theirs = { name: "A", on: false, user: { id: 2, label: "Alix" }, items: [], secret: 2 };
  const labels = { name: "Nom", on: "Actif", user: "Utilisateur", items: "Articles" };
  expect(differencesOf({ mine, theirs, labels })).toEqual([
    { field: "on", label: "Actif", mine: "Oui", theirs: "Non" },
    { field: "user", label: "Utilisateur", mine: "Camille", theirs: "Alix" },
  ]);
  expect(describeValue({ id: 3, name: "Maison", color: "#112233" })).toBe("Maison");
  expect(describeValue({ id: 3, name: "Martin", lastname: "Camille" })).toBe("Martin Camille");
  expect(describeValue(null)).toBe("–");
});

test("objects and lists are described in French, in the shop's words", () => {
  expect(describeValue([{ key: "x", name: "Bois", value: "Hêtre" }], "characteristics")).toBe(
    "Bois\u00a0: Hêtre",
  );
  expect(describeValue({ Bois: "Hêtre", version: "2" }, "characteristics")).toBe(
    "Bois\u00a0: Hêtre, version\u00a0: 2",
  );
  expect(describeValue({}, "characteristics")).toBe("–");
  expect(describeValue([{ id: 5, product: { id: 3, name: "Bol" }, quantity: 2 }])).toBe("Bol × 2");
  expect(describeValue([{ maxWeight: 500, price: 2.9 }], "bands")).toBe("500 g\u00a0: 2,90\u00a0€");
  expect(describeValue([{ key: "x", product: { id: 3, label: "Bol" }, quantity: "2" }])).toBe(
    "Bol × 2",
  );
  expect(
    describeValue({ shippingStreet: "1 rue", shippingPostalCode: "44000", shippingCity: "Nantes" }),
  ).toBe("Rue\u00a0: 1 rue, Code postal\u00a0: 44000, Ville\u00a0: Nantes");
  expect(describeValue({ name: "Martin", lastname: "Camille", email: "c@exemple.test" })).toBe(
    "Martin Camille",
  );
  expect(describeValue("REJECTED", "status")).toBe("Rejeté");
  expect(describeValue("billing", "type")).toBe("Facturation");
  expect(describeValue("digital", "content")).toBe("digital");
});

const read = (changes: Record<string, [before: unknown, after: unknown]>, labels = {}) =>
  describeChanges({
    changes: Object.entries(changes).map(([field, [before, after]]) => ({ field, before, after })),
    labels,
  }).map(({ label, before, after }) => [label, before, after]);

const parcel = (values = {}) => ({
  id: 7,
  carrier: "Colissimo",
  trackingNumber: "8R1",
  trackingUrl: "https://www.laposte.fr/outils/suivre-vos-envois?code=8R1",
  shippedAt: "2026-11-26T23:30:13+00:00",
  deliveredAt: null,
  items: [{ item: 362, name: "Violon", quantity: 2 }],
  ...values,
});

test("a parcel is described in one sentence, and order lines that read the same are no change", () => {
  const line = { id: 362, product: { id: 3, name: "Violon", price: 9 }, quantity: 2 };
  const both = [{ ...line, shippedQuantity: 0, toSend: 2 }];
  const sent = [{ ...line, shippedQuantity: 2, toSend: 0 }];
  const shipped = "Colissimo 8R1 (Violon × 2), expédié le 27/11/2026 à 00:30";
  expect(
    read({
      orderItems: [both, sent],
      status: ["paid", "shipped"],
      shippedItems: [0, 2],
      shipments: [[], [parcel()]],
    }),
  ).toEqual([
    ["État", "Payée", "Expédiée"],
    ["Pièces expédiées", "0", "2"],
    ["Colis", null, shipped],
  ]);
  const delivered = parcel({ carrier: "Autre", deliveredAt: "2026-11-28T09:00:00+00:00" });
  expect(read({ shipments: [[parcel()], [delivered]] })).toEqual([
    ["Colis", shipped, `${shipped.replace("Colissimo", "Autre")}, livré le 28/11/2026 à 10:00`],
  ]);
});

test("derived fields, database ids and empty fields are left out", () => {
  const defaultCategory = { id: 9, name: "Musique", color: "#112233" };
  expect(
    read(
      {
        id: [null, 4],
        name: [null, "Violon"],
        vatRate: [null, 5.5],
        defaultCategory: [null, defaultCategory],
        categoryId: [null, 9],
        tags: [null, []],
        availability: [null, "unlimited"],
        createdAt: [null, "2026-11-26T23:34:44+00:00"],
      },
      {
        name: "Nom",
        vatRate: "Taux de TVA",
        defaultCategory: "Catégorie par défaut",
        tags: "Tags",
      },
    ),
  ).toEqual([
    ["Nom", null, "Violon"],
    ["Taux de TVA", null, "5,5\u00a0%"],
    ["Catégorie par défaut", null, "Musique"],
    ["Date de création", null, "27/11/2026 à 00:34"],
  ]);
});

test("refunds, withdrawals and stock corrections are described in French", () => {
  expect(
    read({
      amount: [null, 42.9],
      shipping: [null, 0],
      restock: [null, true],
      reason: [null, "Lampe usée"],
      items: [null, [{ item: 362, name: "Lampe", quantity: 1, amount: 42.9 }]],
      order: [null, { id: 12, number: "CMD-2026-000012" }],
      user: [null, { id: 5 }],
      refundedTotal: [0, 42.9],
      state: ["received", "refunded"],
      settledAt: [null, "2026-11-26T23:34:44+00:00"],
      withdrawnAt: ["2026-06-26T23:34:44+00:00", null],
      deletedProducts: [3, null],
    }),
  ).toEqual([
    ["Montant", null, "42,90\u00a0€"],
    ["Livraison", null, "0,00\u00a0€"],
    ["Remis en stock", null, "Oui"],
    ["Motif", null, "Lampe usée"],
    ["Articles", null, "Lampe × 1"],
    ["Commande", null, "CMD-2026-000012"],
    ["Remboursé", "0,00\u00a0€", "42,90\u00a0€"],
    ["État", "Reçue", "Remboursée"],
    ["Réglée le", null, "27/11/2026 à 00:34"],
    ["Rétractation reçue le", "27/06/2026 à 01:34", "–"],
    ["Produits supprimés avec elle", "3", "–"],
  ]);
});

test("the value of a secret field is not shown", () => {
  const labels = { password: "Mot de passe", resetToken: "Reset Token" };
  const secretFields = ["password", "resetToken"];
  const compare = (mine: object, theirs: object) =>
    differencesOf({ mine, theirs, labels, secretFields });
  expect(
    compare({ password: "Motdepasse-2026!", resetToken: "abc" }, { password: "", resetToken: "" }),
  ).toEqual([
    { field: "password", label: "Mot de passe", mine: "modifié", theirs: "–" },
    { field: "resetToken", label: "Reset Token", mine: "modifié", theirs: "–" },
  ]);
  expect(compare({ password: "", resetToken: "" }, { password: "", resetToken: "d1" })).toEqual([
    { field: "resetToken", label: "Reset Token", mine: "–", theirs: "d1" },
  ]);
  expect(compare({ password: "" }, { password: "" })).toEqual([]);
});

test("amounts and other numbers are formatted in French, in objects and as typed", () => {
  expect(describeValue(25.5, "price")).toBe("25,50\u00a0€");
  expect(describeValue("1234.5", "totalAmount")).toBe("1\u202f234,50\u00a0€");
  expect(describeValue({ id: 7, total: 12 })).toBe("Total\u00a0: 12,00\u00a0€");
  expect(describeValue("douze", "price")).toBe("douze");
  expect(describeValue(5.5, "vatRate")).toBe("5,5\u00a0%");
  const labels = { price: "Prix" };
  expect(differencesOf({ mine: { price: "25.50" }, theirs: { price: "25.5" }, labels })).toEqual(
    [],
  );
});
