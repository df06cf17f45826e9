import { expect, test } from "@playwright/test";
import { z } from "zod";
import { frenchIssue } from "@/lib/http/api/french-issues";
import { idParams, MAX_ID, parseIri, relationField } from "@/lib/http/api/ids";

test("a relation is an IRI, a number or digits", () => {
  for (const value of [
    7,
    "7",
    " 7 ",
    "/api/products/7",
    { "@id": "/api/products/7", "@type": "Product" },
    { id: 7, name: "Bol" },
  ])
    expect(parseIri(value, "products"), JSON.stringify(value)).toBe(7);
  expect(parseIri("/api/physical_products/7", "products", "physical_products")).toBe(7);
});

test("anything else is no relation", () => {
  const wrong = [
    0,
    -1,
    1.5,
    Number.NaN,
    MAX_ID + 1,
    true,
    null,
    undefined,
    [],
    [7],
    {},
    { "@id": 7 },
    { "@id": "/api/tags/7", id: 7 },
    { id: null },
    { id: { id: 7 } },
    "",
    "0",
    "07",
    "-7",
    "7.0",
    "1e3",
    "seven",
    "99999999999999999999",
    `${MAX_ID + 1}`,
    "/api/tags/7",
    "/api/products/",
    "/api/products/seven",
    "api/products/7",
    "http://elsewhere.test/api/products/7",
    "/api/products/7/",
    "/api/products/7\0",
  ];
  for (const value of wrong) expect(parseIri(value, "products"), JSON.stringify(value)).toBeNull();
});

test("a body's relation is validated in French", () => {
  const schema = z.object({
    user: relationField({ collection: "users", description: "Client" }),
    order: relationField({ collection: "orders", description: "Commande" }).nullish(),
  });
  const parse = (value: unknown) => schema.safeParse(value, { error: frenchIssue });
  expect(parse({ user: "/api/users/3" }).data).toEqual({ user: 3 });
  expect(parse({ user: "3", order: null }).data).toEqual({ user: 3, order: null });
  const messages = (value: unknown) =>
    parse(value).error?.issues.map(({ path, message }) => [path[0], message]);
  expect(messages({})).toEqual([["user", "Ce champ est obligatoire."]]);
  expect(messages({ user: "" })).toEqual([["user", "Ce champ est obligatoire."]]);
  expect(messages({ user: "/api/tags/3" })).toEqual([
    ["user", "Cette valeur doit être un identifiant ou une adresse /api/users/{id}."],
  ]);
});

test("an id in a path is a positive integer within the range of the column", () => {
  expect(idParams.parse({ id: "12" })).toEqual({ id: 12 });
  expect(idParams.parse({ id: String(MAX_ID) })).toEqual({ id: MAX_ID });
  for (const id of ["0", "-1", "1.5", "abc", "", String(MAX_ID + 1), "1\0", " 1"])
    expect(idParams.safeParse({ id }).success, id).toBe(false);
});
