import { expect, test } from "@playwright/test";
import { ApiError, membersOf, totalOf } from "@/lib/api-client";

const refused = (status: number, body?: unknown) =>
  new ApiError({ status, message: "GET /api/products", body });

test("a list is the same in both of its forms", () => {
  const members = [{ id: 7 }, { id: 8 }];
  expect(membersOf(members)).toEqual(members);
  expect(membersOf({ "hydra:member": members, "hydra:totalItems": 40 })).toEqual(members);
  expect(membersOf([])).toEqual([]);
  expect(membersOf({ "hydra:member": [] })).toEqual([]);
});

test("a list has as many as it says, or as it holds", () => {
  expect(totalOf({ "hydra:member": [7, 8], "hydra:totalItems": 40 })).toBe(40);
  expect(totalOf({ "hydra:member": [], "hydra:totalItems": 0 })).toBe(0);
  expect(totalOf({ "hydra:member": [7, 8] })).toBe(2);
  expect(totalOf([7, 8, 9])).toBe(3);
  expect(totalOf([])).toBe(0);
});

test("a refusal's sentence is found under each of its names, the shop's own first", () => {
  const names = ["error", "message", "detail", "hydra:description"];
  const body = Object.fromEntries(names.map((name) => [name, `${name}.`]));
  for (const name of names) {
    expect(refused(409, body).sentence, name).toBe(`${name}.`);
    // An empty one, or one that is no text, is none.
    body[name] = "";
    expect(refused(409, { ...body, [name]: { code: 12 } }).sentence).toBe(
      refused(409, body).sentence,
    );
  }
  expect(refused(409, body).sentence).toBe("");
});

test("there is no sentence where the shop gives none, nor for a fault of its own", () => {
  for (const body of [undefined, null, "<html>", 7, [], {}])
    expect(refused(400, body).sentence).toBe("");
  expect(refused(0).sentence).toBe("");
  for (const status of [500, 502, 503])
    expect(refused(status, { error: "Service indisponible." }).sentence).toBe("");
});
