import { eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { createUser } from "@/db/factories/people";
import { recoveryCodes, users } from "@/db/schema/auth";
import { paymentClosures } from "@/db/schema/checkout";
import { mailOutbox } from "@/db/schema/mail";
import { codeOf } from "@/e2e/accounts";
import { applyEnv, expect, test } from "@/e2e/database-fixtures";
import { takeRecoveryCode } from "@/lib/auth/recovery-codes";
import { activateTwoFactor, verifySetupCode } from "@/lib/auth/two-factor";
import { forgetEnv } from "@/lib/env";
import type { SessionUser } from "@/lib/http/api/caller";
import { enqueueMail } from "@/lib/mail/outbox";
import { mailSealer, recipientSealer } from "@/lib/mail/seal";
import { resealStoredSecrets } from "@/lib/maintenance/reseal";
import { keyedDigest } from "@/lib/seal";

/** The session of a user who has just logged in. */
const sessionOf = (user: SessionUser) => ({
  user,
  token: { authenticatedAt: Date.now() / 1000 },
});

const NEW_SECRET = "another-secret-that-replaces-the-first";

test.afterEach(({ shopEnv }) => {
  delete process.env.AUTH_SECRET_PREVIOUS;
  applyEnv(shopEnv);
});

test("resealed data needs no old secret", async ({ database, shopEnv }) => {
  const user = await createUser({ db: database });
  const { secret, recoveryCodes: codes } = await activateTwoFactor(sessionOf(user));
  const [first = "", second = ""] = codes;
  // An unsealed digest, the format of older rows.
  const former = "FRMER2";
  const bare = keyedDigest({ text: `${user.id}:${former}`, purpose: "two-factor-recovery-code" });
  await database.insert(recoveryCodes).values({ userId: user.id, codeHash: bare });
  await db.transaction(async (tx) => {
    for (const template of ["verification", "password-reset"] as const)
      await enqueueMail(tx, {
        template,
        data: { token: `token-${user.id}` },
        to: user.email,
        userId: user.id,
      });
    await enqueueMail(tx, {
      template: "account-erased",
      data: { at: new Date().toISOString(), isByShop: false },
      to: user.email,
    });
  });
  const paymentIntentId = `pi_reseal_${user.id}`;
  await database
    .insert(paymentClosures)
    .values({ paymentIntentId, reason: "cancelled", recipient: recipientSealer.seal(user.email) });

  const take = (code: string) =>
    db.transaction((tx) => takeRecoveryCode(tx, { userId: user.id, code }));
  applyEnv({ AUTH_SECRET: NEW_SECRET, AUTH_SECRET_PREVIOUS: shopEnv.AUTH_SECRET });
  expect(await take(first)).toBe(10);
  // Concurrent and repeated runs must not seal a text twice.
  await Promise.all([resealStoredSecrets(), resealStoredSecrets()]);
  await resealStoredSecrets();

  delete process.env.AUTH_SECRET_PREVIOUS;
  forgetEnv();
  expect(
    await verifySetupCode({ ...sessionOf(user), code: codeOf(secret), network: "192.0.2.1" }),
  ).toBe(true);
  expect(await take(second)).toBe(9);
  expect(await take(former)).toBe(8);
  expect(await take(former)).toBeNull();
  expect(await take("WRNGB2")).toBeNull();
  const mails = await database.select().from(mailOutbox).where(eq(mailOutbox.userId, user.id));
  // The third mail is the notice that two-factor is active, which contains no secret.
  const sealed = mails.flatMap(({ data }) => (data.sealed === undefined ? [] : [data.sealed]));
  expect(sealed.map((each) => JSON.parse(mailSealer.unseal(String(each))))).toEqual(
    Array(2).fill({ token: `token-${user.id}` }),
  );
  const [farewell] = await database
    .select()
    .from(mailOutbox)
    .where(eq(mailOutbox.template, "account-erased"));
  expect(recipientSealer.unseal(String(farewell?.recipient))).toBe(user.email);
  const [closure] = await database
    .select()
    .from(paymentClosures)
    .where(eq(paymentClosures.paymentIntentId, paymentIntentId));
  expect(recipientSealer.unseal(String(closure?.recipient))).toBe(user.email);
});

test("data that no secret opens is kept", async ({ database, shopEnv }) => {
  const broken = await createUser({ db: database, totpSecret: "unreadable" });
  const user = await createUser({ db: database });
  const { secret } = await activateTwoFactor(sessionOf(user));
  applyEnv({ AUTH_SECRET: NEW_SECRET, AUTH_SECRET_PREVIOUS: shopEnv.AUTH_SECRET });
  await resealStoredSecrets();
  delete process.env.AUTH_SECRET_PREVIOUS;
  forgetEnv();
  expect(
    await verifySetupCode({ ...sessionOf(user), code: codeOf(secret), network: "192.0.2.1" }),
  ).toBe(true);
  const [after] = await database
    .select({ totpSecret: users.totpSecret })
    .from(users)
    .where(sql`${users.id} = ${broken.id}`);
  expect(after).toEqual({ totpSecret: "unreadable" });
});
