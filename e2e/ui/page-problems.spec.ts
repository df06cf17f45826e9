import { expect, test } from "../fixtures";

test("allowing a status allows responses of that status only, and no port that looks like one", async ({
  page,
  problems,
  shop,
}) => {
  const ask = (path: string) =>
    page.evaluate(async (path) => {
      await fetch(path);
    }, path);
  await page.goto("/contact");
  for (const [path, status] of [
    ["/api/tags", 500],
    ["/api/categories", 503],
    ["/api/products/500", 404],
  ] as const)
    await page.route(`**${path}`, (route) => route.fulfill({ status }));
  for (const path of ["/api/tags", "/api/categories", "/api/products/500"]) await ask(path);
  await page.evaluate(() => console.error("500 of them"));
  await expect.poll(() => problems.list().length).toBe(6);

  problems.allow(500);
  const isAbout = (path: string) => problems.list().some((line) => line.includes(path));
  expect(isAbout("/api/tags")).toBe(false);
  expect(isAbout("/api/categories")).toBe(true);
  expect(isAbout("/api/products/500")).toBe(true);
  problems.allow({ status: 404, path: "/api/products" }, { status: 503, path: "/api/categories" });
  expect(isAbout("/api/categories")).toBe(false);
  expect(isAbout("/api/products/500")).toBe(true);
  problems.allow({ status: 404, path: "/api/products/500" }, /500 of them/);
  expect(problems.list()).toEqual([]);

  await page.evaluate((url) => console.error(url), `${shop.baseURL}/contact`);
  await expect.poll(() => problems.list().length).toBe(1);
  expect(problems.list().join()).not.toContain(new URL(shop.baseURL).port);
  problems.allow(/^console\.error: \/contact/);
});
