import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { closeDatabase, db } from "@/db";
import { mailOutbox } from "@/db/schema/mail";
import { test as base, expect } from "@/e2e/database-fixtures";
import { ResendServer } from "@/e2e/services/resend";
import { forgetEnv } from "@/lib/env";
import { countUnsentMails, deliverDueMails } from "@/lib/mail/delivery";
import { retryFailedMails } from "@/lib/mail/failed";
import { enqueueMail } from "@/lib/mail/outbox";
import { Paragraph } from "@/lib/mail/parts";
import { MAX_ATTEMPTS } from "@/lib/mail/rules";
import { defineTemplate, type MailTemplate } from "@/lib/mail/template";
import { templates } from "@/lib/mail/templates";
import { mailWorker } from "@/lib/mail/worker";

const API_KEY = "re_test";

/** Sets environment variables; the returned function restores the old ones. */
function useEnvironment(variables: Record<string, string>): () => void {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  forgetEnv();
  return () => {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    forgetEnv();
  };
}

const test = base.extend<{ outbox: undefined; resend: ResendServer; mailDir: string }>({
  outbox: [
    // `shopEnv` makes `db` use the test worker's database.
    async ({ shopEnv: _ }, use) => {
      await db.delete(mailOutbox);
      await use(undefined);
    },
    { auto: true },
  ],
  resend: async ({ shopEnv: _ }, use) => {
    const server = await ResendServer.start({ apiKey: API_KEY });
    const restore = useEnvironment({
      RESEND_API_KEY: API_KEY,
      RESEND_BASE_URL: server.url,
      MAIL_FROM: "Mini Ecommerce <contact@mini-ecommerce.test>",
      CONTACT_MAIL: "contact@mini-ecommerce.test",
    });
    await use(server);
    restore();
    await server.stop();
  },
  mailDir: async ({ shopEnv: _ }, use, { outputDir }) => {
    const folder = path.join(outputDir, "mails");
    const restore = useEnvironment({ MAIL_DIR: folder });
    await use(folder);
    restore();
  },
});

function enqueue(name: string, more: { dedupeKey?: string } = {}) {
  return enqueueMail(db, {
    template: "contact",
    data: { name, email: "camille@exemple.fr", message: "Bonjour" },
    to: "contact@mini-ecommerce.test",
    replyTo: "camille@exemple.fr",
    ...more,
  });
}

const rows = () => db.select().from(mailOutbox).orderBy(asc(mailOutbox.id));

async function onlyRow() {
  const all = await rows();
  expect(all).toHaveLength(1);
  return all[0] as (typeof all)[number];
}

/** Simulates that time has passed. */
const pass = (seconds: number) =>
  db
    .update(mailOutbox)
    .set({ nextAttemptAt: sql`${mailOutbox.nextAttemptAt} - make_interval(secs => ${seconds})` });

const secondsUntil = (date: Date) => (date.getTime() - Date.now()) / 1000;

test("a mail is sent once and its data deleted; one of a transaction that is rolled back is not sent", async ({
  resend,
}) => {
  await expect(
    db.transaction(async (tx) => {
      await enqueueMail(tx, {
        template: "contact",
        data: { name: "Eve", email: "eve@exemple.fr", message: "Jamais" },
        to: "contact@mini-ecommerce.test",
      });
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  await enqueue("Camille");
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
  expect(resend.mails).toHaveLength(1);
  expect(resend.mails[0]).toMatchObject({
    from: "Mini Ecommerce <contact@mini-ecommerce.test>",
    to: "contact@mini-ecommerce.test",
    reply_to: "camille@exemple.fr",
    subject: "Nouveau message de Camille",
  });

  await pass(3600);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 0, failed: 0 });
  expect(resend.keys).toHaveLength(1);
  const row = await onlyRow();
  expect(row).toMatchObject({ status: "sent", attempts: 1, data: {}, lastError: null });
  expect(row.sentAt).not.toBeNull();
});

test.describe("a mail to somebody whose account is erased", () => {
  const address = "partie@exemple.fr";
  const enqueueFarewell = () =>
    enqueueMail(db, {
      template: "account-erased",
      data: { at: "2026-11-20T23:30:00Z", isByShop: false },
      to: address,
    });

  test("is stored without an address: while it waits, in its error and once it is sent", async ({
    resend,
  }) => {
    await enqueueFarewell();
    expect(JSON.stringify(await onlyRow())).not.toContain(address);
    resend.faults.push({ kind: "refuse", status: 500, message: `No room for ${address}.` });
    await deliverDueMails({ limit: 10 });
    const waiting = await onlyRow();
    expect(waiting.lastError).toContain("No room for …");
    expect(JSON.stringify(waiting)).not.toContain(address);
    await pass(75);
    expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
    expect(resend.mails).toMatchObject([{ to: address }]);
    expect(new Set(resend.keys).size).toBe(1);
    expect(await rows()).toEqual([]);
  });

  test("is deleted when it is given up", async ({ resend }) => {
    await enqueueFarewell();
    resend.faults.push({ kind: "refuse", status: 422, name: "validation_error" });
    expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 0, failed: 1 });
    expect(await rows()).toEqual([]);
  });
});

