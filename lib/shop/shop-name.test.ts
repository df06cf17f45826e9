import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { SHOP_NAME } from "@/lib/shop/shop-name";

/** The files with the name's definition, and with examples of a sender. */
const EXCEPTIONS = new Set(["lib/shop/shop-name.ts", "lib/env-schema.ts"]);

test("the shop's name is written in one place", () => {
  const sources = ["app", "components", "lib", "sandbox"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
      path.posix.join(folder, name),
    ),
  );
  const withName = sources.filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !/\.test\.tsx?$/.test(file) &&
      !EXCEPTIONS.has(file) &&
      // Comments may contain the name.
      readFileSync(file, "utf8")
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
        .includes(SHOP_NAME),
  );
  expect(withName).toEqual([]);
});
