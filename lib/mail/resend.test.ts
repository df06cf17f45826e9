import { test as base, expect } from "@playwright/test";
import { ResendServer } from "@/e2e/services/resend";
import { MailRefusal } from "@/lib/mail/refusal";
import { resendTransport } from "@/lib/mail/resend";
import type { OutgoingMail } from "@/lib/mail/transport";

const test = base.extend<{ resend: ResendServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  resend: async ({}, use) => {
    const server = await ResendServer.start({ apiKey: "re_test" });
    await use(server);
    await server.stop();
  },
});

const mail: OutgoingMail = {
  key: "mail-1-abc",
  createdAt: new Date("2026-11-20T10:00:00Z"),
  from: "Mini Ecommerce <contact@mini-ecommerce.test>",
  to: "contact@mini-ecommerce.test",
  replyTo: "camille@exemple.fr",
  subject: "Nouveau message de Camille",
  html: "<p>Bonjour</p>",
  text: "Bonjour",
  attachments: [],
};

function transport(server: ResendServer, { timeout = 5_000, apiKey = "re_test" } = {}) {
  return resendTransport({ apiKey, baseUrl: server.url, timeout });
}

async function refusalOf(sending: Promise<void>): Promise<MailRefusal> {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MailRefusal);
  return error as MailRefusal;
}

test("a mail reaches Resend whole, with its attachment", async ({ resend }) => {
  const invoice = Uint8Array.from([0x25, 0x50, 0x44, 0x46]);
  await transport(resend).send({
    ...mail,
    attachments: [{ filename: "facture-7.pdf", contentType: "application/pdf", content: invoice }],
  });
  expect(resend.mails).toEqual([
    {
      from: mail.from,
      to: mail.to,
      reply_to: mail.replyTo,
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      attachments: [
        {
          filename: "facture-7.pdf",
          content: Buffer.from(invoice).toString("base64"),
          content_type: "application/pdf",
        },
      ],
    },
  ]);
  expect(resend.keys).toEqual(["mail-1-abc"]);
});

test("a mail without Reply-To has no such field", async ({ resend }) => {
  await transport(resend).send({ ...mail, replyTo: null });
  expect(resend.mails[0]).not.toHaveProperty("reply_to");
});

test("an address with a Unicode domain is sent in punycode", async ({ resend }) => {
  await transport(resend).send({ ...mail, to: "a@société.fr", replyTo: "b@münchen.example" });
  expect(resend.mails[0]).toMatchObject({
    to: "a@xn--socit-esab.fr",
    reply_to: "b@xn--mnchen-3ya.example",
  });
});

type Fault = ResendServer["faults"][number];

const TEMPORARY: { fault: Fault; said?: string }[] = [
  ...[500, 502, 503, 404, 408].map((status) => ({
    fault: { kind: "refuse" as const, status },
    said: String(status),
  })),
  // The owner can correct a wrong sender.
  {
    fault: { kind: "refuse", status: 422, name: "invalid_from_address" },
    said: "invalid_from_address",
  },
  {
    fault: {
      kind: "refuse",
      status: 422,
      name: "validation_error",
      message: "Invalid `from` field. The email address needs to follow a format.",
    },
    said: "validation_error",
  },
  // Another process is sending the mail.
  { fault: { kind: "refuse", status: 409, name: "concurrent_idempotent_requests" } },
  // A proxy's page instead of an answer.
  { fault: { kind: "garbage", status: 502 } },
  { fault: { kind: "garbage", status: 200 } },
];

for (const { fault, said = "" } of TEMPORARY)
  test(`${JSON.stringify(fault)} is temporary`, async ({ resend }) => {
    resend.faults.push(fault);
    const refusal = await refusalOf(transport(resend).send(mail));
    expect(refusal.isPermanent).toBe(false);
    expect(refusal.message).toContain(said);
  });

