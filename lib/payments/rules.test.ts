import { expect, test } from "@playwright/test";
import { paymentState, retryDelay } from "@/lib/payments/rules";

test("the provider's statuses are mapped to states", () => {
  expect(paymentState("succeeded")).toBe("paid");
  expect(paymentState("canceled")).toBe("cancelled");
  expect(paymentState("processing")).toBe("processing");
  for (const status of ["requires_payment_method", "requires_confirmation", "requires_action"])
    expect(paymentState(status)).toBe("open");
});

test("failed calls are retried with growing delays", () => {
  expect([0, 1, 2, 50].map(retryDelay)).toEqual([5, 10, 20, 900]);
});
