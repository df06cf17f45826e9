import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { newAdmin } from "../admin";
import { expectAccessible } from "../axe";
import { dialogOf, openScreen, rowOf, unique } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { createCounted, movementsOf, stockOf } from "../stock";

test("product page and card show how many pieces are left, and no stock if it is not counted", async ({
  page,
  arrange,
}) => {
  const made = await arrange(async (db) => {
    const full = { db, stock: 9, lowStockThreshold: 3, name: "Bol plein" };
    const { defaultCategoryId } = await createCounted(full);
    const rest = { ...full, defaultCategoryId };
    const { id: few } = await createCounted({ ...rest, stock: 3, name: "Bol rare" });
    const { id: none } = await createCounted({ ...rest, stock: 0, name: "Bol parti" });
    const { id: free } = await createProduct({ db, defaultCategoryId, name: "Bol sans stock" });
    return { category: defaultCategoryId, few, none, free };
  });
  const main = page.getByRole("main");
  const add = main.getByRole("button", { name: "Ajouter au panier" });
  await page.goto(`/product/${made.free}`);
  await expect(add).toBeEnabled();
  // The cards of related products say theirs.
  const stock = main.locator("p:not(article p)", { hasText: /^(En stock|Plus que|Épuisé)/ });
  await expect(stock).toHaveCount(0);
  await page.goto(`/product/${made.few}`);
  await expect(main.getByText("Plus que 3 exemplaires", { exact: true })).toBeVisible();
  await expect(add).toBeEnabled();
  await page.goto(`/product/${made.none}`);
  await expect(main.getByText("Épuisé", { exact: true })).toBeVisible();
  await expect(add).toBeDisabled();
  await expectAccessible(page);
  await page.goto(`/products?category=${made.category}`);
  const card = (name: string) => page.getByRole("article").filter({ hasText: name });
  const expectCards = async () => {
    await expect(card("Bol plein")).toContainText("En stock");
    await expect(card("Bol rare")).toContainText("Plus que 3 exemplaires");
    await expect(card("Bol parti")).toContainText("Épuisé");
    await expect(card("Bol sans stock")).not.toContainText(/En stock|Plus que|Épuisé/);
  };
  await expectCards();
  // The browser filters through the API.
  await page.getByLabel("Type", { exact: true }).selectOption("Physique");
  await expect(page).toHaveURL(/type=physical/);
  await expectCards();
});

test("a cart with a product that was sold out meanwhile says so, and cannot be ordered", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const gone = await createCounted({ db, stock: 0, name: "Tasse partie" });
  const few = await createCounted({ db, stock: 3, name: "Tasse rare" });
  await createCart({
    db,
    userId: user.id,
    items: [
      { productId: gone.id, quantity: 1 },
      { productId: few.id, quantity: 4 },
    ],
  });
  await openSession(page, user);
  await page.goto("/cart");
  const row = (name: string) =>
    page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await expect(row("Tasse partie")).toContainText("Épuisé");
  await expect(row("Tasse rare")).toContainText("Il ne reste que 3 exemplaire(s) de ce produit.");
  const summary = page.getByRole("region", { name: "Récapitulatif" });
  const order = summary.getByRole("button", { name: "Passer la commande" });
  await expect(summary).toContainText(
    "Retirez les produits épuisés, ou réduisez leur quantité, pour passer la commande.",
  );
  await expect(order).toBeDisabled();
  await expectAccessible(page);
  await row("Tasse partie").getByRole("button", { name: "Supprimer" }).click();
  await page.getByLabel("Quantité de Tasse rare").fill("3");
  await page.getByLabel("Quantité de Tasse rare").blur();
  await expect(order).toBeEnabled();
});

