import { eq } from "drizzle-orm";
import { createAdmin, createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import type { Api } from "../api-client";
import { expectAccessible } from "../axe";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import type { Mailbox } from "../mailbox";

// Playwright's trace recorder also tries to run in the mail's iframe, which allows no scripts.
test.beforeEach(({ problems }) =>
  problems.allow(/Blocked script execution in 'about:srcdoc'.*sandboxed/),
);

const newName = () => `Camille ${process.pid}-${Date.now()}`;

test("the demonstration's mailbox shows a mail immediately, as HTML and as text", async ({
  page,
  api,
  mailbox,
}) => {
  await page.goto("/mailbox");
  await expect(page).toHaveTitle("Boîte aux lettres de démonstration - Mini Ecommerce");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  const nom = newName();
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

test("the mailbox is 404 except for this machine and administrators, and so are unknown mails", async ({
  page,
  api,
  arrange,
  database: db,
  mailbox,
}) => {
  const { name } = await newMail({ api, mailbox });
  const paths = ["/mailbox", `/mailbox/${name}`];
  const throughProxies: Record<string, string>[] = [
    { "X-Forwarded-For": "127.0.0.1" },
    { "X-Forwarded-Proto": "https" },
    { Forwarded: "for=127.0.0.1" },
    { "X-Forwarded-For": "127.0.0.1", "X-Shop-Local-Peer": "1" },
  ];
  for (const headers of throughProxies)
    for (const path of paths) expect((await api.get(path, { headers })).status, path).toBe(404);
  // The router does not get the page's data either. Next.js redirects to the data's URL.
  for (const path of paths) {
    const { headers } = await api.get(path, { headers: { RSC: "1" } });
    const dataFor = async (more: Record<string, string>) =>
      (await api.get(String(headers.location), { headers: { ...more, RSC: "1" } })).text;
    expect(await dataFor({}), path).toContain("Nouveau message");
    expect(await dataFor(REMOTE), path).not.toContain("Nouveau message");
  }
  for (const path of paths) expect((await api.get(path)).status, path).toBe(200);
  for (const unknown of ["unknown", "%2e%2e%2fsecret", "a%00b", "a".repeat(300)])
    expect((await api.get(`/mailbox/${unknown}`)).status, unknown).toBe(404);

  // An administrator can read the mailbox from anywhere, until the session ends.
  const admin = await arrange((tx) => createAdmin({ db: tx }));
  await openSession(page, admin);
  const statusOf = async () => (await page.request.get("/mailbox", { headers: REMOTE })).status();
  expect(await statusOf()).toBe(200);
  await db.update(users).set({ sessionVersion: 99 }).where(eq(users.id, admin.id));
  expect(await statusOf()).toBe(404);

  const customer = await createUser({ db });
  await openSession(page, customer);
  expect(await statusOf()).toBe(404);
});

test("the mailbox is refused under any host but the shop's, and through a trusted proxy", async ({
  shopWith,
}) => {
  const { api } = await shopWith({
    env: { SITE_URL: "http://boutique.exemple.test", TRUST_PROXY: "1" },
    database: "shared",
  });
  for (const method of ["GET", "HEAD", "POST"])
    for (const path of ["/mailbox", "/mailbox/unknown", "/mailbox?x"])
      for (const host of [
        "evil.example",
        "evil.example:3000",
        "boutique.exemple.test.evil.example",
      ]) {
        const { status, text } = await api.request(method, path, { headers: { Host: host } });
        expect(status, `${method} ${path}`).toBe(421);
        if (method !== "HEAD")
          expect(text).toBe(
            "La boîte aux lettres ne s'ouvre qu'à l'adresse de la boutique\u00a0: http://boutique.exemple.test/mailbox\n",
          );
      }
  for (const host of ["localhost:3000", "127.0.0.1", "[::1]:3000", "boutique.exemple.test"])
    expect((await api.get("/mailbox", { headers: { Host: host } })).status, host).toBe(200);
  // Other pages accept any host name: a proxy or a machine may have several.
  expect((await api.get("/", { headers: { Host: "evil.example" } })).status).toBe(200);

  // The trusted proxy says which visitors are on this machine.
  const statusFrom = async (forwarded: string) =>
    (await api.get("/mailbox", { headers: { "X-Forwarded-For": forwarded } })).status;
  expect(await statusFrom("127.0.0.1")).toBe(200);
  expect(await statusFrom("127.0.0.1, 203.0.113.9")).toBe(404);
});

const REMOTE = { "X-Forwarded-For": "203.0.113.9" };

/** Makes the shop send a mail. Returns the mail's name in the mailbox. */
async function newMail({ api, mailbox }: { api: Api; mailbox: Mailbox }) {
  const nom = newName();
  const json = { nom, email: "camille@exemple.fr", message: "Bonjour" };
  expect((await api.post("/api/contact", { json })).status).toBe(201);
  await mailbox.waitForMail({ subject: `Nouveau message de ${nom}` });
  const { text } = await api.get("/mailbox");
  const [, name] = /href="\/mailbox\/([\w-]+)"/.exec(text) ?? [];
  if (!name) throw new Error("The mail is not in the mailbox.");
  return { name };
}

test("a shop with a mail provider has no mailbox", async ({ shopWith }) => {
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