test("data that does not match the template is refused when the mail is queued", async () => {
  const data = { name: "Camille" } as unknown as { name: string; email: string; message: string };
  await expect(
    enqueueMail(db, { template: "contact", data, to: "contact@mini-ecommerce.test" }),
  ).rejects.toThrow();
  expect(await rows()).toHaveLength(0);
});

test("one dedupe key makes one mail", async ({ resend }) => {
  await Promise.all([1, 2, 3].map(() => enqueue("Camille", { dedupeKey: "order-7" })));
  await enqueue("Dominique", { dedupeKey: "order-8" });
  await deliverDueMails({ limit: 10 });
  expect(resend.mails.map(({ subject }) => subject).sort()).toEqual([
    "Nouveau message de Camille",
    "Nouveau message de Dominique",
  ]);
});

test("several instances at once send every mail once", async ({ resend }) => {
  const names = Array.from({ length: 24 }, (_, index) => `Visiteur ${index}`);
  for (const name of names) await enqueue(name);
  const reports = await Promise.all([1, 2, 3, 4].map(() => deliverDueMails({ limit: 100 })));
  expect(reports.reduce((sum, { sent }) => sum + sent, 0)).toBe(names.length);
  expect(resend.keys).toHaveLength(names.length);
  expect(resend.mails.map(({ subject }) => subject).sort()).toEqual(
    names.map((name) => `Nouveau message de ${name}`).sort(),
  );
});

test("a provider that is down costs one attempt of one mail, and later all mails are sent", async ({
  resend,
}) => {
  for (const name of ["A", "B", "C"]) await enqueue(name);
  resend.faults.push({ kind: "refuse", status: 500 });
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 1, failed: 0 });
  const [first, ...others] = await rows();
  expect(first).toMatchObject({ status: "pending", attempts: 1 });
  expect(first?.lastError).toContain("500");
  expect(secondsUntil(first?.nextAttemptAt as Date)).toBeGreaterThan(50);
  expect(secondsUntil(first?.nextAttemptAt as Date)).toBeLessThan(75);
  expect(others.map(({ attempts }) => attempts)).toEqual([0, 0]);
  expect(await countUnsentMails()).toEqual({ pending: 3, failed: 0 });

  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 2, retried: 0, failed: 0 });
  await pass(75);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
  expect(resend.mails).toHaveLength(3);
});

test("a retry waits as long as the provider's Retry-After says", async ({ resend }) => {
  await enqueue("Camille");
  resend.faults.push({
    kind: "refuse",
    status: 429,
    name: "rate_limit_exceeded",
    headers: { "retry-after": "600" },
  });
  await deliverDueMails({ limit: 10 });
  expect(secondsUntil((await onlyRow()).nextAttemptAt)).toBeGreaterThan(595);
  await pass(590);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 0, failed: 0 });
  await pass(150);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
});

test("a mail whose response was lost is retried, and delivered once", async ({ resend }) => {
  await enqueue("Camille");
  resend.faults.push({ kind: "hang-up", isAccepted: true });
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 1, failed: 0 });
  await pass(120);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
  expect(new Set(resend.keys).size).toBe(1);
  expect(resend.keys).toHaveLength(2);
  expect(resend.mails).toHaveLength(1);
});

