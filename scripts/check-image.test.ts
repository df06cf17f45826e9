import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { ENV_NAMES } from "@/lib/env-schema";
import { SERVER } from "@/scripts/build";
import { imageCommand, imageEnv, lintImageFiles } from "@/scripts/check-image";

// `npm run check:image` runs all of the image's steps; these checks take no time.

test("Dockerfile and compose.yaml are well-formed, and the image runs the server as npm start does", () => {
  lintImageFiles();
  expect(imageCommand()).toEqual(["node", ...SERVER]);
  expect(imageEnv()).toMatchObject({ NODE_ENV: "production" });
});

test("compose.yaml sets only variables that the shop knows, and contains no secret", () => {
  const text = readFileSync("compose.yaml", "utf8");
  const names = [...text.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map(([, name = ""]) => name);
  const own = names.filter((name) => !/^(?:POSTGRES|GARAGE)_/.test(name));
  expect(own).not.toHaveLength(0);
  expect(ENV_NAMES).toEqual(expect.arrayContaining(own));
  for (const [, name, value] of text.matchAll(/^ {6}(\w*(?:SECRET|PASSWORD|KEY)\w*): (.*)$/gm))
    expect(value, name).toMatch(/^"\$\{\w+:(?:\?.+|-)\}"$/);
  // Redis evicts keys with a TTL, as the shared cache needs it.
  expect(text).toContain('"--maxmemory-policy", "volatile-lru"');
});
