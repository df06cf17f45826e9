import { eq } from "drizzle-orm";
import { createAdmin, createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { mailOutbox } from "@/db/schema/mail";
import { sessionCookieOf } from "../browser-session";
import { expect, test } from "../fixtures";

const contact = { name: "Camille", email: "camille@exemple.fr", message: "Bonjour" };
const row = {
  template: "contact",
  data: contact,
  recipient: "contact@mini-ecommerce.test",
  replyTo: "camille@exemple.fr",
};

interface Report {
  sent: number;
  retried: number;
  failed: number;
  unsent: { pending: number; failed: number };
}

test("delivers due mails, and retries failed ones on request", async ({ shopWith }) => {
  const { api, database, mailbox, env } = await shopWith();
  const token = env.CRON_SECRET;
  // The earlier version's row holds all that the mail says. The current version reads the invoice when it
  // makes the mail.
  const place = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };
  const snapshot = {
    seller: { name: "Mini", address: [], siren: "", vatNumber: "", email: "mini@exemple.test" },
    buyer: { firstName: "Zoë", lastName: "Martin", email: "zoe@exemple.test" },
    shippingAddress: place,
    billingAddress: place,
    orderNumber: "CMD-2025-000009",
    lines: [{ name: "Lampe", quantity: 1, unitPriceCents: 1990, vatRateBp: 2000 }],
  };
  const invoice = {
    id: 7,
    number: "FA-2025-000007",
    issuedAt: "2025-12-31T22:00:00.000Z",
    totalCents: 1990,
    paymentId: "pi_of_an_earlier_version",
    snapshot,
  };
  await database.insert(mailOutbox).values({
    template: "order-confirmation",
    data: { invoice, hasDownloads: false, terms: "" },
    recipient: "zoe@exemple.test",
  });
  const due = await api.post<Report>("/api/cron/outbox", { token });
  expect(due.json).toMatchObject({ sent: 1, unsent: { pending: 0, failed: 0 } });
  expect(mailbox.list().map(({ subject }) => subject)).toEqual([
    "Confirmation de votre commande CMD-2025-000009",
  ]);

  await database.insert(mailOutbox).values([
    { ...row, status: "failed" as const, attempts: 20 },
    { ...row, nextAttemptAt: new Date(Date.now() + 3_600_000) },
  ]);
  const first = await api.post<Report>("/api/cron/outbox", { token });
  expect(first.json).toEqual({
    sent: 0,
    retried: 0,
    failed: 0,
    unsent: { pending: 1, failed: 1 },
  });
  const retried = await api.post<Report>("/api/cron/outbox?failed=retry", { token });
  expect(retried.json.unsent).toEqual({ pending: 1, failed: 0 });
  await expect.poll(() => mailbox.list().length).toBe(2);
  expect((await api.get("/api/cron/outbox?failed=maybe", { token })).status).toBe(400);
});

test("deletes old mails, but no waiting ones, nor failed ones of an account", async ({
  shopWith,
}) => {
  const { api, database, env } = await shopWith();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const { id: userId } = await createUser({ db: database });
  const sent = { ...row, data: {}, status: "sent" as const };
  const failed = { ...row, status: "failed" as const };
  // More than one statement deletes at once.
  const old = { ...sent, recipient: "old@exemple.fr", createdAt: daysAgo(31), sentAt: daysAgo(31) };
  await database.insert(mailOutbox).values(Array.from({ length: 1_001 }, () => old));
  await database.insert(mailOutbox).values([
    { ...sent, recipient: "late@exemple.fr", createdAt: daysAgo(32), sentAt: daysAgo(29) },
    { ...failed, recipient: "failed@exemple.fr", userId, createdAt: daysAgo(60) },
    // Of people without an account, failed mails are not kept for another try for ever.
    ...[29, 31].map((days) => ({
      ...failed,
      recipient: `visitor-${days}@exemple.fr`,
      createdAt: daysAgo(days),
    })),
    { ...sent, template: "stock-alert", recipient: "alert@exemple.fr", sentAt: daysAgo(0) },
    {
      ...row,
      recipient: "waiting@exemple.fr",
      createdAt: daysAgo(60),
      nextAttemptAt: daysAgo(-1),
    },
  ]);
  const looked = await api.post("/api/cron/checkouts?due=all", { token: env.CRON_SECRET });
  expect(looked.status).toBe(200);
  const kept = await database.select({ to: mailOutbox.recipient }).from(mailOutbox);
  expect(kept.map(({ to }) => to).sort()).toEqual([
    "failed@exemple.fr",
    "late@exemple.fr",
    "visitor-29@exemple.fr",
    "waiting@exemple.fr",
  ]);
});

const REMOTE = { "X-Forwarded-For": "203.0.113.9" };

test("only this machine and staff see the mailbox", async ({ api, database: db, mailbox }) => {
  const nom = `Camille ${process.pid}-${Date.now()}`;
  const json = { nom, email: "camille@exemple.fr", message: "Bonjour" };
  expect((await api.post("/api/contact", { json })).status).toBe(201);
  await mailbox.waitForMail({ subject: `Nouveau message de ${nom}` });
  const [, name] = /href="\/mailbox\/([\w-]+)"/.exec((await api.get("/mailbox")).text) ?? [];
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
  const admin = await createAdmin({ db });
  const statusFor = async (user: typeof admin) => {
    const headers = { ...REMOTE, Cookie: await sessionCookieOf(user) };
    return (await api.get("/mailbox", { headers })).status;
  };
  expect(await statusFor(admin)).toBe(200);
  expect(await statusFor(await createUser({ db }))).toBe(404);
  await db.update(users).set({ sessionVersion: 99 }).where(eq(users.id, admin.id));
  expect(await statusFor(admin)).toBe(404);
});

test("the mailbox is refused under another host", async ({ shopWith }) => {
  const { api } = await shopWith({
    env: { SITE_URL: "http://boutique.exemple.test", TRUST_PROXY: "1" },
    database: "shared",
  });
  for (const method of ["GET", "HEAD", "POST"])
    for (const path of ["/mailbox", "/mailbox/unknown", "/mailbox?x"])
      for (const host of ["evil.example:3000", "boutique.exemple.test.evil.example"]) {
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

test("only a demonstration has a mailbox", async ({ shopWith }) => {
  const provider = {
    RESEND_API_KEY: "re_test",
    MAIL_FROM: "boutique@exemple.fr",
    CONTACT_MAIL: "equipe@exemple.fr",
  };
  for (const env of [provider, { SHOP_DEMO: "" }]) {
    const { api } = await shopWith({ env, database: "shared" });
    for (const path of ["/mailbox", "/mailbox/unknown"])
      expect((await api.get(path)).status, path).toBe(404);
    // The registration does not lead there either.
    expect((await api.get("/register")).text).toMatch(/hasMailbox\\*":false/);
  }
});
