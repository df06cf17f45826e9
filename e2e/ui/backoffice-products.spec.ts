import type { Locator } from "@playwright/test";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import type { Database } from "@/db";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { NOT_A_PICTURE } from "@/lib/uploads/texts";
import { expectAccessible } from "../axe";
import {
  choose,
  confirmDialogOf,
  deleteRow,
  dialogOf,
  expectFailedSave,
  headingsOf,
  openScreen,
  rowOf,
  saveForm,
  unique,
} from "../backoffice";
import { sessionSides } from "../browser-session";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";

/** A valid picture, generated for the test. */
async function picture(format: "png" | "webp" | "gif") {
  const pixels = sharp({ create: { width: 400, height: 300, channels: 3, background: "#aa3355" } });
  return {
    name: `Été ${format}.${format}`,
    mimeType: `image/${format}`,
    buffer: await pixels.toFormat(format).toBuffer(),
  };
}

const NO_PICTURE = {
  name: "faux.png",
  mimeType: "image/png",
  buffer: Buffer.from("<html>Bonjour</html>"),
};

const storedProduct = async (db: Database, product: { name: string } | { id: number }) =>
  (
    await db
      .select()
      .from(products)
      .where("id" in product ? eq(products.id, product.id) : eq(products.name, product.name))
  )[0];

async function fillCommon(
  form: Locator,
  { name, category }: { name: string; category: string },
): Promise<void> {
  await form.getByLabel("Nom", { exact: true }).fill(name);
  await form.getByLabel("Description").fill("Une description.");
  await form.getByLabel("Prix").fill("12.5");
  const label = "Catégorie par défaut";
  await choose({ within: form, label, search: category, option: category });
}

