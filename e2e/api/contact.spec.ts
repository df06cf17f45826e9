import { eq } from "drizzle-orm";
import { contactMessages } from "@/db/schema/contact";
import { mailOutbox } from "@/db/schema/mail";
import { ResendServer } from "@/e2e/services/resend";
import { test as base, expect } from "../fixtures";

const test = base.extend<{ resend: ResendServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from the pattern.
  resend: async ({}, use) => {
    const server = await ResendServer.start({ apiKey: "re_test" });
    await use(server);
    await server.stop();
  },
});

const SHOP = "contact@mini-ecommerce.test";
const REQUIRED = "Ce champ est obligatoire.";

let number = 0;
const newSender = () => `visiteur-${process.pid}-${++number}@exemple.fr`;

interface Refusal {
  status: number;
  error: string;
  violations: { propertyPath: string; message: string }[];
  errors: Record<string, string>;
}

test("a message is stored and mailed to the shop, with the sender as Reply-To", async ({
  api,
  database,
  mailbox,
}) => {
  const email = newSender();
  const answer = await api.post("/api/contact", {
    json: { nom: "Camille Dupré", email, message: "Bonjour,\n\noù est ma commande ?" },
  });
  expect(answer.status).toBe(201);
  expect(answer.json).toEqual({ message: "Message envoyé avec succès !" });

  const stored = await database
    .select()
    .from(contactMessages)
    .where(eq(contactMessages.email, email));
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({
    name: "Camille Dupré",
    message: "Bonjour,\n\noù est ma commande ?",
  });

  await expect.poll(() => mailbox.list().filter((mail) => mail.replyTo === email)).toHaveLength(1);
  const mail = mailbox.list().find(({ replyTo }) => replyTo === email);
  expect(mail).toMatchObject({
    to: SHOP,
    from: "Mini Ecommerce <contact@mini-ecommerce.test>",
    subject: "Nouveau message de Camille Dupré",
  });
  expect(mail?.text).toContain("Bonjour,\n\noù est ma commande ?");
  expect(mail?.html).toContain("où est ma commande ?");
});

test("axios's Accept and ld+json are both served", async ({ api }) => {
  for (const accept of ["application/json, text/plain, */*", "application/ld+json"]) {
    const json = { nom: "Camille", email: newSender(), message: "Bonjour" };
    const answer = await api.post<{ message: string }>("/api/contact", { json, accept });
    expect(answer.status, accept).toBe(201);
    expect(answer.json.message).toBe("Message envoyé avec succès !");
  }
});

test("each missing or empty field has its message", async ({ api }) => {
  for (const json of [{}, { nom: "", email: "  ", message: "\n" }, { nom: null }]) {
    const answer = await api.post<Refusal>("/api/contact", { json });
    expect(answer.status).toBe(422);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
    expect(answer.json.errors).toEqual({ nom: REQUIRED, email: REQUIRED, message: REQUIRED });
    expect(answer.json.violations).toEqual([
      { propertyPath: "nom", message: REQUIRED },
      { propertyPath: "email", message: REQUIRED },
      { propertyPath: "message", message: REQUIRED },
    ]);
    expect(answer.json.error).toContain(REQUIRED);
  }
});

