import { expect, test } from "@playwright/test";
import { ORDER_STATUSES } from "@/lib/shop/order-status";
import {
  firstStatus,
  isNext,
  type LineProgress,
  piecesToSend,
  settledPieces,
  shippedAtOnce,
  statusAfterChange,
} from "./rules";

const line = (values: Partial<LineProgress> = {}): LineProgress => ({
  productType: "physical",
  quantity: 3,
  shippedQuantity: 0,
  refundedQuantity: 0,
  ...values,
});
const file = line({ productType: "digital", shippedQuantity: 3 });

test("each step is only possible in its own states", () => {
  const from = (step: "prepare" | "ship" | "deliver") =>
    ORDER_STATUSES.filter((status) => isNext({ step, status }));
  expect(from("prepare")).toEqual(["paid"]);
  expect(from("ship")).toEqual(["paid", "preparing"]);
  expect(from("deliver")).toEqual(["shipped"]);
});

test("an order of files alone is delivered when it is paid", () => {
  expect(firstStatus([file])).toBe("delivered");
  expect(firstStatus([file, line()])).toBe("paid");
  expect(firstStatus([])).toBe("delivered");
  expect([file, line()].map(shippedAtOnce)).toEqual([3, 0]);
});

test("shipped and refunded pieces need not be sent", () => {
  expect(piecesToSend(line())).toBe(3);
  expect(piecesToSend(line({ shippedQuantity: 1, refundedQuantity: 1 }))).toBe(1);
  // A piece that was sent and came back is not sent again.
  expect(piecesToSend(line({ shippedQuantity: 3, refundedQuantity: 1 }))).toBe(0);
  expect(piecesToSend(line({ productType: "digital" }))).toBe(0);
  expect(settledPieces(line({ shippedQuantity: 1, refundedQuantity: 1 }))).toBe(2);
  expect(settledPieces(line({ shippedQuantity: 3, refundedQuantity: 1 }))).toBe(3);
  expect(settledPieces(line({ productType: "digital", shippedQuantity: 3 }))).toBe(0);
});

const NOTHING_GIVEN_BACK = { isAllRefunded: false, isUndecided: false };
const ALL_REFUNDED = { ...NOTHING_GIVEN_BACK, isAllRefunded: true };
const PARTLY_BACK = line({ shippedQuantity: 2, refundedQuantity: 1 });
const UNDECIDED = { ...NOTHING_GIVEN_BACK, isUndecided: true };

test("an order's status follows what has left and what is given back", () => {
  for (const [name, from, lines, to, refunds = NOTHING_GIVEN_BACK] of [
    ["a part has left", "paid", [line({ shippedQuantity: 1 })], "preparing"],
    ["everything has left", "paid", [line({ shippedQuantity: 3 }), file], "shipped"],
    ["the rest is given back", "preparing", [PARTLY_BACK], "shipped"],
    ["only files are left", "preparing", [line({ refundedQuantity: 3 }), file], "delivered"],
    ["nothing is kept", "paid", [line({ refundedQuantity: 3 })], "cancelled"],
    ["nothing has left yet", "preparing", [line()], "preparing"],
    ["a piece is added to all sent", "shipped", [line({ shippedQuantity: 2 })], "preparing"],
    ["an object is added to files", "delivered", [file, line()], "paid"],
    ["nothing more is to be sent", "delivered", [line({ shippedQuantity: 3 })], "delivered"],
    ["it was cancelled", "cancelled", [line()], "cancelled"],
    ["all money is back", "paid", [line()], "cancelled", ALL_REFUNDED],
    ["all money is back, of a file too", "preparing", [line(), file], "cancelled", ALL_REFUNDED],
    [
      "all money is back after a part had left",
      "preparing",
      [line({ shippedQuantity: 1 })],
      "shipped",
      ALL_REFUNDED,
    ],
    [
      "all money of a complete order is back",
      "delivered",
      [line({ shippedQuantity: 3 })],
      "delivered",
      ALL_REFUNDED,
    ],
    ["all money of files is back", "delivered", [file], "delivered", ALL_REFUNDED],
    [
      "the refund of all pieces may fail",
      "preparing",
      [line({ refundedQuantity: 3 })],
      "preparing",
      UNDECIDED,
    ],
  ] as const)
    expect(statusAfterChange({ status: from, lines, ...refunds }), name).toBe(to);
});
