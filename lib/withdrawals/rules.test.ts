import { expect, test } from "@playwright/test";
import { addDays } from "@/lib/dates";
import { dueText, isWithinPeriod, itemsToRefund, objectsNamed, refundDate } from "./rules";

test("the period is thirty days for the delivery and fourteen for the withdrawal", () => {
  const order = { orderedAt: new Date("2026-03-01T10:00:00Z"), parcels: [] };
  // The period runs to the end of its last day in Paris.
  expect(isWithinPeriod(order, new Date("2026-03-01T10:00:00Z"))).toBe(true);
  expect(isWithinPeriod(order, new Date("2026-04-14T21:59:59Z"))).toBe(true);
  expect(isWithinPeriod(order, new Date("2026-04-14T22:00:00Z"))).toBe(false);
});

test("a parcel that leaves or arrives late prolongs the period", () => {
  const lastDayOf = (deliveredAt: string | null) => {
    const parcels = [
      {
        shippedAt: new Date("2026-03-02T10:00:00Z"),
        deliveredAt: new Date("2026-03-04T10:00:00Z"),
      },
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

for (const { delivered, lastDay, why } of [
  { delivered: "2026-03-06", lastDay: "2026-03-20", why: "a Friday" },
  { delivered: "2026-03-07", lastDay: "2026-03-23", why: "a Saturday" },
  { delivered: "2026-03-08", lastDay: "2026-03-23", why: "a Sunday" },
  { delivered: "2026-03-21", lastDay: "2026-04-07", why: "the Saturday before Easter" },
  { delivered: "2026-03-23", lastDay: "2026-04-07", why: "Easter Monday" },
  { delivered: "2026-06-30", lastDay: "2026-07-15", why: "14 July, a Tuesday" },
  { delivered: "2025-06-28", lastDay: "2025-07-15", why: "the Saturday before Monday 14 July" },
])
  test(`a period whose fourteenth day is ${why} ends with ${lastDay}`, () => {
    const deliveredAt = new Date(`${delivered}T10:00:00Z`);
    const parcels = [{ shippedAt: addDays(deliveredAt, -2), deliveredAt }];
    const order = { orderedAt: addDays(deliveredAt, -60), parcels };
    expect(isWithinPeriod(order, new Date(`${lastDay}T23:59:59+02:00`))).toBe(true);
    expect(isWithinPeriod(order, new Date(`${lastDay}T23:59:59+00:00`))).toBe(false);
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
  const objects = ["Zlampe", "Zlampe Aube", "Tasse à café en grès", "Bol"].map((name) => ({
    name,
  }));
  const named = (sentence: string | null) =>
    objectsNamed(sentence, objects).map(({ name }) => name);
  expect(named("la Zlampe  aube, abîmée")).toEqual(["Zlampe Aube"]);
  expect(named("une ZLAMPE et la zlampe-aube")).toEqual(["Zlampe", "Zlampe Aube"]);
  expect(named("Tasse a cafe en gres")).toEqual(["Tasse à café en grès"]);
  expect(named("Bolero")).toEqual([]);
  expect(named("tout")).toEqual([]);
  expect(named(null)).toEqual([]);
});

test("the refund starts with the objects that the buyer has named", () => {
  const lamp = { item: 7, name: "Lampe Aube", quantity: 2 };
  const bowl = { item: 8, name: "Bol", quantity: 1 };
  const both = [lamp, bowl];
  const chosen = (...lines: { item: number; quantity: number }[]) => ({
    items: lines.map(({ item, quantity }) => ({ item, quantity })),
    shipping: false,
  });
  // The whole order, including its shipping.
  expect(itemsToRefund({ items: "", orderItems: both, hasFiles: false })).toBe("all");
  // Files are not sent back. All objects are sent back, so the delivery is refunded, too.
  expect(itemsToRefund({ items: "", orderItems: both, hasFiles: true })).toEqual({
    ...chosen(...both),
    shipping: true,
  });
  expect(itemsToRefund({ items: "Les LAMPE AUBE", orderItems: both, hasFiles: false })).toEqual(
    chosen(lamp),
  );
  expect(itemsToRefund({ items: "la bleue", orderItems: both, hasFiles: false })).toEqual(
    chosen(...both),
  );
});
