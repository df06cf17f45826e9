import { expect, test } from "@playwright/test";
import { addDays } from "@/lib/dates";
import {
  dueText,
  ITEMS_MAX_LENGTH,
  isWithinPeriod,
  itemsText,
  itemsToRefund,
  objectsNamed,
  refundDate,
} from "./rules";

test("the period is thirty days for the delivery and fourteen for the withdrawal", () => {
  const order = { orderedAt: new Date("2026-03-01T10:00:00Z"), parcels: [] };
  // The period runs to the end of its last day in Paris.
  expect(isWithinPeriod(order, new Date("2026-03-01T10:00:00Z"))).toBe(true);
  expect(isWithinPeriod(order, new Date("2026-04-14T21:59:59Z"))).toBe(true);
  expect(isWithinPeriod(order, new Date("2026-04-14T22:00:00Z"))).toBe(false);
});

test("a parcel that leaves or arrives late prolongs the period", () => {
  const lastDayOf = (deliveredAt: string | null) => {
    const early = new Date("2026-03-02T10:00:00Z");
    const parcels = [
      { shippedAt: early, deliveredAt: addDays(early, 2) },
      {
        shippedAt: new Date("2026-04-10T10:00:00Z"),
        deliveredAt: deliveredAt === null ? null : new Date(deliveredAt),
      },
    ];
    const order = { orderedAt: new Date("2026-03-01T10:00:00Z"), parcels };
    return (now: string) => isWithinPeriod(order, new Date(now));
  };
  const delivered = lastDayOf("2026-04-13T10:00:00Z");
  expect(delivered("2026-04-27T21:59:59Z")).toBe(true);
  expect(delivered("2026-04-27T22:00:00Z")).toBe(false);
  const onTheWay = lastDayOf(null);
  // The 44th day is 24 May, Whit Sunday.
  expect(onTheWay("2026-05-26T21:59:59Z")).toBe(true);
  expect(onTheWay("2026-05-26T22:00:00Z")).toBe(false);
});

test("a period whose fourteenth day is no working day ends with the next one", () => {
  for (const [delivered, lastDay, why] of [
    ["2026-03-06", "2026-03-20", "a Friday"],
    ["2026-03-07", "2026-03-23", "a Saturday"],
    ["2026-03-08", "2026-03-23", "a Sunday"],
    ["2026-03-21", "2026-04-07", "the Saturday before Easter"],
    ["2026-03-23", "2026-04-07", "Easter Monday"],
    ["2026-06-30", "2026-07-15", "14 July, a Tuesday"],
    ["2025-06-28", "2025-07-15", "the Saturday before Monday 14 July"],
  ]) {
    const deliveredAt = new Date(`${delivered}T10:00:00Z`);
    const parcels = [{ shippedAt: addDays(deliveredAt, -2), deliveredAt }];
    const order = { orderedAt: addDays(deliveredAt, -60), parcels };
    expect(isWithinPeriod(order, new Date(`${lastDay}T23:59:59+02:00`)), why).toBe(true);
    expect(isWithinPeriod(order, new Date(`${lastDay}T23:59:59+00:00`)), why).toBe(false);
  }
});

test("the refund is due within fourteen days, whatever day that is", () => {
  expect(refundDate(new Date("2026-12-24T10:00:00Z"))).toEqual(new Date("2027-01-07T10:00:00Z"));
  expect(refundDate(new Date("2026-03-07T10:00:00Z"))).toEqual(new Date("2026-03-21T10:00:00Z"));
});

test("the remaining time is given in days", () => {
  const texts = [14, 1, 0, -1, -2].map((days) => dueText(days).replace("\u00a0", " "));
  expect(texts).toEqual([
    "Encore 14 jours",
    "Encore 1 jour",
    "Dernier jour",
    "En retard de 1 jour",
    "En retard de 2 jours",
  ]);
});

test("objects are named whatever the spelling, and not by a part of a longer name", () => {
  const names = ["Zlampe", "Zlampe Aube", "Tasse à café en grès", "Bol"];
  const objects = names.map((name) => ({ name }));
  for (const [sentence, ...named] of [
    ["la Zlampe  aube, abîmée", "Zlampe Aube"],
    ["une ZLAMPE et la zlampe-aube", "Zlampe", "Zlampe Aube"],
    ["Tasse a cafe en gres", "Tasse à café en grès"],
    ["Bolero"],
    ["tout"],
    [null],
  ] as const)
    expect(objectsNamed(sentence, objects), String(sentence)).toEqual(
      named.map((name) => ({ name })),
    );
});

test("the refund starts with the objects that the buyer has named", () => {
  const [lamp, bowl] = [
    { item: 7, quantity: 2 },
    { item: 8, quantity: 1 },
  ];
  const orderItems = [
    { ...lamp, name: "Lampe Aube" },
    { ...bowl, name: "Bol" },
  ];
  const chosenFor = (items: string, hasFiles = false) =>
    itemsToRefund({ items, orderItems, hasFiles });
  // The whole order, including its shipping.
  expect(chosenFor("")).toBe("all");
  // Files are not sent back. All objects are sent back, so the delivery is refunded, too.
  expect(chosenFor("", true)).toEqual({ items: [lamp, bowl], shipping: true });
  expect(chosenFor("Les LAMPE AUBE")).toEqual({ items: [lamp], shipping: false });
  expect(chosenFor("la bleue")).toEqual({ items: [lamp, bowl], shipping: false });
});

test("the sentence of a withdrawal holds the chosen pieces, and is empty where all are", () => {
  const lamp = { name: "Lampe Aube", left: 2 };
  const bowl = { name: "Bol", left: 1 };
  const all = [
    { ...lamp, quantity: 2 },
    { ...bowl, quantity: 1 },
  ];
  expect(itemsText(all)).toBe("");
  const one = [
    { ...lamp, quantity: 1 },
    { ...bowl, quantity: 0 },
  ];
  expect(itemsText(one)).toBe("1\u00a0×\u00a0Lampe Aube");
  const many = Array.from({ length: 12 }, () => ({ name: "x".repeat(80), left: 2, quantity: 1 }));
  expect(itemsText(many).length).toBeLessThanOrEqual(ITEMS_MAX_LENGTH);
  expect(itemsText(many).split(", ")).toHaveLength(12);
});