for (const { name, change, field, sentence } of [
  {
    name: "no e-mail address",
    change: { email: "camille" },
    field: "email",
    sentence: "Veuillez saisir une adresse e-mail valide.",
  },
  {
    name: "an e-mail address with a second header",
    change: { email: "camille@exemple.fr\r\nBcc: tous@exemple.fr" },
    field: "email",
    sentence: "Veuillez saisir une adresse e-mail valide.",
  },
  {
    name: "two e-mail addresses",
    change: { email: "a@exemple.fr,b@exemple.fr" },
    field: "email",
    sentence: "Veuillez saisir une adresse e-mail valide.",
  },
  {
    name: "a name that is too long",
    change: { nom: "a".repeat(101) },
    field: "nom",
    sentence: "Ce champ doit contenir au plus 100 caractères.",
  },
  {
    name: "an e-mail address that is too long",
    change: { email: `${"a".repeat(250)}@exemple.fr` },
    field: "email",
    sentence: "Ce champ doit contenir au plus 254 caractères.",
  },
  {
    name: "a message that is too long",
    change: { message: "a".repeat(5001) },
    field: "message",
    sentence: "Ce champ doit contenir au plus 5000 caractères.",
  },
  { name: "a number", change: { nom: 3 }, field: "nom", sentence: "Ce champ doit être un texte." },
  {
    name: "a NUL byte",
    change: { message: "a\0b" },
    field: "message",
    sentence: "Ce texte contient un caractère interdit.",
  },
])
  test(`${name} is 422 and stores nothing`, async ({ api, database }) => {
    const email = newSender();
    const json = { nom: "Camille", email, message: "Bonjour", ...change };
    const answer = await api.post<Refusal>("/api/contact", { json });
    expect(answer.status).toBe(422);
    expect(answer.json.errors).toEqual({ [field]: sentence });
    const stored = database.select().from(contactMessages).where(eq(contactMessages.email, email));
    expect(await stored).toHaveLength(0);
  });

test("a message of the maximum length is stored completely", async ({ api, database }) => {
  const email = newSender();
  const message = `${"é".repeat(4_995)}😀 fin`.slice(-5000);
  const answer = await api.post("/api/contact", { json: { nom: "é".repeat(100), email, message } });
  expect(answer.status).toBe(201);
  const [stored] = await database
    .select()
    .from(contactMessages)
    .where(eq(contactMessages.email, email));
  expect(stored?.message).toBe(message);
});

test("a line break in the name injects no mail header", async ({ api, mailbox }) => {
  const email = newSender();
  const nom = "Eve\r\nBcc: tous@exemple.fr";
  const answer = await api.post("/api/contact", { json: { nom, email, message: "Bonjour" } });
  expect(answer.status).toBe(201);
  await expect.poll(() => mailbox.list().filter((mail) => mail.replyTo === email)).toHaveLength(1);
  expect(mailbox.list().find(({ replyTo }) => replyTo === email)).toMatchObject({
    to: SHOP,
    subject: "Nouveau message de Eve Bcc: tous@exemple.fr",
  });
});

test("malformed JSON and an endless body are refused", async ({ api }) => {
  const headers = { "Content-Type": "application/json" };
  expect((await api.post("/api/contact", { headers, body: "{" })).status).toBe(400);
  expect((await api.post("/api/contact", { headers, body: "[]" })).status).toBe(400);
  const text = { "Content-Type": "text/plain" };
  expect((await api.post("/api/contact", { headers: text, body: "a" })).status).toBe(415);
  const endless = JSON.stringify({ message: "a".repeat(100_000) });
  expect((await api.post("/api/contact", { headers, body: endless })).status).toBe(413);
  expect((await api.get("/api/contact")).status).toBe(405);
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

  test("is refused to a client that accepts no HTML", async ({ api }) => {
    const body = form({ nom: "Zoé", email: newSender(), message: "Bonjour" });
    const accept = "application/ld+json";
    const answer = await api.post<Refusal>("/api/contact", { headers, body, accept });
    expect(answer.status).toBe(415);
    expect(answer.json.status).toBe(415);
  });

  test("is refused from another site", async ({ api }) => {
    const body = form({ nom: "Eve", email: newSender(), message: "Bonjour" });
    const crossSite = { ...headers, "Sec-Fetch-Site": "cross-site" };
    expect((await api.post("/api/contact", { headers: crossSite, body })).status).toBe(403);
  });
});

