import { expect, test } from "@playwright/test";
import type { OrderRefundsJson, RefundJson } from "@/lib/refunds/resource";
import {
  amountText,
  type Choice,
  choiceOf,
  initialChoice,
  requestOf,
  totalCents,
} from "./refund-choice";

type Remaining = OrderRefundsJson["left"];

const item = { item: 7, name: "Lampe", price: 42.9, quantity: 2, left: 2 };
const left: Remaining = { amount: 91.8, shipping: 6, isUnsent: false, items: [item] };
/** What is left after a goodwill refund of 10 €. */
const less: Remaining = { ...left, amount: 81.8 };

const shown = (choice: Choice, of: Remaining) => [totalCents(choice, of), amountText(choice, of)];

test("the amount follows the chosen pieces, up to what can be refunded, until staff type one", () => {
  const none = initialChoice(left);
  expect(shown(none, left)).toEqual([0, "0,00"]);
  const one = { ...none, quantities: { 7: "1" } };
  expect(shown(one, left)).toEqual([4290, "42,90"]);
  expect(shown(initialChoice(less, "all"), less)).toEqual([8180, "81,80"]);
  const typed = { ...one, amount: "30" };
  expect(shown({ ...typed, quantities: { 7: "2" } }, left)).toEqual([3000, "30"]);
  expect(totalCents({ ...typed, quantities: { 7: "0" } }, left)).toBe(0);
  expect(shown({ ...typed, quantities: { 7: "1.5" }, amount: null }, left)).toEqual([null, ""]);
});

test("an amount is sent with the pieces only if it differs from their price", () => {
  const items = [{ item: 7, quantity: 1 }];
  const one = { ...initialChoice(left, { items, shipping: false }), reason: "Rendu" };
  expect(requestOf(one, left)).toEqual({ items, reason: "Rendu" });
  expect(requestOf({ ...one, amount: "42,9" }, left)).toEqual({ items, reason: "Rendu" });
  expect(requestOf({ ...one, amount: " 30 " }, left)).toEqual({
    items,
    amount: "30",
    reason: "Rendu",
  });
  expect(requestOf({ ...initialChoice(less, "all"), restock: true }, less)).toEqual({
    items: [{ item: 7, quantity: 2 }],
    shipping: true,
    amount: "81,80",
    restock: true,
    reason: "",
  });
  // An amount without pieces would be a goodwill refund.
  expect(requestOf({ ...initialChoice(left), amount: "30" }, left)).toEqual({
    items: [],
    reason: "",
  });
});

test("an amount may be pasted from the page, with its spaces and euro sign", () => {
  const much: Remaining = { ...left, amount: 2140.73 };
  const copied: Choice = {
    ...initialChoice(much),
    mode: "amount",
    amount: "2\u202f140,73\u00a0€",
    reason: "Perdu",
  };
  expect(totalCents(copied, much)).toBe(214073);
  expect(requestOf(copied, much)).toEqual({ amount: "2140,73", reason: "Perdu" });
});

test("preselected pieces may include the shipping that can still be refunded", () => {
  const chosen = { items: [{ item: 7, quantity: 2 }], shipping: true };
  expect(shown(initialChoice(left, chosen), left)).toEqual([9180, "91,80"]);
  expect(initialChoice({ ...left, shipping: 0 }, chosen).shipping).toBe(false);
});

test("unsent pieces go back into the stock by default", () => {
  expect(initialChoice(left).restock).toBe(false);
  expect(initialChoice({ ...left, isUnsent: true }).restock).toBe(true);
});

test("a retry of a failed refund starts with its amount", () => {
  const failed = {
    amount: 30,
    shipping: 0,
    restock: true,
    reason: "Usé",
    items: [{ item: 7, name: "Lampe", quantity: 1, amount: 42.9 }],
  } as RefundJson;
  expect(shown(choiceOf(failed, left), left)).toEqual([3000, "30,00"]);
  expect(choiceOf({ ...failed, amount: 42.9 }, left)).toMatchObject({
    mode: "items",
    amount: null,
  });
  expect(choiceOf({ ...failed, items: [] }, left)).toMatchObject({
    mode: "amount",
    amount: "30,00",
  });
});