test("a product is added, changed and deleted", async ({ page, database, arrange, problems }) => {
  problems.allow(500);
  const name = unique("Vase ");
  const [category, tag] = await arrange(async (db) => [
    await createCategory({ db, name: unique("Maison ") }),
    await createTag({ db, name: unique("Fait main ") }),
  ]);
  await openScreen({ page, database, path: "/backoffice/products" });
  await expect(page).toHaveTitle("Gestion des produits - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Gestion des produits (CRUD)");
  expect((await headingsOf(page)).join(", ")).toBe(
    "ID, Image, Nom, Description, Prix, Type, Catégories, Catégorie par défaut, Tags, Lien de téléchargement, Taille du fichier, Type de fichier, Caractéristiques, Date de création, Poids, Stock, Actions",
  );

  await page.getByRole("button", { name: "Ajouter un produit" }).click();
  const form = dialogOf(page);
  await fillCommon(form, { name, category: category.name });
  // The default category is a category of the product, too.
  await expect(form.getByRole("listitem").filter({ hasText: category.name })).toHaveCount(1);
  await choose({ within: form, label: "Tags", search: tag.name, option: tag.name });
  await expect(form.getByRole("listitem").filter({ hasText: tag.name })).toHaveCount(1);

  // Characteristics are added one at a time, and only if both fields are filled.
  const list = form.getByRole("group", { name: "Caractéristiques" });
  const add = list.getByRole("button", { name: "Ajouter la caractéristique" });
  await list.getByLabel("Nom de la caractéristique").fill("Matière");
  await add.click();
  await expect(list.getByRole("listitem")).toHaveCount(0);
  await list.getByLabel("Valeur de la caractéristique").fill("Grès");
  await add.click();
  await list.getByLabel("Nom de la caractéristique").fill("Hauteur");
  await list.getByLabel("Valeur de la caractéristique").fill("20 cm");
  await list.getByLabel("Valeur de la caractéristique").press("Enter");
  await expect(list.getByRole("listitem")).toHaveText(["Matière : Grès", "Hauteur : 20 cm"]);

  // The form cannot be saved during the upload.
  const release = await holdRequests(page, "**/api/upload");
  await form.getByLabel("Image", { exact: true }).setInputFiles(await picture("png"));
  await expect(form.getByRole("progressbar", { name: "Envoi de l’image" })).toBeVisible();
  await expect(form.getByRole("img", { name: "Aperçu" })).toBeVisible();
  await expect(form.getByRole("button", { name: "Ajouter", exact: true })).toBeDisabled();
  release();
  await expect(form.getByRole("progressbar")).toBeHidden();
  await expectAccessible(page);
  await form.getByRole("button", { name: "Ajouter", exact: true }).click();
  await expect(form).toBeHidden();

  const row = rowOf(page, name);
  await expect(row).toContainText("12,50 €");
  await expect(row).toContainText("Physique");
  await expect(row).toContainText("Matière : Grès");
  const stored = await storedProduct(database, { name });
  expect(stored).toMatchObject({
    type: "physical",
    priceCents: 1250,
    defaultCategoryId: category.id,
    characteristics: [
      { name: "Matière", value: "Grès" },
      { name: "Hauteur", value: "20 cm" },
    ],
  });
  expect(stored?.image).not.toMatch(/^\/images\//);
  const view = row.getByRole("link", { name: "Voir" });
  await expect(view).toHaveAttribute("href", `/product/${stored?.id}`);
  await expect(view).toHaveAttribute("target", "_blank");

  await row.getByRole("button", { name: "Modifier" }).click();
  await expect(form.getByLabel("Prix")).toHaveValue("12.5");
  await expect(form.getByRole("combobox", { name: "Catégorie par défaut" })).toHaveValue(
    category.name,
  );
  await form.getByRole("button", { name: "Retirer Hauteur" }).click();
  await form.getByLabel("Prix").fill("13");
  await saveForm(form);
  await expect(row).toContainText("13,00 €");

  await expectFailedSave({
    page,
    row,
    path: "**/api/physical_products/*",
    sentence: "Erreur lors de la sauvegarde du produit.",
  });
  await deleteRow({ page, row, question: "Supprimer ce produit ?" });
  expect(await storedProduct(database, { name })).toBeUndefined();
});

test("what is refused stays in the form", async ({ page, database, arrange, problems }) => {
  problems.allow(422);
  const characteristics = Array.from({ length: 40 }, (_, index) => ({
    name: `Mesure ${index + 1}`,
    value: `${index} mm`,
  }));
  const [first, product] = await arrange(async (db) => [
    await createProduct({ db, sku: unique("REF") }),
    await createProduct({ db, name: unique("Établi "), characteristics }),
  ]);
  await openScreen({ page, database, path: `/backoffice/products?search=${product.name}` });
  const row = rowOf(page, product.name);
  await expect(row).toContainText("Mesure 8\u00a0: 7 mm");
  await expect(row).toContainText("et 32 autres");
  await expect(row).not.toContainText("Mesure 9");
  await expect(row.getByRole("link", { name: "Voir" })).toBeVisible();
  await row.getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  const save = form.getByRole("button", { name: "Enregistrer" });
  await expect(form.getByRole("button", { name: /^Retirer Mesure/ })).toHaveCount(40);
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") calls.push(request.url());
  });

  await test.step("an impossible amount, without a request", async () => {
    const price = form.getByLabel("Prix");
    await expect(price).toHaveAttribute("min", "0");
    await expect(price).toHaveAttribute("step", "0.01");
    await expect(price).toHaveAttribute("max", "21474836.47");
    await price.fill("-1");
    await save.click();
    await expect(price).toHaveAccessibleDescription(/Le montant ne peut pas être négatif\.$/);
    await expect(price).toBeFocused();
    await expect(form.getByRole("alert")).toHaveCount(0);
    await price.fill("0");
  });

  await test.step("half a characteristic", async () => {
    const value = form.getByLabel("Valeur de la caractéristique");
    await form.getByLabel("Nom de la caractéristique").fill("Poids");
    await page.keyboard.press("Escape");
    await expect(confirmDialogOf(page)).toContainText("Abandonner les modifications");
    await confirmDialogOf(page).getByRole("button", { name: "Continuer la saisie" }).click();
    await save.click();
    await expect(value).toHaveAccessibleDescription("Ce champ est obligatoire.");
    await expect(value).toBeFocused();
    await value.fill("2 kg");
    expect(calls).toEqual([]);
  });

  const sku = unique("VAS");
  await test.step("a reference that is taken", async () => {
    await form.getByLabel("Statut").selectOption("Brouillon");
    await form.getByLabel("Marque").fill("Atelier");
    await form.getByLabel("Référence (SKU)").fill(String(first.sku).toLowerCase());
    await save.click();
    await expect(form.getByRole("alert")).toContainText(
      "Un autre produit porte déjà cette référence.",
    );
    await expect(form.getByLabel("Référence (SKU)")).toHaveAttribute("aria-invalid", "true");
    await expect(form.getByLabel("Marque")).toHaveValue("Atelier");
    await form.getByLabel("Référence (SKU)").fill(sku);
    await saveForm(form);
    expect(await storedProduct(database, product)).toMatchObject({
      sku,
      priceCents: 0,
      characteristics: [...characteristics, { name: "Poids", value: "2 kg" }],
    });
  });

  await expect(row).toContainText("Brouillon");
  await expect(row).toContainText(sku);
  await expect(row.getByRole("link", { name: "Voir" })).toHaveCount(0);
  expect((await page.request.get(`/product/${product.id}`)).status()).toBe(404);
  await page.getByLabel("Statut").selectOption("En vente");
  await expect(row).toHaveCount(0);
  await page.getByLabel("Statut").selectOption("Brouillon");
  await expect(row).toHaveCount(1);
});