test("the sixth message within ten minutes is 429, invalid ones do not count", async ({
  limited,
}) => {
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

test.describe("with a mail provider", () => {
  const shopOf = (resend: ResendServer) => ({
    env: {
      RESEND_API_KEY: "re_test",
      RESEND_BASE_URL: resend.url,
      MAIL_FROM: "Boutique <bonjour@boutique.example>",
      CONTACT_MAIL: "equipe@boutique.example",
      LOG_LEVEL: "silent",
    },
  });

  test("the mail is sent after the response", async ({ shopWith, resend }) => {
    const { api, mailbox } = await shopWith(shopOf(resend));
    const json = { nom: "Camille", email: "camille@exemple.fr", message: "Bonjour" };
    expect((await api.post("/api/contact", { json })).status).toBe(201);
    await expect.poll(() => resend.mails.length).toBe(1);
    expect(resend.mails[0]).toMatchObject({
      from: "Boutique <bonjour@boutique.example>",
      to: "equipe@boutique.example",
      reply_to: "camille@exemple.fr",
      subject: "Nouveau message de Camille",
    });
    expect(mailbox.list()).toEqual([]);
  });

  test("a provider outage fails no request and loses no mail", async ({ shopWith, resend }) => {
    const { api, database, env } = await shopWith(shopOf(resend));
    const down = Array.from({ length: 50 }, () => ({ kind: "refuse", status: 500 }) as const);
    resend.faults.push(...down);
    for (const message of ["Un", "Deux", "Trois"]) {
      const json = { nom: "Camille", email: "camille@exemple.fr", message };
      expect((await api.post("/api/contact", { json })).status).toBe(201);
    }
    // Each mail has been tried. No attempt may still be running: it would postpone its mail afterwards.
    const untried = async () => {
      await api.post("/api/cron/outbox", { token: env.CRON_SECRET });
      const rows = await database.select().from(mailOutbox);
      return rows.filter(({ lastError }) => lastError === null).length;
    };
    await expect.poll(untried).toBe(0);
    expect(resend.mails).toEqual([]);
    const statuses = async () =>
      (await database.select().from(mailOutbox)).map(({ status }) => status);
    expect(await statuses()).toEqual(["pending", "pending", "pending"]);

    // The provider is back, and the time of the next attempt has come.
    resend.faults.length = 0;
    await database.update(mailOutbox).set({ nextAttemptAt: new Date(0) });
    expect((await api.post("/api/cron/outbox", { token: env.CRON_SECRET })).status).toBe(200);
    await expect.poll(() => resend.mails.length).toBe(3);
    const texts = resend.mails.map(({ text }) => /^(Un|Deux|Trois)$/m.exec(text)?.[0]);
    expect(texts.sort()).toEqual(["Deux", "Trois", "Un"]);
    await expect.poll(statuses).toEqual(["sent", "sent", "sent"]);
  });

  test("a provider that never answers delays no visitor", async ({ shopWith, resend }) => {
    const { api } = await shopWith(shopOf(resend));
    resend.faults.push({ kind: "silence" });
    const json = { nom: "Camille", email: "camille@exemple.fr", message: "Bonjour" };
    expect((await api.post("/api/contact", { json })).status).toBe(201);
    // The response came while the request to the provider was still waiting.
    await expect.poll(() => resend.keys.length).toBe(1);
    expect((await api.get("/api/categories")).status).toBe(200);
  });
});

test("a message is kept for a year, independently of its mail", async ({ shopWith }) => {
  const { api, database, env } = await shopWith();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await database.insert(contactMessages).values(
    [364, 366].map((days) => ({
      name: "Camille",
      email: `il-y-a-${days}@exemple.fr`,
      message: "Bonjour",
      createdAt: daysAgo(days),
    })),
  );
  await api.post("/api/cron/checkouts?due=all", { token: env.CRON_SECRET });
  const kept = await database.select({ email: contactMessages.email }).from(contactMessages);
  expect(kept).toEqual([{ email: "il-y-a-364@exemple.fr" }]);
});
