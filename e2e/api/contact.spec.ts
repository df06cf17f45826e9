import { eq, inArray } from "drizzle-orm";
import { contactMessages } from "@/db/schema/contact";
import { ResendServer } from "@/e2e/services/resend";
import type { Refusal } from "../accounts";
import { expect, test } from "../fixtures";

const REQUIRED = "Ce champ est obligatoire.";

let number = 0;
const newSender = () => `visiteur-${process.pid}-${++number}@exemple.fr`;

test("a message is stored and mailed", async ({ api, database, mailbox }) => {
  const email = newSender();
  const message = "Bonjour,\n\noù est ma commande ?";
  const nom = "Eve\r\nBcc: tous@exemple.fr";
  const answer = await api.post("/api/contact", { json: { nom, email, message } });
  expect(answer.status).toBe(201);
  expect(answer.json).toEqual({ message: "Message envoyé avec succès !" });

  const stored = await database
    .select()
    .from(contactMessages)
    .where(eq(contactMessages.email, email));
  expect(stored).toMatchObject([{ name: "Eve Bcc: tous@exemple.fr", message }]);

  await expect.poll(() => mailbox.list().filter((mail) => mail.replyTo === email)).toHaveLength(1);
  const mail = mailbox.list().find(({ replyTo }) => replyTo === email);
  expect(mail).toMatchObject({
    to: "contact@mini-ecommerce.test",
    from: "Mini Ecommerce <contact@mini-ecommerce.test>",
    subject: "Nouveau message de Eve Bcc: tous@exemple.fr",
  });
  expect(mail?.text).toContain(message);
  expect(mail?.html).toContain("où est ma commande ?");
});

test("invalid fields have their messages, and store nothing", async ({ api, database }) => {
  const answer = await api.post<Refusal>("/api/contact", { json: { nom: null, email: "  " } });
  expect(answer.status).toBe(422);
  expect(answer.headers["content-type"]).toContain("application/problem+json");
  expect(answer.json.errors).toEqual({ nom: REQUIRED, email: REQUIRED, message: REQUIRED });
  expect(answer.json.violations).toEqual(
    ["nom", "email", "message"].map((propertyPath) => ({ propertyPath, message: REQUIRED })),
  );
  expect(answer.json.error).toContain(REQUIRED);
  const email = newSender();
  const json = { nom: "Zoé", email, message: "a".repeat(5001) };
  expect((await api.post("/api/contact", { json })).status).toBe(422);
  const stored = database.select().from(contactMessages).where(eq(contactMessages.email, email));
  expect(await stored).toEqual([]);
});

test.describe("the form of a browser without JavaScript", () => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  test("redirects to the page of thanks", async ({ api, database }) => {
    const email = newSender();
    const body = form({ nom: "Zoé", email, message: "a\r\nb" });
    const answer = await api.post("/api/contact", { headers, body });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe("/contact/merci");
    const [stored] = await database
      .select()
      .from(contactMessages)
      .where(eq(contactMessages.email, email));
    expect(stored).toMatchObject({ name: "Zoé", message: "a\nb" });
    // Not for a client that accepts no HTML, and not from another site.
    const accept = "application/ld+json";
    const refused = await api.post<Refusal>("/api/contact", { headers, body, accept });
    expect([refused.status, refused.json.status]).toEqual([415, 415]);
    const crossSite = { ...headers, "Sec-Fetch-Site": "cross-site" };
    expect((await api.post("/api/contact", { headers: crossSite, body })).status).toBe(403);
  });

  test("is shown again with errors and escaped input", async ({ api }) => {
    const body = form({ nom: '"><script>alert(1)</script>', email: "x", message: "</textarea>" });
    const answer = await api.post("/api/contact", { headers, body });
    expect(answer.status).toBe(422);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.text).toContain("Veuillez saisir une adresse e-mail valide.");
    expect(answer.text).toContain("&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;");
    expect(answer.text).not.toContain("<script");
    expect(answer.text.match(/<\/textarea>/g)).toHaveLength(1);
  });
});

test("the sixth message within ten minutes is 429, of valid ones", async ({ limited }) => {
  const { api } = limited;
  const send = (email: string) =>
    api.post<Refusal>("/api/contact", { json: { nom: "Camille", email, message: "Bonjour" } });
  for (let sent = 0; sent < 5; sent++) {
    expect((await send("camille")).status).toBe(422);
    expect((await send("camille@exemple.fr")).status).toBe(201);
  }
  const refused = await send("camille@exemple.fr");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(500);
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(600);
  expect(refused.json.error).toBe("Trop de tentatives. Réessayez dans 10 minutes.");

  const body = new URLSearchParams({ nom: "A", email: "a@exemple.fr", message: "B" }).toString();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const form = await api.post("/api/contact", { headers, body });
  expect(form.status).toBe(429);
  const waits = [refused, form].map(({ headers }) => Number(headers["retry-after"]));
  expect(waits[1]).toBeGreaterThan(500);
  expect(waits[1]).toBeLessThanOrEqual(waits[0] ?? 0);
  expect(form.text).toContain("Trop de tentatives.");
});

test("a mail provider that never answers delays no visitor", async ({ shopWith }) => {
  const resend = await ResendServer.start({ apiKey: "re_test" });
  const { api, mailbox } = await shopWith({
    env: {
      RESEND_API_KEY: "re_test",
      RESEND_BASE_URL: resend.url,
      MAIL_FROM: "Boutique <bonjour@boutique.example>",
      CONTACT_MAIL: "equipe@boutique.example",
      LOG_LEVEL: "silent",
    },
  });
  const json = { nom: "Camille", email: "camille@exemple.fr", message: "Bonjour" };
  expect((await api.post("/api/contact", { json })).status).toBe(201);
  await expect
    .poll(() => resend.mails)
    .toMatchObject([
      {
        from: "Boutique <bonjour@boutique.example>",
        to: "equipe@boutique.example",
        reply_to: "camille@exemple.fr",
        subject: "Nouveau message de Camille",
      },
    ]);
  resend.faults.push({ kind: "silence" });
  expect((await api.post("/api/contact", { json })).status).toBe(201);
  // The response came while the request to the provider was still waiting.
  await expect.poll(() => resend.keys.length).toBe(2);
  expect((await api.get("/api/categories")).status).toBe(200);
  expect(mailbox.list()).toEqual([]);
  await resend.stop();
});

test("a message is kept for a year, without its mail", async ({ api, database, shopEnv }) => {
  const young = newSender();
  const old = newSender();
  for (const [email, days] of [
    [young, 364],
    [old, 366],
  ] as const) {
    const createdAt = new Date(Date.now() - days * 86_400_000);
    const message = { name: "Camille", email, message: "Bonjour", createdAt };
    await database.insert(contactMessages).values(message);
  }
  await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  const kept = await database
    .select({ email: contactMessages.email })
    .from(contactMessages)
    .where(inArray(contactMessages.email, [young, old]));
  expect(kept).toEqual([{ email: young }]);
});
