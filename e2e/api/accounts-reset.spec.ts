import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { isOpen, logIn, median, newEmail, type Refusal, tokenInMail, tokenOf } from "../accounts";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { type Mailbox, queuedMails } from "../mailbox";

const NEW_PASSWORD = "Nouveau-2026!";
const WRONG_LINK = "Ce lien de réinitialisation est invalide ou a expiré.";
const SUBJECT = "Choisissez un nouveau mot de passe";

const request = (api: Api, email: unknown) =>
  api.post<Refusal & { message: string }>("/api/reset-password", { json: { email } });

const confirm = (api: Api, token: string, password: string) =>
  api.post<Refusal & { message: string }>("/api/reset-password/confirm", {
    json: { token, password },
  });

const verify = async (api: Api, token: string) => {
  const { status, json } = await api.get<{ valid: boolean }>(`/api/reset-password/verify/${token}`);
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(["valid"]);
  return json.valid;
};

/**
 * Requests a link and returns the mailed token.
 *
 * @param typed the address as it is requested, if not as it is stored
 */
async function newToken(api: Api, mailbox: Mailbox, email: string, typed = email) {
  const before = mailbox.list({ to: email, subject: SUBJECT }).length;
  expect((await request(api, typed)).status).toBe(200);
  await expect.poll(() => mailbox.list({ to: email, subject: SUBJECT }).length).toBe(before + 1);
  const [mail] = mailbox.list({ to: email, subject: SUBJECT }).slice(-1);
  if (!mail) throw new Error("The mail has gone.");
  return tokenInMail({ mail, page: "reset-password" });
}

