import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "@/db";
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
      AUTH_SECRET: "s".repeat(40),
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

/** Sends what is due, and expects this outcome. */
async function deliver(outcome: { sent?: number; retried?: number; failed?: number }, limit = 10) {
  const report = { sent: 0, retried: 0, failed: 0, ...outcome };
  expect(await deliverDueMails({ limit })).toEqual(report);
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

test("a mail is sent once, unless its transaction fails", async ({ resend }) => {
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
  await deliver({ sent: 1 });
  expect(resend.mails).toMatchObject([
    {
      from: "Mini Ecommerce <contact@mini-ecommerce.test>",
      to: "contact@mini-ecommerce.test",
      reply_to: "camille@exemple.fr",
      subject: "Nouveau message de Camille",
    },
  ]);

  await pass(3600);
  await deliver({});
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

  test("is stored without an address", async ({ resend }) => {
    await enqueueFarewell();
    expect(JSON.stringify(await onlyRow())).not.toContain(address);
    resend.faults.push({ kind: "refuse", status: 500, message: `No room for ${address}.` });
    await deliverDueMails({ limit: 10 });
    const waiting = await onlyRow();
    expect(waiting.lastError).toContain("No room for …");
    expect(JSON.stringify(waiting)).not.toContain(address);
    await pass(75);
    await deliver({ sent: 1 });
    expect(resend.mails).toMatchObject([{ to: address }]);
    expect(new Set(resend.keys).size).toBe(1);
    expect(await rows()).toEqual([]);
  });

  test("is deleted when it is given up", async ({ resend }) => {
    await enqueueFarewell();
    resend.faults.push({ kind: "refuse", status: 422, name: "validation_error" });
    await deliver({ failed: 1 });
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
  for (let i = 0; i < 24; i++) await enqueue(`Visiteur ${i}`);
  const reports = await Promise.all([1, 2, 3, 4].map(() => deliverDueMails({ limit: 100 })));
  expect(reports.reduce((sum, { sent }) => sum + sent, 0)).toBe(24);
  expect(resend.keys).toHaveLength(24);
  expect(new Set(resend.mails.map(({ subject }) => subject)).size).toBe(24);
});

test("an outage costs one attempt of one mail", async ({ resend }) => {
  for (const name of ["A", "B", "C"]) await enqueue(name);
  resend.faults.push({ kind: "refuse", status: 500 });
  await deliver({ retried: 1 });
  const [first, ...others] = await rows();
  expect(first).toMatchObject({ status: "pending", attempts: 1 });
  expect(first?.lastError).toContain("500");
  const wait = secondsUntil(first?.nextAttemptAt as Date);
  expect(wait).toBeGreaterThan(50);
  expect(wait).toBeLessThan(75);
  expect(others.map(({ attempts }) => attempts)).toEqual([0, 0]);
  expect(await countUnsentMails()).toEqual({ pending: 3, failed: 0 });

  await deliver({ sent: 2 });
  await pass(75);
  await deliver({ sent: 1 });
  expect(resend.mails).toHaveLength(3);
});

test("a retry waits as long as the provider's Retry-After says", async ({ resend }) => {
  await enqueue("Camille");
  const headers = { "retry-after": "600" };
  resend.faults.push({ kind: "refuse", status: 429, name: "rate_limit_exceeded", headers });
  await deliver({ retried: 1 });
  expect(secondsUntil((await onlyRow()).nextAttemptAt)).toBeGreaterThan(595);
});

test("a process killed while sending sends once", async ({ resend }) => {
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
  await deliver({});
  await pass(121);
  await deliver({ sent: 1 });
  expect(resend.mails).toHaveLength(1);
  expect((await onlyRow()).status).toBe("sent");
});

test("a mail refused for good delays no others", async ({ resend }) => {
  await enqueue("A");
  await enqueue("B");
  resend.faults.push({ kind: "refuse", status: 422, name: "validation_error" });
  await deliver({ sent: 1, failed: 1 });
  const [refused] = await rows();
  expect(refused).toMatchObject({ status: "failed", attempts: 1, data: { name: "A" } });
  expect(refused?.lastError).toContain("validation_error");
  expect(await countUnsentMails()).toEqual({ pending: 0, failed: 1 });

  await pass(24 * 3600);
  await deliver({});
  expect(await retryFailedMails()).toBe(1);
  await deliver({ sent: 1 });
  expect(resend.mails.map(({ subject }) => subject.at(-1))).toEqual(["B", "A"]);
});

test("another sender gets a refused mail through", async ({ resend }) => {
  await enqueue("Camille");
  const name = "invalid_from_address";
  resend.faults.push({ kind: "refuse", status: 422, name, isKeyUsed: true });
  await deliver({ retried: 1 });
  const restore = useEnvironment({ MAIL_FROM: "Mini Ecommerce <boutique@mini-ecommerce.test>" });
  await pass(3600);
  await deliver({ sent: 1 });
  restore();
  expect(resend.mails.map(({ from }) => from)).toEqual([
    "Mini Ecommerce <boutique@mini-ecommerce.test>",
  ]);
});

test("after its last attempt a mail is given up, with its data kept", async ({ resend }) => {
  await enqueue("Camille");
  await db.update(mailOutbox).set({ attempts: MAX_ATTEMPTS - 1 });
  resend.faults.push({ kind: "refuse", status: 503 });
  await deliver({ failed: 1 });
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
  await deliver({ sent: 1, retried: 1 });
  expect(resend.mails.map(({ subject }) => subject.at(-1))).toEqual(["B"]);
  expect((await rows())[0]).toMatchObject({ status: "pending", attempts: 1 });
});

test("a mail whose link has become invalid while it waited is not sent", async ({ resend }) => {
  const data = { token: "t".repeat(43) };
  for (const template of ["password-reset", "verification"] as const)
    await enqueueMail(db, { template, data, to: `${template}@exemple.fr` });
  await enqueue("Camille");
  const after = (seconds: number) =>
    db
      .update(mailOutbox)
      .set({ createdAt: sql`${mailOutbox.createdAt} - make_interval(secs => ${seconds})` });
  await after(3_700);
  await deliver({ sent: 2, failed: 1 });
  expect(resend.mails.map(({ to }) => to).sort()).toEqual([
    "contact@mini-ecommerce.test",
    "verification@exemple.fr",
  ]);
  expect((await rows()).map(({ template }) => template)).toEqual(["verification", "contact"]);
});

test("a mail that a user waits for is sent first", async ({ resend }) => {
  for (const name of ["A", "B"]) await enqueue(name);
  const data = { token: "t".repeat(43) };
  await enqueueMail(db, { template: "verification", data, to: "camille@exemple.fr" });
  resend.faults.push({ kind: "refuse", status: 503 });
  await deliver({ retried: 1 }, 1);
  await enqueue("C");
  await pass(3_600);
  await deliver({ sent: 2 }, 2);
  expect(resend.mails.map(({ to }) => to)).toEqual([
    "camille@exemple.fr",
    "contact@mini-ecommerce.test",
  ]);
  expect(resend.mails[1]?.subject).toBe("Nouveau message de A");
});

test("a confidential mail is encrypted while it waits", async ({ resend }) => {
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
  }
});

test("mails stay queued while their folder cannot be written", async ({ mailDir }) => {
  const restore = useEnvironment({ MAIL_DIR: path.join("/dev/null", path.basename(mailDir)) });
  await enqueue("A");
  await deliver({ retried: 1 });
  restore();
  await pass(75);
  await deliver({ sent: 1 });
});

test("a trigger during a round sends what came since", async ({ resend }) => {
  await enqueue("A");
  const first = mailWorker.trigger();
  const later = enqueue("B").then(() => mailWorker.trigger());
  await Promise.all([first, later, mailWorker.trigger()]);
  expect(resend.mails.map(({ subject }) => subject.at(-1)).sort()).toEqual(["A", "B"]);
});

test("a round waits for other work, to its end", async ({ mailDir }) => {
  for (let i = 0; i < 30; i++) await enqueue(`Camille ${i}`);
  const round = mailWorker.trigger();
  const end = performance.now() + 600;
  while (performance.now() < end) await setImmediate();
  const isSent = eq(mailOutbox.status, "sent");
  expect(await db.$count(mailOutbox, isSent), "two, and one that had begun").toBeLessThan(4);
  await round;
  expect(await readdir(mailDir)).toHaveLength(30);
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