test("a process that is killed while sending loses no mail and sends none twice", async ({
  resend,
}) => {
  await enqueue("Camille");
  resend.faults.push({ kind: "silence" });
  const script = `import { deliverDueMails } from "@/lib/mail/delivery"; deliverDueMails({ limit: 1 });`;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script],
    { stdio: "ignore", env: { ...process.env, NODE_OPTIONS: "" } },
  );
  await expect.poll(() => resend.mails.length, { timeout: 20_000 }).toBe(1);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;

  // The killed process's claim still keeps other processes from taking the mail.
  expect(await onlyRow()).toMatchObject({ status: "pending", attempts: 1 });
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 0, failed: 0 });
  await pass(121);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
  expect(resend.mails).toHaveLength(1);
  expect((await onlyRow()).status).toBe("sent");
});

test("a mail that the provider refuses for good fails at once, without delaying others", async ({
  resend,
}) => {
  await enqueue("A");
  await enqueue("B");
  resend.faults.push({ kind: "refuse", status: 422, name: "validation_error" });
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 1 });
  const [refused] = await rows();
  expect(refused).toMatchObject({ status: "failed", attempts: 1, data: { name: "A" } });
  expect(refused?.lastError).toContain("validation_error");
  expect(await countUnsentMails()).toEqual({ pending: 0, failed: 1 });

  await pass(24 * 3600);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 0, failed: 0 });
  expect(await retryFailedMails()).toBe(1);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
  expect(resend.mails.map(({ subject }) => subject.at(-1))).toEqual(["B", "A"]);
});

test("a mail refused because of its sender is sent once the sender is changed", async ({
  resend,
}) => {
  await enqueue("Camille");
  resend.faults.push({
    kind: "refuse",
    status: 422,
    name: "invalid_from_address",
    isKeyUsed: true,
  });
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 1, failed: 0 });
  const restore = useEnvironment({ MAIL_FROM: "Mini Ecommerce <boutique@mini-ecommerce.test>" });
  await pass(3600);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
  restore();
  expect(resend.mails.map(({ from }) => from)).toEqual([
    "Mini Ecommerce <boutique@mini-ecommerce.test>",
  ]);
});

test("after its last attempt a mail is given up, with its data kept", async ({ resend }) => {
  await enqueue("Camille");
  await db.update(mailOutbox).set({ attempts: MAX_ATTEMPTS - 1 });
  resend.faults.push({ kind: "refuse", status: 503 });
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 0, failed: 1 });
  expect(await onlyRow()).toMatchObject({ status: "failed", data: { name: "Camille" } });
});

test("a mail with an unknown template waits for the version that knows it", async ({ resend }) => {
  await enqueue("A");
  await enqueue("B");
  const [first] = await rows();
  await db
    .update(mailOutbox)
    .set({ template: "of-tomorrow" })
    .where(eq(mailOutbox.id, Number(first?.id)));
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 1, failed: 0 });
  expect(resend.mails.map(({ subject }) => subject.at(-1))).toEqual(["B"]);
  expect((await rows())[0]).toMatchObject({ status: "pending", attempts: 1 });
});

test("a mail whose link has become invalid while it waited is not sent", async ({ resend }) => {
  const restore = useEnvironment({ AUTH_SECRET: "s".repeat(40) });
  try {
    const data = { token: "t".repeat(43) };
    for (const template of ["password-reset", "verification"] as const)
      await enqueueMail(db, { template, data, to: `${template}@exemple.fr` });
    await enqueue("Camille");
    const after = (seconds: number) =>
      db
        .update(mailOutbox)
        .set({ createdAt: sql`${mailOutbox.createdAt} - make_interval(secs => ${seconds})` });
    await after(3_700);
    expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 2, retried: 0, failed: 1 });
    expect(resend.mails.map(({ to }) => to).sort()).toEqual([
      "contact@mini-ecommerce.test",
      "verification@exemple.fr",
    ]);
    expect((await rows()).map(({ template }) => template)).toEqual(["verification", "contact"]);
  } finally {
    restore();
  }
});

