import { expect, test } from "../fixtures";
import { watchRequests } from "../storefront";

test("the API manual shows and searches calls, contacts no other host, and logs no warnings", async ({
  page,
  shop,
}) => {
  test.slow();
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && origin !== shop.baseURL)
      foreign.push(request.url());
  });
  // Redoc warns of schemas that contradict themselves.
  const warnings: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning" || message.type() === "error") warnings.push(message.text());
  });
  await page.goto("/api/docs");
  const heading = page.getByRole("heading", { name: "Lire la documentation dans un navigateur" });
  // Redoc renders all calls before it shows the first: this takes ten seconds on a busy machine.
  await expect(heading).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText("Réponses", { exact: true }).first()).toBeVisible();
  await page.getByRole("textbox").first().fill("remboursement");
  // Redoc searches once all texts are indexed.
  await expect(page.locator('[data-role="search:results"]')).toContainText(
    "Rembourser les paiements",
    { timeout: 40_000 },
  );
  expect(foreign).toEqual([]);
  expect(warnings).toEqual([]);

  const viewers = watchRequests(page, "/api/docs/viewer.js");
  for (const path of ["/", "/contact"]) await page.goto(path);
  expect(viewers, "pages for visitors do not load the manual's script").toEqual([]);
});