test("the form follows the product's kind", async ({ page, database, arrange }) => {
  const name = unique("Manuel ");
  const category = await arrange((db) => createCategory({ db, name: unique("Livres ") }));
  await openScreen({ page, database, path: "/backoffice/products" });
  await page.getByRole("button", { name: "Ajouter un produit" }).click();
  const form = dialogOf(page);
  await expect(form.getByLabel("Nom de la caractéristique")).toBeVisible();
  await expect(form.getByLabel("Lien de téléchargement")).toHaveCount(0);
  await form.getByLabel("Type", { exact: true }).selectOption("Digital");
  await expect(form.getByLabel("Nom de la caractéristique")).toHaveCount(0);

  const submit = form.getByRole("button", { name: "Ajouter", exact: true });
  await submit.click();
  await expect(form.getByText("Ce champ est obligatoire.")).toHaveCount(3);
  await expect(form.getByRole("alert").getByRole("listitem")).toHaveText([
    "Veuillez sélectionner une catégorie par défaut.",
    "Veuillez renseigner une taille de fichier valide pour un produit digital.",
  ]);

  await fillCommon(form, { name, category: category.name });
  await form.getByLabel("Taille du fichier (Ko)").fill("1500");
  await form.getByLabel("Lien de téléchargement").fill("/downloads/manuel.pdf");
  await form.getByLabel("Type de fichier").fill("PDF");
  await submit.click();
  await expect(form).toBeHidden();
  const row = rowOf(page, name);
  await expect(row).toContainText("Digital");
  await expect(row).toContainText("1500 Ko");
  await expect(row).toContainText("/downloads/manuel.pdf");
  expect(await storedProduct(database, { name })).toMatchObject({
    type: "digital",
    downloadLink: "/downloads/manuel.pdf",
    fileSizeKb: 1500,
  });

  // Saving at the other type's path converts it.
  await row.getByRole("button", { name: "Modifier" }).click();
  await form.getByLabel("Type", { exact: true }).selectOption("Physique");
  await saveForm(form);
  await expect(row).toContainText("Physique");
  expect(await storedProduct(database, { name })).toMatchObject({
    type: "physical",
    fileSizeKb: null,
  });
});

