import { expectAccessible } from "../axe";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";

test("a visitor corrects and sends a message", async ({ page, mailbox, problems }) => {
  problems.allow(422, 503, 429);
  await page.goto("/contact");
  await expect(page).toHaveTitle("Contact - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contact");
  await expect(
    page.getByRole("main").getByRole("link", { name: "04 65 71 01 23" }),
  ).toHaveAttribute("href", "tel:0465710123");
  const name = page.getByLabel("Nom");
  const email = page.getByLabel("Email");
  const message = page.getByLabel("Message");
  const send = page.getByRole("button", { name: "Envoyer" });
  const alert = page.getByRole("main").getByRole("alert");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/contact")) sent.push(request.url());
  });

  await test.step("errors are shown beside their fields, and nothing is sent", async () => {
    await email.fill("camille");
    await send.click();
    for (const [field, sentence] of [
      [name, "Ce champ est obligatoire."],
      [email, "Veuillez saisir une adresse e-mail valide."],
      [message, "Ce champ est obligatoire."],
    ] as const) {
      await expect(field).toHaveAccessibleDescription(sentence);
      await expect(field).toHaveAttribute("aria-invalid", "true");
    }
    await expect(name).toBeFocused();
    await expectAccessible(page);
    await name.fill("Camille Dupré");
    await expect(name).not.toHaveAttribute("aria-invalid");
    await message.fill("Bonjour,\noù est ma commande ?");
    await send.click();
    await expect(email).toBeFocused();
    await expect(email).toHaveValue("camille");
    expect(sent).toEqual([]);
  });

  const address = `ui-${process.pid}-${Date.now()}@exemple.fr`;
  await email.fill(address);
  await test.step("the server's messages, beside their field or below the form", async () => {
    const refusal = { error: "email: Adresse refusée.", errors: { email: "Adresse refusée." } };
    await page.route("**/api/contact", (route) => route.fulfill({ status: 422, json: refusal }));
    await send.click();
    await expect(email).toHaveAccessibleDescription("Adresse refusée.");
    await expect(email).toBeFocused();
    const limit = "Trop de tentatives. Réessayez dans 2 minutes.";
    for (const [answer, sentence] of [
      [{ status: 429, json: { error: limit } }, limit],
      [
        { status: 503, body: "<h1>Bad Gateway</h1>" },
        "Erreur lors de l'envoi. Veuillez réessayer.",
      ],
    ] as const) {
      await page.route("**/api/contact", (route) => route.fulfill(answer));
      await send.click();
      await expect(alert).toHaveText(sentence);
    }
    await expect(name).toHaveValue("Camille Dupré");
    await expect(email).toHaveValue(address);
    await expect(message).toHaveValue("Bonjour,\noù est ma commande ?");
    await page.unroute("**/api/contact");
  });

  sent.length = 0;
  const release = await holdRequests(page, "**/api/contact");
  await send.click();
  await expect(page.getByRole("button", { name: "Envoi en cours..." })).toBeDisabled();
  await name.evaluate((field: HTMLInputElement) => field.form?.requestSubmit());
  // Screen readers announce changes of a live region, not its initial content.
  await expect(page.locator("form [aria-live=polite]")).toBeEmpty();
  release();
  await expect(page.locator("form [aria-live=polite]")).toHaveText("Message envoyé avec succès !");
  for (const field of [name, email, message]) await expect(field).toHaveValue("");
  await expect(send).toBeFocused();
  expect(sent).toHaveLength(1);
  await expect
    .poll(() => mailbox.list().filter(({ replyTo }) => replyTo === address))
    .toHaveLength(1);
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
