import { expectAccessible } from "../axe";
import { expect, test } from "../fixtures";

test("the demonstration's mailbox shows a mail immediately, as HTML and as text", async ({
  page,
  api,
  mailbox,
  problems,
}) => {
  // Playwright's trace recorder also tries to run in the mail's iframe, which allows no scripts.
  problems.allow(/Blocked script execution in 'about:srcdoc'.*sandboxed/);
  await page.goto("/mailbox");
  await expect(page).toHaveTitle("Boîte aux lettres de démonstration - Mini Ecommerce");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  const nom = `Camille ${process.pid}-${Date.now()}`;
  const message = "Bonjour,\n<b>où</b> est ma commande ?";
  const email = `${"prenom".repeat(10)}@exemple.fr`;
  expect((await api.post("/api/contact", { json: { nom, email, message } })).status).toBe(201);

  await mailbox.waitForMail({ subject: `Nouveau message de ${nom}` });
  // The list refreshes itself.
  const link = page.getByRole("link", { name: `Nouveau message de ${nom}` });
  await expect(link).toBeVisible();
  await expect(page.getByRole("listitem").first()).toContainText(nom);
  await expect(link).toContainText("contact@mini-ecommerce.test");

  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Nouveau message de ${nom}`);
  await expect(page.getByText(email, { exact: true })).toBeVisible();
  const frame = page.frameLocator("iframe");
  await expect(frame.getByText("<b>où</b> est ma commande ?", { exact: true })).toBeVisible();
  await test.step("a long word makes the mail no wider than a phone", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const excess = () =>
      frame
        .locator("body")
        .evaluate(
          ({ ownerDocument: { documentElement: root } }) => root.scrollWidth - root.clientWidth,
        );
    await expect.poll(excess).toBe(0);
  });
  await page.getByRole("tab", { name: "Texte" }).click();
  await expect(page.getByRole("tabpanel", { name: "Texte" })).toContainText(
    "<b>où</b> est ma commande ?",
  );
  await expectAccessible(page);
});
