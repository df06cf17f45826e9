import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { recoveryCodes, users } from "@/db/schema/auth";
import { qrCodeUrl } from "@/lib/auth/authenticator";
import { issueToken } from "@/lib/auth/token";
import {
  type Activation,
  codeOf,
  isOpen,
  type Login,
  type Refusal,
  tokenInMail,
  tokenOf,
  turnTwoFactorOn,
} from "../accounts";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";

type Answer = Partial<Login> & { valid: boolean };

const verify = (api: Api, token: string, code: unknown) =>
  api.post<Answer & Refusal>("/api/2fa/verify", { token, json: { code } });

/** The first step of a login, which asks for the code. */
async function newTempToken(api: Api, email: string): Promise<string> {
  const json = { username: email, password: DEFAULT_PASSWORD };
  const answer = await api.post<{ tempToken: string }>("/api/login_check", { json });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({ "2fa_required": true, tempToken: expect.any(String) });
  return answer.json.tempToken;
}

async function twoFactorUser({ api, database }: { api: Api; database: Database }) {
  const user = await createUser({ db: database });
  const token = await tokenOf(user);
  return { user, token, ...(await turnTwoFactorOn({ api, token })) };
}

test.describe("activation", () => {
  test("returns secret and codes, and needs a test", async ({ api, database, mailbox }) => {
    const user = await createUser({ db: database });
    const token = await tokenOf(user);
    const account = async () =>
      (await api.get<{ user: { totpSecret: string | null } }>("/api/account", { token })).json.user
        .totpSecret;
    const { status, json } = await api.post<Activation>("/api/2fa/activate", { token });
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(["qrCodeUrl", "recoveryCodes", "secret"]);
    expect(new Set(json.recoveryCodes).size).toBe(10);
    for (const code of json.recoveryCodes) expect(code).toMatch(/^[A-Z][A-Z0-9]{5}$/);

    expect(json.qrCodeUrl).toBe(await qrCodeUrl({ secret: json.secret, email: user.email }));

    // Two-factor is not active yet: the password alone is enough.
    expect(await account()).toBeNull();
    const login = { username: user.email, password: DEFAULT_PASSWORD };
    expect((await api.post<Login>("/api/login_check", { json: login })).json.token).toBeTruthy();
    expect((await verify(api, token, "000000")).json).toEqual({ valid: false });
    expect((await verify(api, token, json.recoveryCodes[0])).json).toEqual({ valid: false });
    expect(await account()).toBeNull();

    expect((await verify(api, token, codeOf(json.secret))).json).toEqual({ valid: true });
    expect(await account()).toBe("********");
    await mailbox.waitForMail({
      to: user.email,
      subject: "La double authentification est activée",
    });
    await newTempToken(api, user.email);

    await test.step("nothing is stored in clear text", async () => {
      const [stored] = await database.select().from(users).where(eq(users.id, user.id));
      const rows = await database
        .select()
        .from(recoveryCodes)
        .where(eq(recoveryCodes.userId, user.id));
      expect(rows).toHaveLength(10);
      for (const sealed of [String(stored?.totpSecret), ...rows.map(({ codeHash }) => codeHash)])
        for (const clear of [json.secret, "digest", ...json.recoveryCodes]) {
          expect(sealed).not.toContain(clear);
          expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain(clear);
        }
    });
    // A session alone cannot replace the secret.
    const again = await api.post<Refusal>("/api/2fa/activate", { token });
    expect([again.status, again.json.error]).toEqual([
      409,
      "La double authentification est déjà active.",
    ]);
  });

  test("started again replaces the secret and the codes", async ({ api, database }) => {
    const user = await createUser({ db: database });
    const token = await tokenOf(user);
    const first = (await api.post<Activation>("/api/2fa/activate", { token })).json;
    const second = (await api.post<Activation>("/api/2fa/activate", { token })).json;
    expect((await verify(api, token, codeOf(first.secret))).json.valid).toBe(false);
    expect((await verify(api, token, codeOf(second.secret))).json.valid).toBe(true);
    const temp = await newTempToken(api, user.email);
    expect((await verify(api, temp, first.recoveryCodes[0])).json.valid).toBe(false);
    expect((await verify(api, temp, second.recoveryCodes[0])).json.valid).toBe(true);
  });
});

