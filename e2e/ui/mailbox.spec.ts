import { expectAccessible } from "../axe";
import { expect, test } from "../fixtures";

// Playwright's trace recorder tries to run in the mail's iframe, too, which allows no scripts.
test.beforeEach(({ problems }) =>
  problems.allow(/Blocked script execution in 'about:srcdoc'.*sandboxed/),
);

const newName = () => `Camille ${process.pid}-${Date.now()}`;

test("the demonstration's mailbox shows a mail as soon as it is there, in both forms", async ({
  page,
  api,
  mailbox,
}) => {
  await page.goto("/mailbox");
  await expect(page).toHaveTitle("Boîte aux lettres de démonstration - Mini Ecommerce");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  const nom = newName();
  const message = "Bonjour,\n<b>où</b> est ma commande ?";
  const email = "camille@exemple.fr";
  expect((await api.post("/api/contact", { json: { nom, email, message } })).status).toBe(201);

  await mailbox.waitForMail({ subject: `Nouveau message de ${nom}` });
  // The list refreshes itself.
  const link = page.getByRole("link", { name: `Nouveau message de ${nom}` });
  await expect(link).toBeVisible();
  await expect(page.getByRole("listitem").first()).toContainText(nom);
  await expect(link).toContainText("contact@mini-ecommerce.test");
  await expectAccessible(page);

  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Nouveau message de ${nom}`);
  await expect(page.getByText("camille@exemple.fr", { exact: true })).toBeVisible();
  const frame = page.frameLocator("iframe");
  await expect(frame.getByText("<b>où</b> est ma commande ?", { exact: true })).toBeVisible();
  await page.getByRole("tab", { name: "Texte" }).click();
  await expect(page.getByRole("tabpanel", { name: "Texte" })).toContainText(
    "<b>où</b> est ma commande ?",
  );
  await expectAccessible(page);
});

test("a link in a mail leads to the shop", async ({ page, api, context }) => {
  const json = { nom: newName(), email: "camille@exemple.fr", message: "Bonjour" };
  await api.post("/api/contact", { json });
  await page.goto("/mailbox");
  await page.getByRole("link", { name: json.nom }).click();
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    page.frameLocator("iframe").getByRole("link", { name: "Mini Ecommerce" }).click(),
  ]);
  await expect(opened).toHaveURL("/");
});

test("mails that nobody has are 404", async ({ api }) => {
  for (const name of ["unknown", "%2e%2e%2fsecret", "a%00b", "a".repeat(300)])
    expect((await api.get(`/mailbox/${name}`)).status, name).toBe(404);
});

test("a shop that is no demonstration has no mailbox, nor has one with a provider", async ({
  shopWith,
}) => {
  const real = await shopWith({ env: { SHOP_DEMO: "" }, database: "shared" });
  expect((await real.api.get("/mailbox")).status).toBe(404);
  expect((await real.api.get("/mailbox/unknown")).status).toBe(404);
  const withProvider = await shopWith({
    env: {
      RESEND_API_KEY: "re_test",
      MAIL_FROM: "boutique@exemple.fr",
      CONTACT_MAIL: "equipe@exemple.fr",
    },
    database: "shared",
  });
  expect((await withProvider.api.get("/mailbox")).status).toBe(404);
});
