import { expect, test } from "@playwright/test";
import { currentOf, describeValue, differencesOf, problemsOfSave } from "./rules";

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

test("only a conflict holds the present object", () => {
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

test("amounts and other numbers are French, in objects and as they were typed as well", () => {
  expect(describeValue(25.5, "price")).toBe("25,50\u00a0€");
  expect(describeValue("1234.5", "totalAmount")).toBe("1\u202f234,50\u00a0€");
  expect(describeValue({ id: 7, total: 12 })).toBe("Total\u00a0: 12,00\u00a0€");
  expect(describeValue("douze", "price")).toBe("douze");
  expect(describeValue(5.5, "vatRate")).toBe("5,5");
  const labels = { price: "Prix" };
  expect(differencesOf({ mine: { price: "25.50" }, theirs: { price: "25.5" }, labels })).toEqual(
    [],
  );
});
