import { expect, test } from "@playwright/test";
import { ApiError } from "@/sandbox/cards/api-error";
import { canonicalForm, decodeForm } from "@/sandbox/cards/form";

const decode = (text: string) => decodeForm(new URLSearchParams(text));

test("nested keys become hashes, and lists with and without indexes too", () => {
  const form = decode(
    "amount=100&card[number]=4242&card[networks][preferred]=visa&expand[0]=a&expand[1]=b&types[]=c&types[]=d",
  );
  expect(form).toEqual(
    new Map<string, unknown>([
      ["amount", "100"],
      [
        "card",
        new Map<string, unknown>([
          ["number", "4242"],
          ["networks", new Map([["preferred", "visa"]])],
        ]),
      ],
      [
        "expand",
        new Map([
          ["0", "a"],
          ["1", "b"],
        ]),
      ],
      [
        "types",
        new Map([
          ["0", "c"],
          ["1", "d"],
        ]),
      ],
    ]),
  );
});

test("encoded brackets and values are decoded, and names such as __proto__ are just names", () => {
  const form = decode("metadata%5Bcl%C3%A9%5D=%C3%A9t%C3%A9+%26+hiver&metadata[__proto__]=x");
  expect(form).toEqual(
    new Map([
      [
        "metadata",
        new Map([
          ["clé", "été & hiver"],
          ["__proto__", "x"],
        ]),
      ],
    ]),
  );
});

test("the last of several values wins", () => {
  expect(decode("amount=1&amount=2").get("amount")).toBe("2");
});

for (const text of [
  "a=1&a[b]=2",
  "a[b]=2&a=1",
  "a[b=1",
  "[a]=1",
  "a[b]c=1",
  "a[b][c][d][e][f][g]=1",
])
  test(`${text} is refused`, () => {
    expect(() => decode(text)).toThrow(ApiError);
  });

test("the canonical form depends on everything but the order", () => {
  const canonical = (text: string) => canonicalForm(decode(text));
  expect(canonical("a=1&b[x]=2&b[y]=3")).toBe(canonical("b[y]=3&a=1&b[x]=2"));
  expect(canonical("a=1&b=2")).not.toBe(canonical("a=2&b=1"));
  expect(canonical("a[b]=1")).not.toBe(canonical("a=b1"));
  expect(canonical('a=1","b":"2')).not.toBe(canonical("a=1&b=2"));
});