test("a link sets a new password once, with a notice", async ({ api, database, mailbox }) => {
  const user = await createUser({ db: database, email: newEmail("Zoe") });
  const { email } = user;
  const session = await tokenOf(user);
  // The mail goes to the account's stored address, not to what was typed.
  const token = await newToken(api, mailbox, email, ` ${email.toUpperCase()} `);
  await test.step("only the digest of the token is stored, for an hour", async () => {
    const [stored] = await database.select().from(users).where(eq(users.id, user.id));
    expect(stored?.resetTokenHash).toBe(createHash("sha256").update(token).digest("hex"));
    const minutes = (Number(stored?.resetTokenExpiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThanOrEqual(60);
  });
  await test.step("a refused password does not use the token up", async () => {
    for (const [password, message] of [
      ["", "Veuillez saisir un nouveau mot de passe"],
      ["MOTDEPASSE-2026", "Le mot de passe doit contenir au moins une lettre minuscule"],
    ] as const) {
      const { status, json } = await confirm(api, token, password);
      expect(status).toBe(422);
      expect(json.violations).toEqual([{ propertyPath: "password", message }]);
      expect(json.errors).toEqual({ password: message });
    }
  });
  expect(await verify(api, token)).toBe(true);
  const answer = await confirm(api, token, NEW_PASSWORD);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({ message: "Votre mot de passe a été réinitialisé avec succès." });

  expect(await isOpen({ api, token: session })).toBe(false);
  const old = { username: email, password: DEFAULT_PASSWORD };
  expect((await api.post("/api/login_check", { json: old })).status).toBe(401);
  await mailbox.waitForMail({ to: email, subject: "Votre mot de passe a été modifié" });
  expect(await verify(api, token)).toBe(false);
  const second = await confirm(api, token, "Autre-2026-!");
  expect([second.status, second.json.error]).toEqual([422, WRONG_LINK]);
  await logIn({ api, email, password: NEW_PASSWORD });
});

test("every account gets the same answer in the same time", async ({ api, database, mailbox }) => {
  const user = await createUser({ db: database });
  const closed = await createUser({ db: database, isDeleted: true });
  const texts = new Set<string>();
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (let round = 0; round < 4; round++)
    for (const [group, email] of [
      ["known", user.email],
      ["unknown", newEmail("inconnue")],
      ["unknown", closed.email],
    ] as const) {
      const start = performance.now();
      const { status, text } = await request(api, email);
      times[group].push(performance.now() - start);
      expect(status).toBe(200);
      texts.add(text);
    }
  expect(texts.size).toBe(1);
  expect([...texts][0]).toContain("Si un compte correspond à cette adresse");
  // The minimum duration hides the work for a known address, however fast the machine is.
  expect(Math.min(...times.known, ...times.unknown)).toBeGreaterThan(240);
  expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(100);
  await expect.poll(() => mailbox.list({ to: user.email }).length).toBe(4);
  expect(await queuedMails(database, closed.email)).toEqual([]);
});

test("an empty or malformed e-mail address is refused", async ({ api }) => {
  const message = "Veuillez saisir votre adresse e-mail";
  for (const email of [null, "  ", "zoe@exemple", "a@b.fr,c@d.fr", 5]) {
    const { status, json } = await request(api, email);
    expect([status, json.errors]).toEqual([422, { email: message }]);
    expect(json.violations).toEqual([{ propertyPath: "email", message }]);
  }
});

test("of concurrent resets one succeeds and confirms", async ({ api, database, mailbox }) => {
  const user = await createUser({ db: database, isVerified: false });
  const token = await newToken(api, mailbox, user.email);
  const passwords = Array.from({ length: 8 }, (_, index) => `Nouveau-2026!${index}`);
  const answers = await Promise.all(passwords.map((password) => confirm(api, token, password)));
  const winners = passwords.filter((_, index) => answers[index]?.status === 200);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
  await logIn({ api, email: user.email, password: winners[0] });
  const [stored] = await database.select().from(users).where(eq(users.id, user.id));
  expect(stored?.sessionVersion).toBe(user.sessionVersion + 1);
});

test("a link ends by a newer one, time or a password", async ({ api, database, mailbox }) => {
  const user = await createUser({ db: database });
  const store = (values: Partial<typeof users.$inferInsert>) =>
    database.update(users).set(values).where(eq(users.id, user.id));
  const first = await newToken(api, mailbox, user.email);
  const second = await newToken(api, mailbox, user.email);
  expect([await verify(api, first), await verify(api, second)]).toEqual([false, true]);
  await store({ resetTokenExpiresAt: new Date(Date.now() - 1000) });
  expect(await verify(api, second)).toBe(false);
  expect((await confirm(api, second, NEW_PASSWORD)).json.error).toBe(WRONG_LINK);

  const third = await newToken(api, mailbox, user.email);
  const digest = createHash("sha256").update(third).digest("hex");
  for (const wrong of ["x", digest, "null", "%27--", third]) {
    await store({ isDeleted: wrong === third });
    expect(await verify(api, wrong)).toBe(false);
    const { status, json } = await confirm(api, wrong, NEW_PASSWORD);
    expect([status, json.error]).toEqual([422, WRONG_LINK]);
  }
  await store({ isDeleted: false });
  expect(await verify(api, third)).toBe(true);
  const json = { password: NEW_PASSWORD };
  expect((await api.put("/api/account", { token: await tokenOf(user), json })).status).toBe(200);
  expect(await verify(api, third)).toBe(false);
});

test.describe("limits", () => {
  test("five links an hour per e-mail address, until a new password", async ({ limited }) => {
    const { api, mailbox, database } = limited;
    const user = await createUser({ db: database });
    for (const email of [user.email, newEmail("inconnue")]) {
      const ask = () => api.post<Refusal>("/api/reset-password", { json: { email } });
      for (let count = 0; count < 5; count++) expect((await ask()).status).toBe(200);
      const refused = await ask();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3500);
      expect(refused.json.error).toBe(
        "Trop de demandes pour cette adresse. Si un compte lui correspond, le lien du dernier e-mail reçu est encore valable.",
      );
    }
    // Wrong passwords have blocked the login too.
    const wrong = { username: user.email, password: "faux" };
    for (let count = 0; count < 11; count++) await api.post("/api/login_check", { json: wrong });
    expect((await api.post("/api/login_check", { json: wrong })).status).toBe(429);

    await expect.poll(() => mailbox.list({ to: user.email }).length).toBe(5);
    const tokens = mailbox
      .list({ to: user.email })
      .map((mail) => tokenInMail({ mail, page: "reset-password" }));
    const statuses = [];
    for (const token of tokens) statuses.push((await confirm(api, token, NEW_PASSWORD)).status);
    // Only the newest link is valid.
    expect(statuses).toEqual([422, 422, 422, 422, 200]);
    await logIn({ api, email: user.email, password: NEW_PASSWORD });
    expect((await request(api, user.email)).status).toBe(200);
  });

  test("a known device gets its link, whatever others ask for", async ({ limited }) => {
    const { api, mailbox, database } = limited;
    const user = await createUser({ db: database });
    const json = { username: user.email, password: DEFAULT_PASSWORD };
    const login = await api.post("/api/login_check", { json });
    const Cookie = String(login.headers["set-cookie"]?.[0]?.split(";", 1)[0]);
    const askFive = async (headers = {}) => {
      const ask = () => api.post("/api/reset-password", { json: { email: user.email }, headers });
      for (let count = 0; count < 5; count++) expect((await ask()).status).toBe(200);
      expect((await ask()).status).toBe(429);
    };
    await askFive();
    // Even this device cannot flood the mailbox.
    await askFive({ Cookie });
    await expect.poll(() => mailbox.list({ to: user.email }).length).toBe(10);
  });

  test("a reset lets its user log in while others go on guessing", async ({ limited }) => {
    const { api, mailbox, database } = limited;
    const user = await createUser({ db: database });
    const token = await newToken(api, mailbox, user.email);
    const answer = await confirm(api, token, NEW_PASSWORD);
    const Cookie = String(answer.headers["set-cookie"]?.[0]?.split(";", 1)[0]);
    const attempt = (password: string, headers = {}) =>
      api.post("/api/login_check", { json: { username: user.email, password }, headers });
    for (let count = 0; count < 10; count++) await attempt("faux");
    expect((await attempt(NEW_PASSWORD)).status).toBe(429);
    expect((await attempt(NEW_PASSWORD, { Cookie })).status).toBe(200);
  });
});
