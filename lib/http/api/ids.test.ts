import { expect, test } from "@playwright/test";
import { z } from "zod";
import { frenchIssue } from "@/lib/http/api/french-issues";
import { idParams, MAX_ID, parseIri, relationField } from "@/lib/http/api/ids";

test("a relation is an IRI, a number, digits or the item itself, and nothing else", () => {
  const iri = "/api/products/7";
  for (const value of [7, "7", " 7 ", iri, { "@id": iri, "@type": "Product" }, { id: 7, name: "" }])
    expect(parseIri(value, "products"), JSON.stringify(value)).toBe(7);
  expect(parseIri("/api/physical_products/7", "products", "physical_products")).toBe(7);
  for (const value of [
    ...[0, -1, 1.5, Number.NaN, MAX_ID + 1, true, null, undefined, [], [7]],
    ...[{}, { "@id": 7 }, { "@id": "/api/tags/7", id: 7 }, { id: null }, { id: { id: 7 } }],
    ...["", "0", "07", "-7", "7.0", "1e3", "seven", "99999999999999999999", `${MAX_ID + 1}`],
    ...["/api/tags/7", "/api/products/", "/api/products/seven", "api/products/7"],
    ...[`http://elsewhere.test${iri}`, `${iri}/`, `${iri}\0`],
  ])
    expect(parseIri(value, "products"), JSON.stringify(value)).toBeNull();
});

test("a body's relation is validated in French", () => {
  const schema = z.object({
    user: relationField({ collection: "users", description: "Client" }),
    order: relationField({ collection: "orders", description: "Commande" }).nullish(),
  });
  const parse = (value: unknown) => schema.safeParse(value, { error: frenchIssue });
  expect(parse({ user: "/api/users/3", order: null }).data).toEqual({ user: 3, order: null });
  for (const [value, message] of [
    [{}, "Ce champ est obligatoire."],
    [{ user: "" }, "Ce champ est obligatoire."],
    [
      { user: "/api/tags/3" },
      "Cette valeur doit être un identifiant ou une adresse /api/users/{id}.",
    ],
  ] as const)
    expect(parse(value).error?.issues).toMatchObject([{ path: ["user"], message }]);
});

test("an id in a path is a positive integer within the range of the column", () => {
  for (const id of [12, MAX_ID]) expect(idParams.parse({ id: String(id) })).toEqual({ id });
  for (const id of ["0", "-1", "1.5", "abc", "", String(MAX_ID + 1), "1\0", " 1"])
    expect(idParams.safeParse({ id }).success, id).toBe(false);
});
