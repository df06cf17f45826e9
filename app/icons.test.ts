import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import manifest from "./manifest";

test("the icons of pages are the shop's current ones, and every icon of the manifest exists", async () => {
  for (const [here, made] of [
    ["favicon.ico", "favicon.ico"],
    ["icon.svg", "icon.svg"],
    ["apple-icon.png", "apple-touch-icon.png"],
  ]) {
    const icon = await readFile(`public/icons/${made}`);
    expect((await readFile(`app/${here}`)).equals(icon), here).toBe(true);
  }
  for (const { src } of manifest().icons ?? [])
    expect((await readFile(`public${src}`)).length, src).toBeGreaterThan(0);
});
