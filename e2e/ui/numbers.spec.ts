import type { Locator } from "@playwright/test";
import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { products } from "@/db/schema/catalogue";
import { dialogOf, openScreen, rowOf, unique } from "../backoffice";
import { pasteInto } from "../browser-session";
import { expect, test } from "../fixtures";

// Numbers as people type and copy them. The decimal sign of a number field depends on the browser's own
// language: Chromium in English ignores a comma.

/** Types over the field's content. */
async function retype(field: Locator, text: string): Promise<void> {
  await field.selectText();
  await field.pressSequentially(text);
}

for (const locale of ["en-US", "fr-FR"])
  test.describe(`in a browser set to ${locale}`, () => {
    test.use({ locale });

    test("staff type and paste amounts with a comma", async ({ page, database, arrange }) => {
      const product = await arrange((db) => createProduct({ db, name: unique("Bol ") }));
      await openScreen({ page, database, path: `/backoffice/products?search=${product.name}` });
      await rowOf(page, product.name).getByRole("button", { name: "Modifier" }).click();
      const form = dialogOf(page);
      const price = form.getByLabel("Prix");
      await expect(price).toHaveAttribute("type", "number");

      for (const [text, value] of [
        ["12,50", "12.50"],
        ["12.50", "12.50"],
        ["1 250,5", "1250.5"],
      ] as const) {
        await retype(price, text);
        await expect(price, text).toHaveValue(value);
      }
      await pasteInto(price, "1\u202f250,50\u00a0€");
      await pasteInto(price, " 42,90\n");
      await expect(price).toHaveAccessibleDescription(/Soit 42,90\s€/);
      await page.keyboard.press("ControlOrMeta+z");
      await expect(price).toHaveValue("1250.50");

      await pasteInto(price, "douze");
      await expect(form.getByText("«\u00a0douze\u00a0» n’est pas un nombre.")).toBeVisible();
      await expect(price).toHaveAttribute("aria-invalid", "true");
      await expect(price).toHaveValue("1250.50");
      await retype(price, "1.2");
      await expect(price).not.toHaveAttribute("aria-invalid");
      await page.keyboard.press(",");
      await expect(form.getByText(/^Un nombre n’a qu’une virgule/)).toBeVisible();
      await expect(price).toHaveValue("1.2");

      // A text that may mean one thousand is not saved as one.
      const save = form.getByRole("button", { name: "Enregistrer" });
      for (const [text, sentence] of [
        ["1,250", "Veuillez saisir un montant en euros, avec deux décimales au plus."],
        ["-", "Veuillez saisir un nombre, par exemple 12,50."],
      ] as const) {
        await retype(price, text);
        await save.click();
        await expect(form.getByText(sentence), text).toBeVisible();
        await expect(price).toBeFocused();
      }
      await retype(price, "12,50");
      const stock = form.getByLabel("Stock", { exact: true });
      await retype(stock, "1.000");
      await save.click();
      await expect(stock).toHaveAccessibleDescription(/Le stock doit être un nombre entier/);
      await pasteInto(stock, "1\u00a0250");
      await save.click();
      await expect(form).toBeHidden();
      const [saved] = await database.select().from(products).where(eq(products.id, product.id));
      expect(saved).toMatchObject({ priceCents: 1250, stock: 1250 });
    });
  });

test("a quantity is a whole number, which the mouse wheel does not change", async ({
  page,
  arrange,
}) => {
  const product = await arrange((db) => createProduct({ db }));
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto(`/product/${product.id}`);
  const quantity = page.getByLabel("Quantité");
  await quantity.fill("3");
  await quantity.hover();
  for (const by of [100, -50]) {
    const from = await page.evaluate(() => window.scrollY);
    await page.mouse.wheel(0, by);
    await expect.poll(() => page.evaluate(() => window.scrollY)).not.toBe(from);
  }
  await expect(quantity).toHaveValue("3");
  await expect(quantity).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(quantity).toHaveValue("4");

  await retype(quantity, "12,50");
  await expect(page.getByText("Veuillez saisir un nombre entier.")).toBeVisible();
  await expect(quantity).toHaveAttribute("aria-invalid", "true");
  await quantity.blur();
  await expect(quantity).toHaveValue("12");
  await expect(page.getByText("Veuillez saisir un nombre entier.")).toBeHidden();
});