test("429 is temporary and says how long to wait, in seconds or as a date", async ({ resend }) => {
  const name = "rate_limit_exceeded";
  resend.faults.push({ kind: "refuse", status: 429, name, headers: { "retry-after": "120" } });
  const inSeconds = await refusalOf(transport(resend).send(mail));
  expect(inSeconds).toMatchObject({ isPermanent: false, retryAfter: 120 });

  const date = new Date(Date.now() + 600_000).toUTCString();
  resend.faults.push({ kind: "refuse", status: 429, name, headers: { "retry-after": date } });
  const asDate = await refusalOf(transport(resend).send(mail));
  expect(asDate.retryAfter).toBeGreaterThan(590);
  expect(asDate.retryAfter).toBeLessThanOrEqual(600);
});

test("a mail beyond the rate limit waits for the next second, and is sent", async ({ resend }) => {
  const refuse = { kind: "refuse", status: 429, name: "rate_limit_exceeded" } as const;
  resend.faults.push(
    { ...refuse, headers: { "retry-after": "1" } },
    { ...refuse, headers: { "retry-after": "soon" } },
  );
  await transport(resend).send(mail);
  expect(resend.keys).toEqual([mail.key, mail.key, mail.key]);
  expect(resend.mails).toHaveLength(1);
  // An exhausted quota is not retried at once.
  resend.faults.push({ kind: "refuse", status: 429, name: "daily_quota_exceeded" });
  expect((await refusalOf(transport(resend).send(mail))).isPermanent).toBe(false);
  expect(resend.keys).toHaveLength(4);
});

for (const [status, name] of [
  [400, "validation_error"],
  [422, "invalid_attachment"],
  [413, "application_error"],
] as const) {
  test(`${status} (${name}) is permanent`, async ({ resend }) => {
    resend.faults.push({ kind: "refuse", status, name });
    const refusal = await refusalOf(transport(resend).send(mail));
    expect(refusal.isPermanent).toBe(true);
    expect(refusal.message).toContain(name);
  });
}

test("a wrong key is a temporary error, because the owner can correct it", async ({ resend }) => {
  const refusal = await refusalOf(transport(resend, { apiKey: "re_wrong" }).send(mail));
  expect(refusal.isPermanent).toBe(false);
  expect(refusal.message).toContain("invalid_api_key");
  expect(resend.mails).toHaveLength(0);
});

test("a connection that breaks before or after the mail was taken is temporary; the mail goes out once", async ({
  resend,
}) => {
  resend.faults.push({ kind: "hang-up", isAccepted: false }, { kind: "hang-up", isAccepted: true });
  expect((await refusalOf(transport(resend).send(mail))).isPermanent).toBe(false);
  expect((await refusalOf(transport(resend).send(mail))).isPermanent).toBe(false);
  await transport(resend).send(mail);
  expect(resend.keys).toEqual([mail.key, mail.key, mail.key]);
  expect(resend.mails).toHaveLength(1);
});

for (const fault of [
  { kind: "silence" },
  { kind: "stall", status: 200 },
  { kind: "stall", status: 422 },
] satisfies Fault[])
  test(`${JSON.stringify(fault)} is a temporary error after the timeout`, async ({ resend }) => {
    resend.faults.push(fault);
    const refusal = await refusalOf(transport(resend, { timeout: 150 }).send(mail));
    expect(refusal.message).toContain("150 ms");
    expect(refusal.isPermanent).toBe(false);
  });

test("a mail already accepted with other content under its key counts as sent", async ({
  resend,
}) => {
  await transport(resend).send(mail);
  await transport(resend).send({ ...mail, subject: "Le même, après une mise à jour" });
  expect(resend.mails.map(({ subject }) => subject)).toEqual([mail.subject]);
});

test("an unreachable provider is temporary", async ({ resend }) => {
  const url = resend.url;
  await resend.stop();
  const sending = resendTransport({ apiKey: "re_test", baseUrl: url }).send(mail);
  expect((await refusalOf(sending)).isPermanent).toBe(false);
});
