import { eq } from "drizzle-orm";
import { contactMessages } from "@/db/schema/contact";
import { mailOutbox } from "@/db/schema/mail";
import { ResendServer } from "@/sandbox/resend";
import { test as base, expect } from "../fixtures";

const test = base.extend<{ resend: ResendServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  resend: async ({}, use) => {
    const server = await ResendServer.start({ apiKey: "re_test" });
    await use(server);
    await server.stop();
  },
});

const SHOP = "contact@mini-ecommerce.test";
const REQUIRED = "Ce champ est obligatoire.";

/** A sender that no other test has. */
let number = 0;
const newSender = () => `visiteur-${process.pid}-${++number}@exemple.fr`;

interface Refusal {
  status: number;
  error: string;
  violations: { propertyPath: string; message: string }[];
  errors: Record<string, string>;
}

test("a message is stored and mailed to the shop, with the sender to reply to", async ({
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

test("axios's Accept and a client's ld+json are both served", async ({ api }) => {
  for (const accept of ["application/json, text/plain, */*", "application/ld+json"]) {
    const json = { nom: "Camille", email: newSender(), message: "Bonjour" };
    const answer = await api.post<{ message: string }>("/api/contact", { json, accept });
    expect(answer.status, accept).toBe(201);
    expect(answer.json.message).toBe("Message envoyé avec succès !");
  }
});

test("each field that is missing or empty has its sentence", async ({ api }) => {
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
    name: "no address",
    change: { email: "camille" },
    field: "email",
    sentence: "Veuillez saisir une adresse e-mail valide.",
  },
  {
    name: "an address with a second header",
    change: { email: "camille@exemple.fr\r\nBcc: tous@exemple.fr" },
    field: "email",
    sentence: "Veuillez saisir une adresse e-mail valide.",
  },
  {
    name: "two addresses",
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
    name: "an address that is too long",
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

test("the longest message that is allowed arrives whole", async ({ api, database }) => {
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

test("a line break in the name makes no header of what follows it", async ({ api, mailbox }) => {
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

test("what is no JSON is refused, a body without end too", async ({ api }) => {
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

  test("leads to the page of thanks", async ({ api, database }) => {
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

  test("comes back with what is wrong and what was typed, which stays text", async ({ api }) => {
    const body = form({ nom: '"><script>alert(1)</script>', email: "x", message: "</textarea>" });
    const answer = await api.post("/api/contact", { headers, body });
    expect(answer.status).toBe(422);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.text).toContain("Veuillez saisir une adresse e-mail valide.");
    expect(answer.text).toContain("&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;");
    expect(answer.text).not.toContain("<script");
    expect(answer.text.match(/<\/textarea>/g)).toHaveLength(1);
  });

  test("is not taken from another site", async ({ api }) => {
    const body = form({ nom: "Eve", email: newSender(), message: "Bonjour" });
    const crossSite = { ...headers, "Sec-Fetch-Site": "cross-site" };
    expect((await api.post("/api/contact", { headers: crossSite, body })).status).toBe(403);
  });
});

test("the sixth message within ten minutes waits, mistakes do not count", async ({ shopWith }) => {
  const { api } = await shopWith({ env: { RATE_LIMIT_SCALE: "1" } });
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
  expect(form.headers["retry-after"]).toBe(refused.headers["retry-after"]);
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

  test("the mail goes out after the answer", async ({ shopWith, resend }) => {
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

  test("the provider being down fails no request and loses no mail", async ({
    shopWith,
    resend,
  }) => {
    const { api, database, env } = await shopWith(shopOf(resend));
    const down = Array.from({ length: 50 }, () => ({ kind: "refuse", status: 500 }) as const);
    resend.mishaps.push(...down);
    for (const message of ["Un", "Deux", "Trois"]) {
      const json = { nom: "Camille", email: "camille@exemple.fr", message };
      expect((await api.post("/api/contact", { json })).status).toBe(201);
    }
    await expect.poll(() => resend.keys.length).toBeGreaterThan(0);
    expect(resend.mails).toEqual([]);
    const statuses = async () =>
      (await database.select().from(mailOutbox)).map(({ status }) => status);
    expect(await statuses()).toEqual(["pending", "pending", "pending"]);

    // The provider is back, and the time of the next attempt has come.
    resend.mishaps.length = 0;
    await database.update(mailOutbox).set({ nextAttemptAt: new Date(0) });
    expect((await api.post("/api/cron/outbox", { token: env.CRON_SECRET })).status).toBe(200);
    await expect.poll(() => resend.mails.length).toBe(3);
    const texts = resend.mails.map(({ text }) => /^(Un|Deux|Trois)$/m.exec(text)?.[0]);
    expect(texts.sort()).toEqual(["Deux", "Trois", "Un"]);
    await expect.poll(statuses).toEqual(["sent", "sent", "sent"]);
  });

  test("a provider that never answers keeps no visitor waiting", async ({ shopWith, resend }) => {
    const { api } = await shopWith(shopOf(resend));
    resend.mishaps.push({ kind: "silence" });
    const json = { nom: "Camille", email: "camille@exemple.fr", message: "Bonjour" };
    expect((await api.post("/api/contact", { json })).status).toBe(201);
    // The answer came while the provider was still being asked.
    await expect.poll(() => resend.keys.length).toBe(1);
    expect((await api.get("/api/categories")).status).toBe(200);
  });
});
