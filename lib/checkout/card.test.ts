import { expect, test } from "@playwright/test";
import {
  brandOf,
  cardProblems,
  expiryOf,
  formatCvc,
  formatExpiry,
  formatNumber,
} from "@/lib/checkout/card";

const now = new Date(2026, 10, 20);
const good = { number: "4242 4242 4242 4242", expiry: "12 / 34", cvc: "123" };
const messages = (change: Partial<typeof good>) =>
  Object.values(cardProblems({ ...good, ...change }, now)).flatMap((problem) =>
    problem ? [problem.message] : [],
  );

test("numbers and dates are grouped as they stand on a card", () => {
  expect(formatNumber("4242424242424242")).toBe("4242 4242 4242 4242");
  expect(formatNumber("4242-4242 42a")).toBe("4242 4242 42");
  expect(formatNumber("378282246310005999")).toBe("3782 822463 10005");
  expect(formatNumber("")).toBe("");
  for (const [typed, shown] of [
    ["1", "1"],
    ["3", "03"],
    ["12", "12"],
    ["123", "12 / 3"],
    ["1234", "12 / 34"],
    ["12 / 3", "12 / 3"],
    ["3/34", "03 / 34"],
    ["12/2034", "12 / 34"],
    ["12345", "12 / 34"],
  ] as const)
    expect(formatExpiry(typed), typed).toBe(shown);
  expect(formatCvc("12 3a45")).toBe("1234");
  expect(expiryOf("03 / 34")).toEqual({ month: 3, year: 2034 });
});

test("the first digits tell the brand", () => {
  expect(["4", "5555 5", "2221", "3782", "6011", ""].map(brandOf)).toEqual([
    "Visa",
    "Mastercard",
    "Mastercard",
    "American Express",
    null,
    null,
  ]);
});

test("a valid card has no problem, a wrong one has a message in French", () => {
  for (const change of [
    {},
    { number: "3782 822463 10005", cvc: "1234" },
    { number: "3056 9300 0902 04" },
    { expiry: "11 / 26" },
  ])
    expect(messages(change)).toEqual([]);
  for (const [change, message] of [
    [{ number: "4242 4242 4242" }, "Le numéro de votre carte est incomplet."],
    [{ number: "4242 4242 4242 4241" }, "Le numéro de votre carte n'est pas valide."],
    [{ expiry: "12" }, "La date d'expiration de votre carte est incomplète."],
    [{ expiry: "13 / 30" }, "La date d'expiration de votre carte n'est pas valide."],
    [{ expiry: "10 / 26" }, "La date d'expiration de votre carte est dépassée."],
    [{ cvc: "12" }, "Le code de sécurité de votre carte est incomplet."],
    [{ cvc: "1234" }, "Le code de sécurité de votre carte n'est pas valide."],
  ] as const)
    expect(messages(change)).toEqual([message]);
});

test("an incomplete field is told apart from a wrong one", () => {
  const problems = cardProblems({ number: "4", expiry: "1", cvc: "" }, now);
  for (const problem of Object.values(problems)) expect(problem?.isIncomplete).toBe(true);
  expect(cardProblems({ ...good, expiry: "99" }, now).expiry?.isIncomplete).toBe(false);
});
