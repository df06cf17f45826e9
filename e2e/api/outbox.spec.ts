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

test("only the scheduler's secret opens it", async ({ api, shopEnv }) => {
  for (const method of ["GET", "POST"]) {
    expect((await api.request(method, "/api/cron/outbox")).status).toBe(401);
    const wrong = await api.request(method, "/api/cron/outbox", { token: "a-wrong-secret-0123" });
    expect(wrong.status).toBe(401);
    const right = await api.request(method, "/api/cron/outbox", { token: shopEnv.CRON_SECRET });
    expect(right.status).toBe(200);
  }
});

test("without a secret it opens to nobody", async ({ shopWith }) => {
  const { api } = await shopWith({ env: { CRON_SECRET: "" }, database: "shared" });
  for (const token of [undefined, "", "undefined", "null"])
    expect((await api.post("/api/cron/outbox", { token })).status).toBe(401);
});

test("it delivers what is due, and takes up again what was given up when asked to", async ({
  shopWith,
}) => {
  const { api, database, mailbox, env } = await shopWith();
  const token = env.CRON_SECRET;
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
  await expect.poll(() => mailbox.list().length).toBe(1);
  expect((await api.get("/api/cron/outbox?failed=maybe", { token })).status).toBe(400);
});
