import { sql } from "drizzle-orm";
import { createCheckout } from "@/db/factories/orders";
import { checkouts } from "@/db/schema/checkout";
import { mailOutbox } from "@/db/schema/mail";
import { expect, test } from "../fixtures";

const READY = {
  status: "ready",
  database: "reachable",
  pendingMigrations: 0,
  overdue: { mailSeconds: 0, checkoutSeconds: 0, refundSeconds: 0 },
};

test("without a database it is alive but not ready", async ({ shopWith }) => {
  const { api, log } = await shopWith({
    // Nothing listens on the port "discard".
    env: { DATABASE_URL: "postgresql://shop:a-password-to-hide@127.0.0.1:9/shop" },
  });
  expect((await api.get("/api/health")).status).toBe(200);
  const { status, json } = await api.get("/api/ready", { mayFail: true });
  expect([status, json]).toEqual([
    503,
    { status: "unavailable", database: "unreachable", pendingMigrations: null, overdue: null },
  ]);
  await expect.poll(log).toContain("the database cannot be reached");
  expect(log()).not.toContain("a-password-to-hide");
});

test("pending migrations and delayed work are reported", async ({ shopWith }) => {
  const { api, database } = await shopWith();
  const readiness = async () => {
    const { status, json } = await api.get("/api/ready", { mayFail: true });
    const state = json as typeof READY;
    return { code: status, ...state, isMailLate: (state.overdue?.mailSeconds ?? 0) >= 3600 };
  };
  await database.insert(mailOutbox).values({
    template: "contact",
    data: {},
    recipient: "contact@mini-ecommerce.test",
    nextAttemptAt: new Date(Date.now() + 86_400_000),
  });
  expect(await readiness()).toMatchObject({ code: 200, isMailLate: false });
  await expect
    .poll(async () => {
      // Set in each poll, because a worker of the shop may take the mail in between.
      await database.execute(sql`
        update mail_outbox set created_at = now() - interval '1 hour', next_attempt_at = now()`);
      return readiness();
    })
    // Late mails are no reason to turn visitors away.
    .toMatchObject({ code: 200, status: "ready", isMailLate: true });
  // Each failed attempt postpones the next one, but the mail is still as late.
  await database.execute(sql`
    update mail_outbox set status = 'pending', attempts = 3, next_attempt_at = now() + interval '1 day'`);
  await expect.poll(readiness).toMatchObject({ isMailLate: true });

  // The shop closes a checkout a day after its last change, unless closing it fails again and again.
  const lateness = async () => (await readiness()).overdue?.checkoutSeconds ?? 0;
  for (const [hours, from, to] of [
    [23, 0, 1],
    [26, 3_600, 3_700],
  ] as const) {
    await database.delete(checkouts);
    await createCheckout({
      db: database,
      updatedAt: new Date(Date.now() - hours * 3_600_000),
      nextCheckAt: new Date(Date.now() + 600_000),
    });
    await expect.poll(lateness).toBeGreaterThanOrEqual(from);
    expect(await lateness()).toBeLessThan(to);
  }

  await database.execute(sql`
    delete from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`);
  await expect.poll(readiness).toMatchObject({
    code: 503,
    status: "unavailable",
    database: "reachable",
    pendingMigrations: 1,
  });
});

test("concurrent probes of a ready shop make one database query", async ({ shopWith }) => {
  const { api, database } = await shopWith();
  const health = await api.get("/api/health");
  expect(health).toMatchObject({ status: 200, json: { status: "ok" } });
  const first = await api.get("/api/ready");
  expect([first.status, first.json]).toEqual([200, READY]);
  for (const { headers } of [health, first]) expect(headers["cache-control"]).toBe("no-store");
  const ready = async () => (await api.get("/api/ready", { mayFail: true })).status;
  const asked = async () => {
    const rows = await database.execute(sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'mini-ecommerce-probe'
        and wait_event_type = 'Lock'`);
    return rows.length;
  };
  const answers = await database.transaction(async (tx) => {
    await tx.execute(sql`lock table drizzle.__drizzle_migrations in access exclusive mode`);
    // The previous answer stays cached for a moment.
    await expect
      .poll(async () => {
        void ready();
        return asked();
      })
      .toBe(1);
    let isAnswered = false;
    const waiting = Promise.all(Array.from({ length: 50 }, ready)).finally(() => {
      isAnswered = true;
    });
    const counts = [];
    while (!isAnswered) counts.push(await asked());
    expect(Math.max(...counts)).toBe(1);
    return waiting;
  });
  expect(new Set(answers)).toEqual(new Set([503]));
  await expect.poll(ready).toBe(200);
});