test.describe("a login with two-factor", () => {
  test("is completed by the app's code, once", async ({ api, database }) => {
    const { user, secret } = await twoFactorUser({ api, database });
    const [older, code] = [codeOf(secret), codeOf(secret, 1)];
    const temps: string[] = [];
    for (let login = 0; login < 8; login++) temps.push(await newTempToken(api, user.email));
    const answers = await Promise.all(temps.map((temp) => verify(api, temp, code)));
    const opened = answers.map(({ json }) => json).filter(({ valid }) => valid);
    expect(opened).toEqual([
      {
        valid: true,
        token: expect.any(String),
        userId: user.id,
        userName: user.lastName,
        userLastName: user.firstName,
        roles: ["ROLE_USER"],
      },
    ]);
    expect(answers.filter(({ json }) => json.token)).toHaveLength(1);
    expect(await isOpen({ api, token: String(opened[0]?.token) })).toBe(true);
    // A code older than the last used one is refused too.
    const again = await newTempToken(api, user.email);
    expect((await verify(api, again, older)).json).toEqual({ valid: false });
  });

  test("accepts its own recovery codes, once", async ({ api, database, mailbox }) => {
    const { user, recoveryCodes: codes } = await twoFactorUser({ api, database });
    const [first = "", second = ""] = codes;
    const temp = await newTempToken(api, user.email);
    const typed = ` ${first.slice(0, 3).toLowerCase()} ${first.slice(3).toLowerCase()}`;
    expect((await verify(api, temp, typed)).json).toMatchObject({ valid: true, userId: user.id });
    const mail = await mailbox.waitForMail({
      to: user.email,
      subject: "Un code de récupération a été utilisé",
    });
    expect(mail.text).toContain("Il vous en reste 9.");
    const temps = [await newTempToken(api, user.email), await newTempToken(api, user.email)];
    const other = await twoFactorUser({ api, database });
    for (const wrong of [first, other.recoveryCodes[0], codeOf(other.secret, 1)])
      expect((await verify(api, temps[0] ?? "", wrong)).json).toEqual({ valid: false });
    const answers = await Promise.all(temps.map((each) => verify(api, each, second)));
    expect(answers.map(({ json }) => json.valid).sort()).toEqual([false, true]);
  });

  test("allows five attempts, also concurrent ones", async ({ api, database }) => {
    const { user, secret } = await twoFactorUser({ api, database });
    const temp = await newTempToken(api, user.email);
    for (let tries = 0; tries < 5; tries++) {
      const { status, json } = await verify(api, temp, "abcdef");
      expect([status, json]).toEqual([200, { valid: false }]);
    }
    const sixth = await verify(api, temp, codeOf(secret, 1));
    expect(sixth.status).toBe(401);
    expect(sixth.json).toMatchObject({
      code: 401,
      message: "Trop de codes incorrects. Veuillez vous reconnecter.",
    });
    const next = await newTempToken(api, user.email);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => verify(api, next, "abcdef")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    // Another temporary token has attempts of its own.
    const last = await newTempToken(api, user.email);
    expect((await verify(api, last, codeOf(secret, 1))).json.valid).toBe(true);
    expect((await verify(api, last, codeOf(secret, 1))).status).toBe(401);
  });

  test("is cancelled by a logout and by the deactivation", async ({ api, database }) => {
    const { user, secret, token } = await twoFactorUser({ api, database });
    const temp = await newTempToken(api, user.email);
    expect((await api.post("/api/2fa/deactivate", { token })).status).toBe(200);
    expect((await verify(api, temp, codeOf(secret, 1))).status).toBe(401);
    expect((await api.post("/api/logout", { token })).status).toBe(204);
    expect((await verify(api, temp, codeOf(secret, 1))).status).toBe(401);
  });
});

test.describe("deactivation", () => {
  test("returns to the password alone", async ({ api, database, mailbox }) => {
    const { user, token, secret } = await twoFactorUser({ api, database });
    // Checking another code changes nothing and sends no mail.
    expect((await verify(api, token, codeOf(secret, 1))).json).toEqual({ valid: true });
    const answer = await api.post("/api/2fa/deactivate", { token });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ message: "2FA désactivé avec succès." });
    const [stored] = await database.select().from(users).where(eq(users.id, user.id));
    expect(stored).toMatchObject({ totpSecret: null, totpActiveSince: null, totpLastStep: null });
    const codes = database.select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
    expect(await codes).toEqual([]);
    const json = { username: user.email, password: DEFAULT_PASSWORD };
    expect((await api.post<Login>("/api/login_check", { json })).json.token).toBeTruthy();
    const mail = { to: user.email, subject: "La double authentification est désactivée" };
    await mailbox.waitForMail(mail);
    // A second deactivation changes nothing and sends no mail.
    expect((await api.post("/api/2fa/deactivate", { token })).status).toBe(200);
    const notices = await queuedMails(database, user.email);
    expect(notices.map(({ template }) => template)).toEqual(Array(2).fill("security-notice"));
  });
});

test("a code is required, of an activated two-factor", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const token = await tokenOf(user);
  for (const code of [undefined, "   "]) {
    const { status, json } = await verify(api, token, code);
    const message = "Ce champ est obligatoire.";
    expect([status, json.violations]).toEqual([422, [{ propertyPath: "code", message }]]);
  }
  expect((await verify(api, token, 123456)).status).toBe(422);
  // Nothing was activated: no code is valid.
  expect((await verify(api, token, "123456")).json).toEqual({ valid: false });
  const temp = await issueToken({ user, type: "pending-2fa" });
  expect((await verify(api, temp, "123456")).status).toBe(401);
});

test("ten wrong codes an hour, on the profile and at the login together", async ({ limited }) => {
  const { api, database, mailbox } = limited;
  const { user, token, secret, recoveryCodes: codes } = await twoFactorUser({ api, database });
  for (let round = 0; round < 2; round++) {
    for (let tries = 0; tries < 5; tries++) await verify(api, token, "000000");
    const temp = await newTempToken(api, user.email);
    for (let tries = 0; tries < 4; tries++)
      expect((await verify(api, temp, "000000")).json).toEqual({ valid: false });
    // A success resets the failures.
    expect((await verify(api, temp, codes[round])).json.valid).toBe(true);
  }
  for (let tries = 0; tries < 10; tries++)
    expect((await verify(api, token, "000000")).status).toBe(200);
  const refused = await verify(api, token, codeOf(secret, 1));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3500);
  expect(refused.json.error).toBe("Trop de tentatives. Réessayez dans 1 heure.");
  const temp = await newTempToken(api, user.email);
  expect((await verify(api, temp, codeOf(secret, 1))).status).toBe(429);

  // A new password through the mailed link lets the owner in at once.
  await api.post("/api/reset-password", { json: { email: user.email } });
  const mail = await mailbox.waitForMail({ to: user.email, subject: /nouveau mot de passe/ });
  const reset = tokenInMail({ mail, page: "reset-password" });
  const json = { token: reset, password: DEFAULT_PASSWORD };
  expect((await api.post("/api/reset-password/confirm", { json })).status).toBe(200);
  const fresh = await newTempToken(api, user.email);
  expect((await verify(api, fresh, codeOf(secret, 1))).json.valid).toBe(true);
});