test("a refused picture stops the save", async ({ page, database, arrange, problems }) => {
  problems.allow(413, 415);
  const name = unique("Vase ");
  const category = await arrange((db) => createCategory({ db, name: unique("Maison ") }));
  await openScreen({ page, database, path: "/backoffice/products" });
  await page.getByRole("button", { name: "Ajouter un produit" }).click();
  const form = dialogOf(page);
  const image = form.getByLabel("Image", { exact: true });
  const submit = form.getByRole("button", { name: "Ajouter", exact: true });
  const alert = form.getByRole("alert");
  await fillCommon(form, { name, category: category.name });
  await expect(image).toHaveAttribute("accept", "image/jpeg,image/png,image/gif,image/webp");

  await test.step("another kind of file, which does not cancel a running upload", async () => {
    await image.setInputFiles({
      name: "dessin.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    });
    await expect(alert).toHaveText("Formats acceptés : JPG, PNG, GIF, WEBP.");
    // A browser may not know the type of an iPhone's photo.
    await image.setInputFiles({ name: "IMG_0042.HEIC", mimeType: "", buffer: Buffer.from("…") });
    await expect(alert).toHaveText(
      /^Cette photo est au format HEIC.* sur un iPhone, touchez Partager/,
    );
    const release = await holdRequests(page, "**/api/upload");
    await image.setInputFiles(await picture("webp"));
    await expect(form.getByRole("progressbar")).toBeVisible();
    await image.setInputFiles({
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("Bonjour"),
    });
    await expect(alert).toHaveText("Formats acceptés : JPG, PNG, GIF, WEBP.");
    release();
    await form.getByRole("button", { name: "Retirer l’image" }).click();
    await page.unroute("**/api/upload");
  });

  const expectKept = async () => {
    await submit.click();
    await expect(alert.getByRole("listitem")).toHaveText([
      "L’image choisie n’a pas été enregistrée : choisissez-en une autre, ou écartez-la.",
    ]);
    await expect(image).toBeFocused();
    await expect(form.getByLabel("Nom", { exact: true })).toHaveValue(name);
    expect(await storedProduct(database, { name })).toBeUndefined();
  };
  await test.step("a limit of a proxy, and a file that only pretends to be a picture", async () => {
    await page.route("**/api/upload", (route) => route.fulfill({ status: 413 }), { times: 1 });
    await image.setInputFiles(await picture("png"));
    await expect(form.getByText("L’envoi de l’image a échoué.")).toBeVisible();
    await expectKept();
    await image.setInputFiles(NO_PICTURE);
    await expect(form.getByText(NOT_A_PICTURE)).toBeVisible();
    await expectKept();
    await image.setInputFiles(await picture("png"));
    await expect(form.getByText(NOT_A_PICTURE)).toBeHidden();
    await submit.click();
    await expect(form).toBeHidden();
  });

  await test.step("a dismissed picture, which keeps the former one", async () => {
    const { image: file } = (await storedProduct(database, { name })) ?? {};
    expect(file).toMatch(/\.\w+$/);
    await rowOf(page, name).getByRole("button", { name: "Modifier" }).click();
    await image.setInputFiles(NO_PICTURE);
    const dismiss = form.getByRole("button", { name: "Écarter l’image refusée" });
    await dismiss.click();
    await expect(dismiss).toBeHidden();
    await saveForm(form);
    expect(await storedProduct(database, { name })).toMatchObject({ image: file });
  });
});

test("pictures are put in order, described and taken out", async ({ page, database, arrange }) => {
  const product = await arrange((db) => createProduct({ db, name: unique("Vase "), image: null }));
  await openScreen({ page, database, path: `/backoffice/products?search=${product.name}` });
  const open = () => rowOf(page, product.name).getByRole("button", { name: "Modifier" }).click();
  await open();
  const form = dialogOf(page);
  const files = [await picture("png"), await picture("webp"), await picture("gif")];
  await form.getByLabel("Image", { exact: true }).setInputFiles(files);
  const texts = form.getByLabel(/^Texte alternatif/);
  await expect(texts).toHaveCount(3);
  for (const [index, text] of ["De face", "De côté", ""].entries())
    await texts.nth(index).fill(text);
  await expectAccessible(page);

  // By keyboard: the focus stays on the picture, and its new place is announced.
  const up = form.getByRole("button", { name: "Monter l’image 2" });
  await up.focus();
  await page.keyboard.press("Enter");
  await expect(texts.first()).toHaveValue("De côté");
  await expect(form.getByText("Image déplacée en position 1 sur 3.")).toBeAttached();
  await expect(form.getByRole("button", { name: "Descendre l’image 1" })).toBeFocused();
  // By dragging.
  const items = form.getByRole("listitem").filter({ has: page.getByLabel(/^Texte alternatif/) });
  await items.nth(2).getByRole("img").dragTo(items.nth(0).getByRole("img"));
  await expect(texts.nth(1)).toHaveValue("De côté");
  await form.getByRole("button", { name: "Retirer l’image 3" }).click();
  await expect(form.getByRole("button", { name: "Retirer l’image 2" })).toBeFocused();
  await saveForm(form);
  const stored = await storedProduct(database, product);
  expect(stored).toMatchObject({
    image: expect.stringMatching(/\.gif$/),
    imageAlt: "",
    moreImages: [{ url: expect.stringMatching(/\.webp$/), alt: "De côté" }],
  });

  // Nothing changes without a change.
  await open();
  await saveForm(form);
  expect((await storedProduct(database, product))?.moreImages).toEqual(stored?.moreImages);
});

test("an upload is repeated after the session has ended", async ({ page, database, problems }) => {
  problems.allow(401);
  const admin = await openScreen({ page, database, path: "/backoffice/products" });
  await page.getByRole("button", { name: "Ajouter un produit" }).click();
  const form = page.getByRole("dialog", { name: "Ajouter un produit" });
  const name = unique("Vase");
  await form.getByLabel("Nom", { exact: true }).fill(name);
  const release = await holdRequests(page, "**/api/upload");
  await form.getByLabel("Image", { exact: true }).setInputFiles(await picture("png"));
  await expect(form.getByRole("progressbar", { name: "Envoi de l’image" })).toBeVisible();
  const sessionVersion = admin.sessionVersion + 1;
  await database.update(users).set({ sessionVersion }).where(eq(users.id, admin.id));
  release();
  const login = page.getByRole("dialog", { name: "Reconnectez-vous" });
  await login.getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
  await login.getByRole("button", { name: "Se connecter" }).click();
  await expect(form.getByRole("button", { name: /^Retirer l’image/ })).toHaveCount(1);
  await expect(form.getByLabel("Nom", { exact: true })).toHaveValue(name);
  await expect.poll(() => sessionSides(page)).toEqual({ storage: true, cookie: true });
});

test("deleting products says that it deletes reviews", async ({ page, database, arrange }) => {
  const prefix = unique("Avis compris ");
  await arrange(async (db) => {
    for (const count of [0, 1, 2]) {
      const type = count === 0 ? "digital" : "physical";
      const { id: productId } = await createProduct({ db, name: `${prefix} ${count}`, type });
      for (let i = 0; i < count; i++)
        await createReview({ db, productId, userId: (await createUser({ db })).id });
    }
  });
  await openScreen({ page, database, path: `/backoffice/products?search=${prefix}` });
  const question = confirmDialogOf(page);
  for (const [count, published] of [
    [0, "aucun n’est publié"],
    [1, "1 publié"],
  ] as const) {
    await rowOf(page, `${prefix} ${count}`).getByRole("button", { name: "Supprimer" }).click();
    await expect(question).toContainText("Supprimer ce produit ?");
    await expect(question).toContainText(
      `les avis sur ce produit seront également supprimés, définitivement (${published}).`,
    );
    await question.getByRole("button", { name: "Annuler" }).click();
  }
  await page.getByLabel("Type", { exact: true }).selectOption("Physique");
  await expect(rowOf(page, prefix)).toHaveCount(2);
  await page.getByLabel("Tout sélectionner").check();
  await page.getByRole("button", { name: "Supprimer la sélection" }).click();
  await expect(question).toContainText(
    "les avis sur ces produits seront également supprimés, définitivement (3 publiés).",
  );
  await question.getByRole("button", { name: "Annuler" }).click();
  await page.getByLabel("Image", { exact: true }).selectOption("Sans image");
  await expect(page.getByRole("cell", { name: "Aucun produit trouvé." })).toBeVisible();
});
