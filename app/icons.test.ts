import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import manifest from "./manifest";

test("the icons that Next.js finds here are the shop's current ones", async () => {
  for (const [here, made] of [
    ["favicon.ico", "favicon.ico"],
    ["icon.svg", "icon.svg"],
    ["apple-icon.png", "apple-touch-icon.png"],
  ])
    expect(
      (await readFile(`app/${here}`)).equals(await readFile(`public/icons/${made}`)),
      here,
    ).toBe(true);
});

test("every icon of the manifest exists", async () => {
  for (const { src } of manifest().icons ?? [])
    expect((await readFile(`public${src}`)).length, src).toBeGreaterThan(0);
});
