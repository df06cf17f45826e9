import { expect, test } from "@playwright/test";
import { currentOf, describeChanges, describeValue, differencesOf, problemsOfSave } from "./rules";

const fallback = "Erreur lors de la sauvegarde du tag.";
const refusal = (status: number, body: unknown = null) => ({
  status,
  body,
  violations: (body as { violations?: [] } | null)?.violations ?? [],
});

test("the field `error` comes before violations, those before the description, then the screen's message", () => {
  const violations = [
    { propertyPath: "name", message: "Ce champ est obligatoire." },
    { propertyPath: "", message: "Rien ne va." },
  ];
  const pris = { error: "E-mail refusé", "hydra:description": "email: pris", violations: [] };
  const repeated = {
    error: "email: pris",
    "hydra:description": "email: pris",
    violations: [{ propertyPath: "email", message: "Pris." }],
  };
  const fault = { "hydra:description": "Une erreur interne est survenue.", error: "Oups" };
  const say = (status: number, body?: unknown, hasError = false) =>
    problemsOfSave({ error: refusal(status, body), fallback, hasError });
  expect(say(422, { violations, "hydra:description": "name: …" })).toEqual([
    { field: "name", message: "Ce champ est obligatoire." },
    { message: "Rien ne va." },
  ]);
  expect(say(409, { "hydra:description": "Conflit." })).toEqual([{ message: "Conflit." }]);
  expect(say(422, pris)).toEqual([{ message: "email: pris" }]);
  // Only some screens use `error`, and only if it says more than the violations.
  expect(say(422, pris, true)).toEqual([{ message: "E-mail refusé" }]);
  expect(say(422, repeated, true)).toEqual([{ field: "email", message: "Pris." }]);
  for (const problems of [say(400, {}), say(400), say(0), say(500, fault, true)])
    expect(problems).toEqual([{ message: fallback }]);
});

test("only a conflict contains the current object", () => {
  expect(currentOf(refusal(409, { current: { id: 1 } }))).toEqual({ id: 1 });
  expect(currentOf(refusal(409, {}))).toBeNull();
  expect(currentOf(refusal(422, { current: { id: 1 } }))).toBeNull();
});

test("versions are compared field by field, as people read them", () => {
  const mine = {
    name: "A",
    on: true,
    user: { id: 1, label: "Camille" },
    price: "25.50",
    secret: 1,
  };
  const theirs = { name: "A", on: false, user: { id: 2, label: "Alix" }, price: "25.5", secret: 2 };
  const labels = { name: "Nom", on: "Actif", user: "Utilisateur", price: "Prix" };
  expect(differencesOf({ mine, theirs, labels })).toEqual([
    { field: "on", label: "Actif", mine: "Oui", theirs: "Non" },
    { field: "user", label: "Utilisateur", mine: "Camille", theirs: "Alix" },
  ]);
});

test("the value of a secret field is not shown", () => {
  const labels = { password: "Mot de passe", resetToken: "Reset Token" };
  const compare = (mine: object, theirs: object) =>
    differencesOf({ mine, theirs, labels, secretFields: ["password", "resetToken"] });
  const none = { password: "", resetToken: "" };
  expect(compare({ password: "Motdepasse-2026!", resetToken: "abc" }, none)).toEqual([
    { field: "password", label: "Mot de passe", mine: "modifié", theirs: "–" },
    { field: "resetToken", label: "Reset Token", mine: "modifié", theirs: "–" },
  ]);
  expect(compare(none, { ...none, resetToken: "d1" })).toEqual([
    { field: "resetToken", label: "Reset Token", mine: "–", theirs: "d1" },
  ]);
});

