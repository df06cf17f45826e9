import { expectAccessible } from "../axe";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";

test("a visitor writes to the shop, and sends the message once", async ({ page, mailbox }) => {
  await page.goto("/contact");
  await expect(page).toHaveTitle("Contact - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contact");
  const email = `ui-${process.pid}-${Date.now()}@exemple.fr`;
  await page.getByLabel("Nom").fill("Camille Dupré");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Message").fill("Bonjour,\noù est ma commande ?");
  // Screen readers announce changes of a live region, not its initial content.
  await expect(page.locator("form [aria-live=polite]")).toBeEmpty();
  const release = await holdRequests(page, "**/api/contact");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.getByRole("button", { name: "Envoyer" }).click();
  await expect(page.getByRole("button", { name: "Envoi en cours..." })).toBeDisabled();
  await page.getByLabel("Nom").evaluate((field: HTMLInputElement) => field.form?.requestSubmit());
  release();
  await expect(page.getByText("Message envoyé avec succès !")).toBeVisible();
  await expect(page.locator("form [aria-live=polite]")).toHaveText("Message envoyé avec succès !");
  for (const label of ["Nom", "Email", "Message"])
    await expect(page.getByLabel(label)).toHaveValue("");
  await expect(page.getByRole("button", { name: "Envoyer" })).toBeFocused();
  expect(sent.filter((url) => url.endsWith("/api/contact"))).toHaveLength(1);
  await expect
    .poll(() => mailbox.list().filter(({ replyTo }) => replyTo === email))
    .toHaveLength(1);
});

test("errors are shown beside their fields, the first field is focused, and nothing is sent", async ({
  page,
}) => {
  let requests = 0;
  await page.route("**/api/contact", (route) => {
    requests++;
    return route.abort();
  });
  await page.goto("/contact");
  const name = page.getByLabel("Nom");
  const email = page.getByLabel("Email");
  const message = page.getByLabel("Message");
  await email.fill("camille");
  await page.getByRole("button", { name: "Envoyer" }).click();

  await expect(name).toHaveAccessibleDescription("Ce champ est obligatoire.");
  await expect(email).toHaveAccessibleDescription("Veuillez saisir une adresse e-mail valide.");
  await expect(message).toHaveAccessibleDescription("Ce champ est obligatoire.");
  for (const field of [name, email, message])
    await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(name).toBeFocused();
  await expectAccessible(page);

  await name.fill("Camille");
  await expect(name).not.toHaveAttribute("aria-invalid");
  await page.getByRole("button", { name: "Envoyer" }).click();
  await expect(email).toBeFocused();
  await expect(email).toHaveValue("camille");
  expect(requests).toBe(0);
});

test("the server's message is shown, and the typed text is kept", async ({ page, problems }) => {
  problems.allow(422, 503, 429);
  await page.goto("/contact");
  await page.getByLabel("Nom").fill("Camille");
  await page.getByLabel("Email").fill("camille@exemple.fr");
  await page.getByLabel("Message").fill("Un long message");
  const send = page.getByRole("button", { name: "Envoyer" });

  // An error that only the server finds is shown beside its field, too.
  await page.route("**/api/contact", (route) =>
    route.fulfill({
      status: 422,
      json: { error: "email: Adresse refusée.", errors: { email: "Adresse refusée." } },
    }),
  );
  await send.click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Adresse refusée.");
  await expect(page.getByLabel("Email")).toBeFocused();

  await page.route("**/api/contact", (route) =>
    route.fulfill({
      status: 429,
      json: { error: "Trop de tentatives. Réessayez dans 2 minutes." },
    }),
  );
  await send.click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toHaveText("Trop de tentatives. Réessayez dans 2 minutes.");

  await page.route("**/api/contact", (route) =>
    route.fulfill({ status: 503, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }),
  );
  await send.click();
  await expect(alert).toHaveText("Erreur lors de l'envoi. Veuillez réessayer.");

  await expect(page.getByLabel("Nom")).toHaveValue("Camille");
  await expect(page.getByLabel("Email")).toHaveValue("camille@exemple.fr");
  await expect(page.getByLabel("Message")).toHaveValue("Un long message");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the form can be sent", async ({ page, mailbox, problems }) => {
    problems.allow(422);
    await page.goto("/contact");
    const email = `nojs-${process.pid}-${Date.now()}@exemple.fr`;
    await page.getByLabel("Nom").fill("Camille <Dupré>");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Envoyer" }).click();
    await expect(page.getByLabel("Message")).toHaveAccessibleDescription(
      "Ce champ est obligatoire.",
    );
    await expect(page.getByLabel("Nom")).toHaveValue("Camille <Dupré>");
    await page.getByLabel("Message").fill("Bonjour");
    await page.getByRole("button", { name: "Envoyer" }).click();
    await expect(page).toHaveURL("/contact/merci");
    await expect(page.getByText("Message envoyé avec succès !")).toBeVisible();
    await expect
      .poll(() => mailbox.list().filter(({ replyTo }) => replyTo === email))
      .toHaveLength(1);
  });
});
