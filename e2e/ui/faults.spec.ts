import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { expectAccessible } from "../axe";
import { openSession, sessionSides } from "../browser-session";
import { expect, test } from "../fixtures";
import { logLines } from "../log-lines";
import { expectNoSidewaysScroll, WIDTHS } from "../storefront";

// What visitors see while the database is unavailable, and afterwards.

test("without the database known pages are shown, others show an error, and the session stays", async ({
  page,
  shopWith,
  databaseProxy: proxy,
  database: db,
  problems,
}) => {
  // Prefetches fail silently.
  problems.allow(503, /_rsc=/);
  problems.allow(500, /Server Components render|React error #441/);
  const shop = await shopWith({ database: "shared", env: { DATABASE_URL: proxy.url } });
  const { baseURL } = shop;
  const product = await createProduct({ db });
  await openSession(page, await createUser({ db }));
  await page.goto(`${baseURL}/products`);
  await proxy.cut();

  await test.step("a known page, with its menu", async () => {
    await page.goto(`${baseURL}/products`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nos produits");
    await expect(
      page.getByRole("banner").getByRole("button", { name: "Déconnexion" }),
    ).toBeVisible();
  });

  await test.step("an unknown page", async () => {
    const response = await page.goto(`${baseURL}/product/${product.id}`);
    expect(response?.status()).toBe(500);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Une erreur est survenue");
    await expect(
      page.getByText(
        "Impossible de charger les détails du produit. Veuillez réessayer plus tard.",
        { exact: true },
      ),
    ).toBeVisible();
    await expect(page.getByRole("main")).toContainText(
      "Rien de ce que vous avez enregistré n’est perdu.",
    );
    for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
    await expectAccessible(page);
  });

  await test.step("an unknown search, with the reference of its error in the log", async () => {
    await page.goto(`${baseURL}/products?search=theiere`);
    await expect(
      page.getByText("Erreur lors du filtrage des produits.", { exact: true }),
    ).toBeVisible();
    const text = await page.getByText(/^Référence\u00a0: /).textContent();
    const reference = text?.replace("Référence\u00a0: ", "") ?? "";
    expect(reference).toMatch(/^\w{5,}/);
    const lines = () => logLines(shop).filter((line) => JSON.stringify(line).includes(reference));
    await expect.poll(() => lines().length).toBe(1);
    const err = { digest: reference, message: expect.stringContaining("Failed query") };
    expect(lines()[0]).toMatchObject({ msg: "page failed", err });
  });

  await test.step("a page of the visitor's own", async () => {
    await page.goto(`${baseURL}/cart`);
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(
      "Impossible de charger le panier. Veuillez réessayer plus tard.",
    );
    await expect(page).toHaveURL(`${baseURL}/cart`);
    expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
  });

  await test.step("trying again once it is back", async () => {
    await page.goto(`${baseURL}/product/${product.id}`);
    await proxy.heal();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(product.name);
    await page.goto(`${baseURL}/cart`);
    await expect(page.getByText("Votre panier est vide")).toBeVisible();
    expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
  });
});
