import { mailOutbox } from "@/db/schema/mail";
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

test("deletes mails that were sent a month ago, and no unsent ones", async ({ shopWith }) => {
  const { api, database, env } = await shopWith();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const sent = { ...row, data: {}, status: "sent" as const };
  await database.insert(mailOutbox).values([
    { ...sent, recipient: "old@exemple.fr", createdAt: daysAgo(31), sentAt: daysAgo(31) },
    { ...sent, recipient: "late@exemple.fr", createdAt: daysAgo(32), sentAt: daysAgo(29) },
    { ...row, recipient: "failed@exemple.fr", status: "failed" as const, createdAt: daysAgo(60) },
    // Failed mails to deleted accounts are not kept for another try for ever.
    ...[29, 31].map((days) => ({
      ...row,
      template: "payment-refunded",
      data: {},
      recipient: `erased-${days}@exemple.fr`,
      status: "failed" as const,
      createdAt: daysAgo(days),
    })),
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
    "erased-29@exemple.fr",
    "failed@exemple.fr",
    "late@exemple.fr",
    "waiting@exemple.fr",
  ]);
});
