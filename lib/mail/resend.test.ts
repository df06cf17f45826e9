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
type Kind = "temporary" | "permanent";

const refuse = (status: number, name = "application_error", more: { message?: string } = {}) => ({
  kind: "refuse" as const,
  status,
  name,
  ...more,
});

const FAULTS: [kind: Kind, fault: Fault, said?: string][] = [
  ...[500, 502, 503, 404, 408].map((status): [Kind, Fault, string] => [
    "temporary",
    refuse(status),
    String(status),
  ]),
  // The owner can correct a wrong sender.
  ["temporary", refuse(422, "invalid_from_address"), "invalid_from_address"],
  [
    "temporary",
    refuse(422, "validation_error", { message: "Invalid `from` field." }),
    "validation_error",
  ],
  // Another process is sending the mail.
  ["temporary", refuse(409, "concurrent_idempotent_requests")],
  // A proxy's page instead of an answer.
  ["temporary", { kind: "garbage", status: 502 }],
  ["temporary", { kind: "garbage", status: 200 }],
  ["temporary", { kind: "silence" }, "150 ms"],
  ["temporary", { kind: "stall", status: 200 }, "150 ms"],
  ["temporary", { kind: "stall", status: 422 }, "150 ms"],
  ["permanent", refuse(400, "validation_error"), "validation_error"],
  ["permanent", refuse(422, "invalid_attachment"), "invalid_attachment"],
  ["permanent", refuse(413, "application_error"), "application_error"],
];

for (const [kind, fault, said = ""] of FAULTS)
  test(`${JSON.stringify(fault)} is ${kind}`, async ({ resend }) => {
    resend.faults.push(fault);
    const timeout = said.endsWith("ms") ? 150 : 5_000;
    const refusal = await refusalOf(transport(resend, { timeout }).send(mail));
    expect(refusal.isPermanent).toBe(kind === "permanent");
    expect(refusal.message).toContain(said);
  });

test("429 is temporary and says how long to wait, in seconds or as a date", async ({ resend }) => {
  const limit = refuse(429, "rate_limit_exceeded");
  resend.faults.push({ ...limit, headers: { "retry-after": "120" } });
  const inSeconds = await refusalOf(transport(resend).send(mail));
  expect(inSeconds).toMatchObject({ isPermanent: false, retryAfter: 120 });

  const date = new Date(Date.now() + 600_000).toUTCString();
  resend.faults.push({ ...limit, headers: { "retry-after": date } });
  const asDate = await refusalOf(transport(resend).send(mail));
  expect(asDate.retryAfter).toBeGreaterThan(590);
  expect(asDate.retryAfter).toBeLessThanOrEqual(600);
});

test("a mail beyond the rate limit waits for the next second, and is sent", async ({ resend }) => {
  const limit = refuse(429, "rate_limit_exceeded");
  for (const wait of ["1", "soon"])
    resend.faults.push({ ...limit, headers: { "retry-after": wait } });
  await transport(resend).send(mail);
  expect(resend.keys).toEqual([mail.key, mail.key, mail.key]);
  expect(resend.mails).toHaveLength(1);
  // An exhausted quota is not retried at once.
  resend.faults.push(refuse(429, "daily_quota_exceeded"));
  expect((await refusalOf(transport(resend).send(mail))).isPermanent).toBe(false);
  expect(resend.keys).toHaveLength(4);
});

test("a wrong key is a temporary error, because the owner can correct it", async ({ resend }) => {
  const refusal = await refusalOf(transport(resend, { apiKey: "re_wrong" }).send(mail));
  expect(refusal.isPermanent).toBe(false);
  expect(refusal.message).toContain("invalid_api_key");
  expect(resend.mails).toHaveLength(0);
});

test("a broken connection sends the mail once", async ({ resend }) => {
  resend.faults.push({ kind: "hang-up", isAccepted: false }, { kind: "hang-up", isAccepted: true });
  expect((await refusalOf(transport(resend).send(mail))).isPermanent).toBe(false);
  expect((await refusalOf(transport(resend).send(mail))).isPermanent).toBe(false);
  await transport(resend).send(mail);
  expect(resend.keys).toEqual([mail.key, mail.key, mail.key]);
  expect(resend.mails).toHaveLength(1);
});

test("a mail accepted under its key counts as sent", async ({ resend }) => {
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
