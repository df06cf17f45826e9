import { expect, test } from "@playwright/test";
import { perProcess } from "@/lib/runtime/per-process";

test("a value is made once per name, whoever asks", () => {
  const made: string[] = [];
  const make = (name: string) => () => {
    made.push(name);
    return { name };
  };
  const first = perProcess("test-first", make("first"));
  expect(perProcess("test-first", make("again"))).toBe(first);
  expect(perProcess("test-second", make("second"))).not.toBe(first);
  expect(made).toEqual(["first", "second"]);
});