test("a mail that a user waits for is sent before all others, also at its second attempt", async ({
  resend,
}) => {
  const restore = useEnvironment({ AUTH_SECRET: "s".repeat(40) });
  try {
    for (const name of ["A", "B"]) await enqueue(name);
    const data = { token: "t".repeat(43) };
    await enqueueMail(db, { template: "verification", data, to: "camille@exemple.fr" });
    resend.faults.push({ kind: "refuse", status: 503 });
    expect(await deliverDueMails({ limit: 1 })).toEqual({ sent: 0, retried: 1, failed: 0 });
    await enqueue("C");
    await pass(3_600);
    expect(await deliverDueMails({ limit: 2 })).toEqual({ sent: 2, retried: 0, failed: 0 });
    expect(resend.mails.map(({ to }) => to)).toEqual([
      "camille@exemple.fr",
      "contact@mini-ecommerce.test",
    ]);
    expect(resend.mails[1]?.subject).toBe("Nouveau message de A");
  } finally {
    restore();
  }
});

test("the data of a confidential mail is encrypted while it waits; its attachment is sent", async ({
  resend,
}) => {
  const restore = useEnvironment({ AUTH_SECRET: "s".repeat(40) });
  const registry = templates as unknown as Record<string, MailTemplate<z.ZodType>>;
  registry.secret = defineTemplate({
    data: z.object({ link: z.string() }),
    isConfidential: true,
    subject: () => "Votre lien",
    preheader: () => "Votre lien",
    body: ({ link }) => Paragraph({ children: link }),
    attachments: async ({ link }) => [
      { filename: "lien.txt", contentType: "text/plain", content: Buffer.from(link) },
    ],
  }) as unknown as MailTemplate<z.ZodType>;
  try {
    const link = "https://boutique.example/reset-password/5ecret";
    await enqueueMail(db, {
      template: "secret" as "contact",
      data: { link } as never,
      to: "camille@exemple.fr",
    });
    expect(JSON.stringify(await onlyRow())).not.toContain("5ecret");
    await deliverDueMails({ limit: 10 });
    expect(resend.mails[0]?.text).toContain(link);
    expect(resend.mails[0]?.attachments).toEqual([
      {
        filename: "lien.txt",
        content: Buffer.from(link).toString("base64"),
        content_type: "text/plain",
      },
    ]);
    expect((await onlyRow()).data).toEqual({});
  } finally {
    delete registry.secret;
    restore();
  }
});

test("mails stay queued while their folder cannot be written", async ({ mailDir }) => {
  const restore = useEnvironment({ MAIL_DIR: path.join("/dev/null", path.basename(mailDir)) });
  await enqueue("A");
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 0, retried: 1, failed: 0 });
  restore();
  await pass(75);
  expect(await deliverDueMails({ limit: 10 })).toEqual({ sent: 1, retried: 0, failed: 0 });
});

test("triggering during a round also sends a mail that was queued too late for the round", async ({
  resend,
}) => {
  await enqueue("A");
  const first = mailWorker.trigger();
  const later = enqueue("B").then(() => mailWorker.trigger());
  await Promise.all([first, later, mailWorker.trigger()]);
  expect(resend.mails.map(({ subject }) => subject.at(-1)).sort()).toEqual(["A", "B"]);
});

test("a round ends when nothing is due, however much there was", async ({ mailDir }) => {
  for (let i = 0; i < 120; i++) await enqueue(`Camille ${i}`);
  await mailWorker.trigger();
  expect(await readdir(mailDir)).toHaveLength(120);
});

test("mails wait while the process is busy with other work", async ({ mailDir: _ }) => {
  for (let i = 0; i < 10; i++) await enqueue(`Camille ${i}`);
  const round = mailWorker.trigger();
  const end = performance.now() + 600;
  while (performance.now() < end) await setImmediate();
  const isSent = eq(mailOutbox.status, "sent");
  expect(await db.$count(mailOutbox, isSent), "two, and one that had begun").toBeLessThan(4);
  await round;
  expect(await db.$count(mailOutbox, isSent)).toBe(10);
});

test("the worker finds mails by itself until it is stopped", async ({ resend }) => {
  mailWorker.start({ interval: 20 });
  mailWorker.start({ interval: 20 });
  await enqueue("A");
  await expect.poll(() => resend.mails.length).toBe(1);
  await mailWorker.stop();
  await enqueue("B");
  expect((await rows()).map(({ status }) => status)).toEqual(["sent", "pending"]);
});

test("a database outage does not end the worker", async () => {
  await closeDatabase();
  const restore = useEnvironment({ DATABASE_URL: "postgresql://nobody@127.0.0.1:9/none" });
  await mailWorker.trigger();
  await closeDatabase();
  restore();
  await enqueue("A");
  expect((await onlyRow()).status).toBe("pending");
});
