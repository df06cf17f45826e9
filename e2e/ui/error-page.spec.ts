import { sql } from "drizzle-orm";
import { expect, test } from "../fixtures";
import { logLines } from "../log-lines";

test("an error page shows the reference of its error in the log", async ({
  page,
  shopWith,
  problems,
}) => {
  const shop = await shopWith();
  await shop.database.execute(sql`alter table products rename to products_away`);
  // The first request may come before the shop's request log has started.
  await shop.api.get("/api/health");
  problems.allow(500);
  problems.allow(/Server Components render|React error #441/);
  await page.goto(`${shop.baseURL}/products?search=theiere`);
  await expect(page.getByRole("heading", { name: "Une erreur est survenue" })).toBeVisible();
  await expect(
    page.getByText("Erreur lors du filtrage des produits.", { exact: true }),
  ).toBeVisible();
  const text = await page.getByText(/^Référence\u00a0: /).textContent();
  const reference = text?.replace("Référence\u00a0: ", "") ?? "";
  expect(reference).toMatch(/^\w{5,}/);
  const lines = () => logLines(shop).filter((line) => JSON.stringify(line).includes(reference));
  await expect.poll(() => lines().length).toBe(1);
  expect(lines()[0]).toMatchObject({
    msg: "page failed",
    err: { digest: reference, message: expect.stringContaining("Failed query") },
  });
});
