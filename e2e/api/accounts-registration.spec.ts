import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { mailOutbox } from "@/db/schema/mail";
import { logIn, newEmail, type Refusal, tokenInMail } from "../accounts";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { type Mailbox, queuedMails } from "../mailbox";

const PASSWORD = "Motdepasse-2026!";

const form = () => ({ nom: "Durand", lastname: "Zoé", email: newEmail(), password: PASSWORD });

const register = (api: Api, json: unknown) =>
  api.post<Refusal & { message: string }>("/api/register", { json });

const verify = (api: Api, token: string) =>
  api.get<{ valid: boolean; message: string }>(`/api/verify-email/${token}`);

test("a visitor registers, opens the link and logs in", async ({ api, database, mailbox }) => {
  const json = form();
  const answer = await register(api, {
    ...json,
    email: ` ${json.email} `,
    nom: "  Durand \n",
    retour: "/products?search=Appelez+le+0900+000+000",
    roles: ["ROLE_ADMIN"],
    isVerified: true,
    id: 1,
  });
  expect(answer.status).toBe(201);
  expect(answer.json).toEqual({ message: expect.stringContaining("Inscription réussie") });

  const [user] = await database.select().from(users).where(eq(users.email, json.email));
  expect(user).toMatchObject({
    firstName: "Zoé",
    lastName: "Durand",
    roles: ["ROLE_USER"],
    isVerified: false,
  });
  const login = { username: json.email, password: PASSWORD };
  const early = await api.post<Refusal>("/api/login_check", { json: login });
  expect(early.json.message).toBe("Votre compte n'est pas encore vérifié.");

  const mail = await mailbox.waitForMail({ to: json.email });
  expect(mail.subject).toBe("Vérifiez votre adresse e-mail");
  const token = tokenInMail({ mail, page: "account-verification" });
  const [, query] = /\/account-verification\/[\w-]{43}(\S*)/.exec(mail.text) ?? [];
  expect(query, "the page that the visitor wanted, without their own text").toBe(
    "?retour=/products",
  );
  await test.step("neither the token nor the pending mail is stored in clear text", async () => {
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const digest = createHash("sha256").update(token).digest("hex");
    expect(user?.confirmationTokenHash).toBe(digest);
    const hours = (Number(user?.confirmationTokenExpiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(47.9);
    expect(hours).toBeLessThanOrEqual(48);
    expect(user?.passwordHash).toMatch(/^\$argon2id\$/);
    const waiting = await database
      .select()
      .from(mailOutbox)
      .where(sql`${mailOutbox.data}::text like ${`%${token}%`}`);
    expect(waiting).toEqual([]);
  });

  expect((await verify(api, token)).json).toEqual({
    valid: true,
    message: "Votre compte a été vérifié avec succès.",
  });
  expect(await logIn({ api, email: json.email })).toMatchObject({
    userId: user?.id,
    userName: "Durand",
    userLastName: "Zoé",
  });
});

test("invalid fields have their messages, and send no mail", async ({ api, database }) => {
  const incomplete = { general: "Tous les champs sont obligatoires" };
  const shortName = { nom: "Le nom doit contenir au moins 3 caractères" };
  const wrongPage = { retour: "Cette adresse n'est pas celle d'une page de la boutique." };
  for (const [change, errors] of [
    [{ nom: " \t ", password: "court" }, incomplete],
    [{ lastname: "\u200b\u200b\u200b" }, incomplete],
    [{ lastname: undefined }, incomplete],
    [{ nom: "😀😀" }, shortName],
    [{ nom: "Li\u200b" }, shortName],
    [{ nom: "a".repeat(101) }, { nom: "Ce champ doit contenir au plus 100 caractères." }],
    [{ nom: 123 }, { nom: "Ce champ doit être un texte." }],
    [{ lastname: "Zo\0é" }, { lastname: "Ce texte contient un caractère interdit." }],
    [{ retour: "/%2fevil.example" }, wrongPage],
    [{ retour: "/login" }, wrongPage],
    // One message for each field, of the rules that lib/auth/schemas.test.ts lists.
    [{ password: "a" }, { password: "Le mot de passe doit contenir au moins 8 caractères" }],
  ] as const) {
    const typed = form();
    const answer = await register(api, { ...typed, ...change });
    expect(answer.status, JSON.stringify(change)).toBe(422);
    expect(answer.json.errors, JSON.stringify(change)).toEqual(errors);
    expect(await queuedMails(database, typed.email)).toEqual([]);
  }
  const twoHeaders = { ...form(), email: "zoe@exemple.fr\r\nBcc: x@y.fr" };
  expect((await register(api, twoHeaders)).json.errors).toEqual({
    email: "Veuillez saisir une adresse e-mail valide.",
  });
  // The shortest names.
  expect((await register(api, { ...form(), nom: "Noë", lastname: "Lou" })).status).toBe(201);
});

/** The same message for confirmed and unconfirmed accounts. */
const ACCOUNT_EXISTS =
  "Un compte existe déjà avec cet e-mail. S'il n'est pas encore vérifié, un nouveau lien vient de lui être envoyé.";

test("the address of a confirmed or closed account is refused", async ({ api, database }) => {
  const owner = await createUser({ db: database });
  const closed = await createUser({ db: database, isDeleted: true });
  const closedEarly = await createUser({ db: database, isVerified: false, isDeleted: true });
  for (const { email } of [owner, closed, closedEarly]) {
    const startedAt = performance.now();
    const json = { ...form(), email, password: "Autre-2026-!" };
    const answer = await register(api, json);
    expect(answer.status).toBe(422);
    expect(answer.json.errors).toEqual({ email: ACCOUNT_EXISTS });
    // A minimum duration hides how much work the request was.
    expect(performance.now() - startedAt).toBeGreaterThan(250);
    expect(await queuedMails(database, email)).toEqual([]);
  }
});

test.describe("registering an address again that was never confirmed", () => {
  /** A registration by a stranger, who does not read the mailbox. */
  async function registerAsStranger(api: Api, mailbox: Mailbox) {
    const json = { ...form(), nom: "Intrus", password: "Intrus-2026!" };
    expect((await register(api, json)).status).toBe(201);
    const mail = await mailbox.waitForMail({ to: json.email });
    return { ...json, token: tokenInMail({ mail, page: "account-verification" }) };
  }

  /** A registration by the owner. Returns the token of the mail that the registration sends. */
  async function registerAgain(api: Api, mailbox: Mailbox, email: string) {
    const before = mailbox.list({ to: email }).length;
    const startedAt = performance.now();
    const again = await register(api, { ...form(), email: email.toUpperCase() });
    expect(performance.now() - startedAt).toBeGreaterThan(250);
    expect([again.status, again.json.errors]).toEqual([422, { email: ACCOUNT_EXISTS }]);
    await expect.poll(() => mailbox.list({ to: email }).length).toBe(before + 1);
    const [mail] = mailbox.list({ to: email }).slice(-1);
    if (!mail) throw new Error("There is no mail.");
    return tokenInMail({ mail, page: "account-verification" });
  }

  const canLogIn = async (api: Api, username: string, password: string) =>
    (await api.post("/api/login_check", { json: { username, password } })).status === 200;

  test("is refused, and mails a new link", async ({ api, database, mailbox }) => {
    const { email, password, token } = await registerAsStranger(api, mailbox);
    const stored = () => database.select().from(users).where(eq(users.email, email));
    const [before] = await stored();
    const present = await registerAgain(api, mailbox, email);
    const [after, ...others] = await stored();
    expect(others).toEqual([]);
    expect(after).toMatchObject({
      lastName: "Intrus",
      firstName: "Zoé",
      passwordHash: before?.passwordHash,
      isVerified: false,
      sessionVersion: before?.sessionVersion,
    });
    expect((await verify(api, token)).json.valid).toBe(false);
    expect((await verify(api, present)).json.valid).toBe(true);
    expect(await canLogIn(api, email, PASSWORD)).toBe(false);
    const opened = await logIn({ api, email, password });
    await test.step("by a new password its owner takes the account over", async () => {
      expect((await api.post("/api/reset-password", { json: { email } })).status).toBe(200);
      const subject = "Choisissez un nouveau mot de passe";
      const mail = await mailbox.waitForMail({ to: email, subject });
      const reset = { token: tokenInMail({ mail, page: "reset-password" }), password: PASSWORD };
      expect((await api.post("/api/reset-password/confirm", { json: reset })).status).toBe(200);
      expect(await canLogIn(api, email, password)).toBe(false);
      expect(await canLogIn(api, email, PASSWORD)).toBe(true);
      expect((await api.get("/api/account", { token: opened.token })).status).toBe(401);
      const [user] = await stored();
      expect(user?.isVerified).toBe(true);
    });
  });

  test("changes no staff's or formerly confirmed account", async ({ api, database, mailbox }) => {
    const confirmed = { isVerified: false, confirmedTokenHash: newEmail("digest") };
    const former = await createUser({ db: database, ...confirmed });
    const admin = await createUser({
      db: database,
      isVerified: false,
      roles: ["ROLE_USER", "ROLE_ADMIN"],
    });
    for (const user of [former, admin]) {
      await registerAgain(api, mailbox, user.email);
      const [after] = await database.select().from(users).where(eq(users.id, user.id));
      const { confirmationTokenHash: _, confirmationTokenExpiresAt: __, ...kept } = user;
      const { updatedAt: ___, version: ____, ...rest } = kept;
      expect(after).toMatchObject(rest);
    }
  });

  test("while it is confirmed keeps its password", async ({ api, database, mailbox }) => {
    for (let round = 0; round < 4; round++) {
      const { email, password, token } = await registerAsStranger(api, mailbox);
      const [, again] = await Promise.all([
        verify(api, token),
        register(api, { ...form(), email }),
      ]);
      expect(again.status).toBe(422);
      const [user] = await database.select().from(users).where(eq(users.email, email));
      // If the new link came first, the old one is refused.
      expect(user?.isVerified).toBe(user?.confirmationTokenHash === null);
      expect(await canLogIn(api, email, PASSWORD)).toBe(false);
      expect(await canLogIn(api, email, password)).toBe(user?.isVerified);
    }
  });
});

test("Unicode and punycode are the same address", async ({ api, database, mailbox }) => {
  const ascii = newEmail().replace("@exemple.test", "@xn--socit-esab.test");
  const readable = ascii.replace("@xn--socit-esab.test", "@société.test");
  // An account with a former form of its address works.
  const former = await createUser({ db: database, email: readable });
  for (const email of [readable, ascii]) {
    expect((await logIn({ api, email })).userId).toBe(former.id);
    const again = await register(api, { ...form(), email });
    expect(again.json.errors).toEqual({ email: ACCOUNT_EXISTS });
  }
  // If a second account exists under the address's current form, that account is used.
  const later = await createUser({ db: database, email: ascii });
  for (const email of [readable, readable.normalize("NFD"), ascii, ascii.toUpperCase()])
    expect((await logIn({ api, email })).userId).toBe(later.id);
  const reset = await api.post("/api/reset-password", { json: { email: readable } });
  expect(reset.status).toBe(200);
  await mailbox.waitForMail({ to: ascii, subject: "Choisissez un nouveau mot de passe" });
});

test("of concurrent registrations one opens an account", async ({ api, database, mailbox }) => {
  const email = newEmail();
  const passwords = Array.from({ length: 8 }, (_, index) => `Motdepasse-${index}!`);
  const answers = await Promise.all(
    passwords.map((password) => register(api, { ...form(), email, password })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([201, ...Array(7).fill(422)]);
  expect(await database.select().from(users).where(eq(users.email, email))).toHaveLength(1);
  // Each of the other requests has sent another link; the last link is valid.
  await expect.poll(() => mailbox.list({ to: email }).length).toBe(8);
  const valid = [];
  for (const mail of mailbox.list({ to: email })) {
    const token = tokenInMail({ mail, page: "account-verification" });
    if ((await verify(api, token)).json.valid) valid.push(token);
  }
  expect(valid).toHaveLength(1);
  for (const [index, password] of passwords.entries()) {
    const json = { username: email, password };
    const login = await api.post("/api/login_check", { json });
    expect(login.status, password).toBe(statuses[index] === 201 ? 200 : 401);
  }
});

test("a confirmation link is checked, and opens twice", async ({ api, database, mailbox }) => {
  const { email, ...rest } = form();
  await register(api, { email, ...rest });
  const mail = await mailbox.waitForMail({ to: email });
  const token = tokenInMail({ mail, page: "account-verification" });
  const refused = { valid: false, message: "Ce lien de vérification est invalide ou a expiré." };
  const isOwn = eq(users.email, email);
  const [user] = await database.select().from(users).where(isOwn);
  const digest = String(user?.confirmationTokenHash);
  const wrong = ["x", digest, "null", "%F0%9F%98%80", "a%2Fb", "a%00b", "a".repeat(5000)];
  for (const unknown of wrong) {
    const { status, json } = await verify(api, unknown);
    expect([unknown, status, json]).toEqual([unknown, 200, refused]);
  }
  expect((await api.get("/api/verify-email/%E0%A4%A")).status).toBe(400);

  const store = (values: Partial<typeof users.$inferInsert>) =>
    database.update(users).set(values).where(isOwn);
  for (const [invalid, valid] of [
    [
      { confirmationTokenExpiresAt: new Date(Date.now() - 1000) },
      { confirmationTokenExpiresAt: user?.confirmationTokenExpiresAt },
    ],
    [{ isDeleted: true }, { isDeleted: false }],
  ] as const) {
    await store(invalid);
    expect((await verify(api, token)).json, JSON.stringify(invalid)).toEqual(refused);
    await store(valid);
  }
  const [before] = await database.select().from(users).where(isOwn);
  expect(before?.isVerified).toBe(false);
  const answers = await Promise.all(Array.from({ length: 6 }, () => verify(api, token)));
  for (const { status, json } of [...answers, await verify(api, token)])
    expect([status, json.valid]).toEqual([200, true]);
  await store({ isVerified: false });
  expect((await verify(api, token)).json, "confirmed once, and unverified since").toEqual(refused);
});

test.describe("limits", () => {
  test("thirty wrong links per network; right ones do not count", async ({ limited }) => {
    const { api, database } = limited;
    const token = `un jeton de bonne longueur ${newEmail()}`;
    await createUser({
      db: database,
      confirmedTokenHash: createHash("sha256").update(token).digest("hex"),
    });
    const open = (path: string, ip = "192.0.2.1") =>
      api.get<Refusal & { valid: boolean }>(path, { headers: { "X-Forwarded-For": ip } });
    const right = `/api/verify-email/${encodeURIComponent(token)}`;
    const wrong = ["/api/verify-email/faux", "/api/reset-password/verify/faux"];
    for (let count = 0; count < 15; count++) {
      for (let success = 0; success < 3; success++)
        expect((await open(right)).json.valid).toBe(true);
      for (const path of wrong) expect((await open(path)).json.valid).toBe(false);
    }
    const setting = api.post<Refusal>("/api/reset-password/confirm", {
      json: { token: "faux", password: PASSWORD },
      headers: { "X-Forwarded-For": "192.0.2.1" },
    });
    for (const refused of [
      ...(await Promise.all([right, ...wrong].map((path) => open(path)))),
      await setting,
    ]) {
      expect(refused.status).toBe(429);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3500);
      expect(refused.json.error).toBe("Trop de tentatives. Réessayez dans 1 heure.");
    }
    expect((await open(right, "192.0.2.2")).json.valid).toBe(true);
    const guesses = Array.from({ length: 40 }, () =>
      open("/api/verify-email/faux", "198.51.100.3"),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  });

  test("five registrations per e-mail address, twenty per network", async ({ limited }) => {
    const { api } = limited;
    const from = (ip: string) => ({ "X-Forwarded-For": ip });
    const json = form();
    for (let count = 0; count < 5; count++) {
      const headers = from(`192.0.2.${count}`);
      const answer = await api.post("/api/register", { json, headers });
      expect(answer.status).toBe(count === 0 ? 201 : 422);
    }
    const refused = await api.post<Refusal>("/api/register", { json, headers: from("192.0.2.99") });
    expect([refused.status, refused.json.error]).toEqual([
      429,
      "Trop de tentatives. Réessayez dans 1 heure.",
    ]);

    const headers = from("198.51.100.1");
    // Invalid requests do not count.
    for (let mistake = 0; mistake < 21; mistake++)
      await api.post("/api/register", { json: { ...form(), nom: "" }, headers });
    const visitors = Array.from({ length: 20 }, () =>
      api.post("/api/register", { json: form(), headers }),
    );
    for (const { status } of await Promise.all(visitors)) expect(status).toBe(201);
    expect((await api.post("/api/register", { json: form(), headers })).status).toBe(429);
  });
});