test("objects, lists and numbers are described in French, in the shop's words", () => {
  const address = { shippingStreet: "1 rue", shippingPostalCode: "44000", shippingCity: "Nantes" };
  for (const [value, field, text] of [
    [null, undefined, "–"],
    [{ id: 3, name: "Maison", color: "#112233" }, undefined, "Maison"],
    [{ name: "Martin", lastname: "Camille", email: "c@exemple.test" }, undefined, "Martin Camille"],
    [[{ key: "x", name: "Bois", value: "Hêtre" }], "characteristics", "Bois\u00a0: Hêtre"],
    [{ Bois: "Hêtre", version: "2" }, "characteristics", "Bois\u00a0: Hêtre, version\u00a0: 2"],
    [{}, "characteristics", "–"],
    [[{ id: 5, product: { id: 3, name: "Bol" }, quantity: 2 }], undefined, "Bol × 2"],
    [[{ key: "x", product: { id: 3, label: "Bol" }, quantity: "2" }], undefined, "Bol × 2"],
    [[{ maxWeight: 500, price: 2.9 }], "bands", "500 g\u00a0: 2,90\u00a0€"],
    [address, undefined, "Rue\u00a0: 1 rue, Code postal\u00a0: 44000, Ville\u00a0: Nantes"],
    ["REJECTED", "status", "Rejeté"],
    ["billing", "type", "Facturation"],
    ["digital", "content", "digital"],
    [25.5, "price", "25,50\u00a0€"],
    ["1234.5", "totalAmount", "1\u202f234,50\u00a0€"],
    [{ id: 7, total: 12 }, undefined, "Total\u00a0: 12,00\u00a0€"],
    ["douze", "price", "douze"],
    [5.5, "vatRate", "5,5\u00a0%"],
  ] as const)
    expect(describeValue(value, field), JSON.stringify(value)).toBe(text);
});

const read = (changes: Record<string, [before: unknown, after: unknown]>, labels = {}) =>
  describeChanges({
    changes: Object.entries(changes).map(([field, [before, after]]) => ({ field, before, after })),
    labels,
  }).map(({ label, before, after }) => [label, before, after]);

test("a parcel is described in one sentence, and order lines that read the same are no change", () => {
  const parcel = {
    id: 7,
    carrier: "Colissimo",
    trackingNumber: "8R1",
    trackingUrl: "https://www.laposte.fr/outils/suivre-vos-envois?code=8R1",
    shippedAt: "2026-11-26T23:30:13+00:00",
    deliveredAt: null,
    items: [{ item: 362, name: "Violon", quantity: 2 }],
  };
  const line = { id: 362, product: { id: 3, name: "Violon", price: 9 }, quantity: 2 };
  const shipped = "Colissimo 8R1 (Violon × 2), expédié le 27/11/2026 à 00:30";
  expect(
    read({
      orderItems: [[{ ...line, toSend: 2 }], [{ ...line, toSend: 0 }]],
      status: ["paid", "shipped"],
      shippedItems: [0, 2],
      shipments: [[], [parcel]],
    }),
  ).toEqual([
    ["État", "Payée", "Expédiée"],
    ["Pièces expédiées", "0", "2"],
    ["Colis", null, shipped],
  ]);
  const delivered = { ...parcel, carrier: "Autre", deliveredAt: "2026-11-28T09:00:00+00:00" };
  expect(read({ shipments: [[parcel], [delivered]] })).toEqual([
    ["Colis", shipped, `${shipped.replace("Colissimo", "Autre")}, livré le 28/11/2026 à 10:00`],
  ]);
});

test("changes are described in French, without derived fields, database ids and empty fields", () => {
  const labels = { name: "Nom", defaultCategory: "Catégorie par défaut", tags: "Tags" };
  expect(
    read(
      {
        id: [null, 4],
        name: [null, "Violon"],
        defaultCategory: [null, { id: 9, name: "Musique", color: "#112233" }],
        categoryId: [null, 9],
        tags: [null, []],
        availability: [null, "unlimited"],
        createdAt: [null, "2026-11-26T23:34:44+00:00"],
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
      },
      labels,
    ),
  ).toEqual([
    ["Nom", null, "Violon"],
    ["Catégorie par défaut", null, "Musique"],
    ["Date de création", null, "27/11/2026 à 00:34"],
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
