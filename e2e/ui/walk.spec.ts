import { readFile } from "node:fs/promises";
import { DEFAULT_PASSWORD } from "@/db/factories/people";
import { demoAdmin } from "@/db/seed/people";
import { newEmail, tokenInMail } from "../accounts";
import { submitLogin } from "../browser-session";
import { expect, test } from "../fixtures";
import { hydrated } from "../hydration";

// One walk through the whole shop, from the first visit to the seller's list of orders. The other tests
// look at each part closely. Every supported version of Node.js has to pass this one.

test("a visitor registers, buys, gets the invoice and reviews; the seller sees it all", async ({
  page,
  mailbox,
  browser,
}) => {
  test.slow();
  const email = newEmail("promenade");
  const main = page.getByRole("main");

  await page.goto("/register");
  await page.getByLabel("Nom", { exact: true }).fill("Promenade");
  await page.getByLabel("Prénom").fill("Maëlle");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Mot de passe", { exact: true }).fill(DEFAULT_PASSWORD);
  await page.getByLabel("Confirmer le mot de passe").fill(DEFAULT_PASSWORD);
  await page.getByRole("button", { name: "S'inscrire" }).click();
  await expect(main.getByText(/^Inscription réussie/)).toBeVisible();
  const verification = await mailbox.waitForMail({ to: email });
  const token = tokenInMail({ mail: verification, page: "account-verification" });
  await page.goto(`/account-verification/${token}`);
  await expect(main.getByText("Votre compte a été vérifié avec succès.")).toBeVisible();

  await page.goto("/login");
  await submitLogin({ page, email });
  await expect(page.getByText("Bonjour Maëlle Promenade !")).toBeVisible();

  await page.goto("/products?search=theiere");
  await main.locator("article h3").first().click();
  await expect(page).toHaveURL(/\/product\/\d+/);
  const productPath = new URL(page.url()).pathname;
  const added = page.waitForResponse("**/api/cart/add");
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  expect((await added).status()).toBe(201);

  await page.goto("/addresses");
  await page.getByRole("button", { name: "Ajouter une adresse" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Rue").fill("4 quai de la Fosse");
  await form.getByLabel("Ville").fill("Nantes");
  await form.getByLabel("Code postal").fill("44000");
  await form.getByRole("button", { name: /^(Ajouter|Enregistrer)$/ }).click();
  await expect(main.getByText("4 quai de la Fosse")).toBeVisible();

  await page.goto("/cart");
  await page.getByRole("button", { name: "Passer la commande" }).click();
  await expect(page).toHaveURL("/checkout");
  await hydrated(page);
  for (const group of ["Adresse de livraison", "Adresse de facturation"])
    await page
      .getByRole("group", { name: group })
      .getByRole("radio", { name: "4 quai de la Fosse" })
      .check();
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.getByLabel("Numéro de carte").fill("4242424242424242");
  await page.getByLabel("Date d'expiration").fill("12/34");
  await page.getByLabel("CVC").fill("123");
  await page.getByRole("button", { name: /^Payer / }).click();
  await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
  const confirmation = await mailbox.waitForMail({ to: email, subject: /commande/i });
  const [attached] = confirmation.attachments ?? [];
  expect(attached?.contentType).toBe("application/pdf");
  const number = /CMD-\d{4}-\d{6}/.exec(confirmation.text)?.[0] ?? "no number in the mail";

  await page.goto("/orders");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Télécharger la facture" }).click();
  const invoice = await readFile(await (await downloading).path());
  expect(invoice.subarray(0, 5).toString()).toBe("%PDF-");

  await page.goto(productPath);
  await page.getByRole("radio", { name: "5 étoiles" }).check();
  await page.getByLabel("Commentaire").fill("Arrivée entière, et elle ne goutte pas.");
  await page.getByRole("button", { name: "Envoyer" }).click();
  await expect(main.getByText(/^Votre avis a été soumis/)).toBeVisible();

  const office = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const seller = await office.newPage();
  await seller.goto("/login");
  await hydrated(seller);
  await submitLogin({ page: seller, email: demoAdmin.email, password: demoAdmin.password });
  await expect(seller.getByText(/^Bonjour /)).toBeVisible();
  for (const [path, text] of [
    ["/backoffice/orders", number],
    ["/backoffice/reviews", "Arrivée entière"],
  ] as const) {
    await seller.goto(path);
    await expect(seller.getByRole("row").filter({ hasText: text })).toBeVisible();
  }
  await office.close();
});