test("staff correct a stock with a reason, see its movements, and filter what is low", async ({
  page,
  problems,
  api,
  database: db,
}) => {
  problems.allow(409);
  const name = unique("Vase ");
  const product = await createCounted({ db, stock: 5, lowStockThreshold: 3, name });
  await openScreen({ page, database: db, path: `/backoffice/products?search=${name}` });
  const row = rowOf(page, name);
  const dialog = dialogOf(page);
  await row.getByRole("button", { name: "Stock", exact: true }).click();
  await expect(dialog).toContainText("Stock actuel\u00a0: 5");
  await expect(dialog.getByRole("listitem")).toHaveText(/\+5/);
  await expectAccessible(page);
  const submit = dialog.getByRole("button", { name: "Corriger le stock" });
  await submit.click();
  await expect(dialog).toContainText("C'est déjà le stock de ce produit.");
  await expect(dialog.getByLabel("Nouveau stock")).toBeFocused();
  await expect(dialog).toContainText("Indiquez la raison de cette correction.");
  await dialog.getByLabel("Nouveau stock").fill("-1");
  await submit.click();
  await expect(dialog).toContainText("Le stock doit être un nombre entier de 0 à 1 000 000.");
  await dialog.getByLabel("Nouveau stock").fill("2");
  await expect(dialog).toContainText("−3");
  await dialog.getByLabel("Raison").fill("Casse au dépôt");

  // A piece is taken out elsewhere: the correction starts from the new stock.
  await api.post(`/api/products/${product.id}/stock_movements`, {
    token: (await newAdmin(db)).token,
    json: { quantity: -1, reason: "Vol" },
  });
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("il est de 4. Vérifiez votre correction.");
  await expect(dialog).toContainText("Stock actuel\u00a0: 4");
  await expect(dialog).toContainText("−2");
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await submit.press("Enter");
  await expect(page.getByText("Stock corrigé.")).toBeVisible();
  await expect(row).toContainText("Bas");
  expect(await movementsOf(db, product.id)).toEqual([
    "correction 5",
    "correction -1",
    "correction -2",
  ]);
  await row.getByRole("button", { name: "Stock", exact: true }).click();
  await expect(dialog.getByRole("listitem").first()).toContainText("Casse au dépôt");
  await page.keyboard.press("Escape");

  // Saving another field does not undo a sale.
  await row.getByRole("button", { name: "Modifier" }).click();
  await expect(dialog.getByLabel("Stock").first()).toHaveValue("2");
  await db.update(products).set({ stock: 1 }).where(eq(products.id, product.id));
  await dialog.getByLabel("Prix").fill("15");
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await expect(page.getByText("Modification enregistrée.")).toBeVisible();
  expect(await stockOf(db, product.id)).toBe(1);

  const filter = page.getByRole("combobox", { name: "Stock", exact: true });
  await filter.selectOption("Épuisé");
  await expect(row).toHaveCount(0);
  await filter.selectOption("Bas");
  await expect(row).toHaveCount(1);
});

test("staff import stocks from a CSV file; a wrong line is named and changes nothing", async ({
  page,
  problems,
  database: db,
}) => {
  problems.allow(422);
  const product = await createCounted({ db, stock: 5, name: unique("Plat ") });
  await openScreen({ page, database: db, path: "/backoffice/products" });
  await page.getByRole("button", { name: "Importer les stocks" }).click();
  const dialog = dialogOf(page);
  const submit = dialog.getByRole("button", { name: "Importer", exact: true });
  await submit.click();
  await expect(dialog.getByRole("alert")).toHaveText("Choisissez un fichier CSV.");
  await expectAccessible(page);
  const choose = (csv: string | Buffer) =>
    dialog
      .getByLabel("Fichier CSV")
      .setInputFiles({ name: "stocks.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await choose(Buffer.from("504b030414000600", "hex"));
  await submit.click();
  await expect(dialog.getByRole("alert")).toHaveText(
    "Ce fichier n'est pas un CSV\u00a0: dans votre tableur, enregistrez la feuille au format CSV.",
  );
  await choose(`ID;Stock\n${product.id};8\n999999999;1\n`);
  await submit.click();
  await expect(dialog.getByRole("alert")).toHaveText("Ligne 3\u00a0: ce produit n'existe pas.");
  expect(await stockOf(db, product.id)).toBe(5);
  await choose(`ID;Stock\n${product.id};8\n`);
  await submit.click();
  await expect(page.getByText("Le stock d'un produit a été mis à jour.")).toBeVisible();
  // A file as Excel saves it as "Texte Unicode".
  await page.getByRole("button", { name: "Importer les stocks" }).click();
  await choose(Buffer.from(`\uFEFFID\tStock\r\n${product.id}\t7\r\n`, "utf16le"));
  await submit.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Le stock d'un produit a été mis à jour.")).toBeVisible();
  expect(await movementsOf(db, product.id)).toEqual(["correction 5", "import 3", "import -1"]);
});
