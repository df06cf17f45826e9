import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createAddress, createAdmin, createUser } from "@/db/factories/people";
import { recoveryCodes, users } from "@/db/schema/auth";
import { digestOf } from "@/lib/auth/mailed-token";
import { issueToken } from "@/lib/auth/token";
import { isOpen, logIn, newEmail, tokenOf, turnTwoFactorOn } from "../accounts";
import { historyOf, newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";

interface User {
  id: number;
  email: string;
  name: string;
  lastname: string;
  roles: string[];
  isVerified: boolean;
  isDeleted: boolean;
  isTwoFactorActive: boolean;
  resetToken: string | null;
  confirmationToken: string | null;
  createdAt: string;
  version: number;
}

const PATH = "/api/users";
const WRITE = "/api/admin/users";
const PASSWORD = "Motdepasse-2026!";

/** A new administrator, who saves and reads users. */
async function newStaff({ api, database }: { api: Api; database: Database }) {
  const { id, token } = await newAdmin(database);
  return {
    id,
    token,
    save: (user: { id: number }, json: object) =>
      api.put<User>(`${WRITE}/${user.id}`, { token, json }),
    history: (user: { id: number }) => historyOf({ api, token, entity: "User", id: user.id }),
  };
}

/** A token that is long enough to reset a password. */
const longToken = (name: string, { id }: { id: number }) => `${name}-${id}-`.padEnd(32, "a");

test("an administrator creates an account, which can log in", async ({ api, database }) => {
  const { token, id: adminId } = await newAdmin(database);
  const email = newEmail("ajoutee");
  const created = await api.post<User>(WRITE, {
    token,
    json: {
      email: ` ${email} `,
      name: "Dupont",
      lastname: "Élise",
      roles: ["ROLE_ADMIN"],
      isVerified: true,
      password: PASSWORD,
    },
  });
  expect(created.status, created.text).toBe(201);
  const { id, createdAt } = created.json;
  expect(created.headers.location).toBe(`${PATH}/${id}`);
  expect(created.json).toEqual({
    "@context": "/api/contexts/User",
    "@id": `${PATH}/${id}`,
    "@type": "User",
    id,
    email,
    name: "Dupont",
    lastname: "Élise",
    roles: ["ROLE_USER", "ROLE_ADMIN"],
    isVerified: true,
    isDeleted: false,
    resetToken: null,
    confirmationToken: null,
    isTwoFactorActive: false,
    createdAt,
    version: 1,
  });
  expect(created.text).not.toContain("argon2");
  const session = await logIn({ api, email, password: PASSWORD });
  expect(session).toMatchObject({ userName: "Dupont", userLastName: "Élise" });
  const [entry] = await historyOf({ api, token, entity: "User", id });
  expect(entry).toMatchObject({ action: "create", user: { id: adminId } });
  expect(JSON.stringify(entry)).not.toMatch(/password|token|argon/i);
});

test("an address is taken in any case, Unicode and punycode form", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const ascii = newEmail().replace("@exemple.test", "@xn--socit-esab.test");
  const email = ascii.replace("@xn--socit-esab.test", "@société.test");
  const TAKEN = { email: "Cette adresse e-mail est déjà utilisée." };
  const { id, version } = await createUser({ db: database, email });
  const { id: otherId } = await createUser({ db: database });
  for (const taken of [ascii, email.toUpperCase()]) {
    const other = { email: taken, name: "A", lastname: "B", password: PASSWORD };
    expect(sentencesOf(await api.post(WRITE, { token, json: other }))).toEqual(TAKEN);
    const moved = await api.put(`${WRITE}/${otherId}`, { token, json: { email: taken } });
    expect(sentencesOf(moved)).toEqual(TAKEN);
  }
  // The browser's punycode form counts as the same e-mail address.
  const same = await api.put(`${WRITE}/${id}`, { token, json: { email: ascii, version } });
  expect(same.json).toMatchObject({ email: ascii });
});

test("what is not sent stays; a new password ends sessions", async ({ api, database }) => {
  const { save, history } = await newStaff({ api, database });
  const user = await createUser({ db: database });
  const session = await tokenOf(user);
  expect(await save(user, { name: "Petit", password: "" })).toMatchObject({
    status: 200,
    json: { email: user.email, name: "Petit", lastname: "Camille" },
  });
  expect(await isOpen({ api, token: session })).toBe(true);
  expect((await save(user, { password: "Nouveau-2026!" })).status).toBe(200);
  expect(await isOpen({ api, token: session })).toBe(false);
  await logIn({ api, email: user.email, password: "Nouveau-2026!" });
  const entries = await history(user);
  expect(entries.map(({ changes }) => changes)).toEqual([
    [{ field: "password", before: null, after: "modifié" }],
    [{ field: "name", before: "Martin", after: "Petit" }],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/2026!|argon/);
});

test("a new role, no verification and deactivation end sessions", async ({ api, database }) => {
  const { save } = await newStaff({ api, database });
  for (const change of [
    { roles: ["ROLE_USER", "ROLE_ADMIN"] },
    { isVerified: false },
    { isDeleted: true },
  ]) {
    const user = await createUser({ db: database });
    const session = await tokenOf(user);
    await save(user, { roles: ["ROLE_USER"], isVerified: true, isDeleted: false, name: "Autre" });
    expect(await isOpen({ api, token: session })).toBe(true);
    expect((await save(user, change)).json).toMatchObject(change);
    expect(await isOpen({ api, token: session }), JSON.stringify(change)).toBe(false);
    if (!change.isDeleted) continue;
    const login = { username: user.email, password: PASSWORD };
    expect((await api.post("/api/login_check", { json: login })).status).toBe(401);
    await save(user, { isDeleted: false });
    await logIn({ api, email: user.email });
  }
});

test("a typed token is stored as a digest, or removed", async ({ api, database }) => {
  const { save, history } = await newStaff({ api, database });
  const user = await createUser({ db: database, isVerified: false });
  const typed = {
    resetToken: `mon jeton d'au moins 32 caractères ${user.id}`,
    confirmationToken: `clé à molette/1 ? ok ${user.id}`,
  };
  const stored = {
    resetToken: digestOf(typed.resetToken),
    confirmationToken: digestOf(typed.confirmationToken),
  };
  expect((await save(user, typed)).json).toMatchObject(stored);
  expect((await save(user, stored)).json).toMatchObject(stored);
  for (const link of [
    `/api/reset-password/verify/${encodeURIComponent(typed.resetToken)}`,
    `/api/verify-email/${encodeURIComponent(typed.confirmationToken)}`,
  ])
    expect((await api.get(link)).json, link).toMatchObject({ valid: true });
  expect((await save(user, { resetToken: "" })).json.resetToken).toBeNull();

  const other = await createUser({ db: database });
  const shortest = longToken("jeton", user);
  expect((await save(user, { resetToken: shortest })).status).toBe(200);
  for (const [resetToken, sentence] of [
    [shortest, "Ce jeton est déjà utilisé par un autre compte."],
    ["a".repeat(31), "Le jeton doit contenir au moins 32 caractères."],
  ])
    expect(sentencesOf(await save(other, { resetToken }))).toEqual({ resetToken: sentence });
  const [row] = await database.select().from(users).where(eq(users.id, other.id));
  expect(row).toMatchObject({ resetTokenHash: null, version: 1 });
  const entries = JSON.stringify(await history(user));
  expect(entries).toContain("modifié");
  expect(entries).not.toContain(typed.resetToken);
  expect(entries).not.toContain(stored.resetToken);
});

test("administrators who edit each other are not blocked", async ({ api, database }) => {
  const [one, other] = [await newAdmin(database), await newAdmin(database)];
  const rename = (actor: typeof one, { id }: typeof one) =>
    api.put(`${WRITE}/${id}`, { token: actor.token, json: { name: "Garnier" }, mayFail: true });
  for (let round = 0; round < 5; round++) {
    const pairs = [rename(one, other), rename(other, one), rename(one, other), rename(other, one)];
    expect((await Promise.all(pairs)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }
});

test("a renamed author has the new name on pages", async ({ api, database, arrange }) => {
  const { save } = await newStaff({ api, database });
  const user = await createUser({ db: database, firstName: "Ondine" });
  const { id: productId } = await arrange((db) => createProduct({ db }));
  await arrange((db) => createReview({ db, userId: user.id, productId }));
  const page = async () => (await api.get(`/product/${productId}`)).text;
  expect(await page()).toContain("Ondine");
  await save(user, { lastname: "Mélusine" });
  expect(await page()).toContain("Mélusine");
});

test("deleting a user erases and records it", async ({ api, database }) => {
  const { token, id, save, history } = await newStaff({ api, database });
  const user = await createUser({ db: database });
  const session = await tokenOf(user);
  await save(user, { name: "Secret" });
  const deleted = await api.delete(`${PATH}/${user.id}`, { token });
  expect(deleted).toMatchObject({ status: 204, text: "" });
  expect(await isOpen({ api, token: session })).toBe(false);
  const entries = await history(user);
  expect(entries[0]).toMatchObject({ action: "delete", user: { id } });
  expect(JSON.stringify(entries)).not.toMatch(/Secret|Camille|@exemple/);
});

test("a customer's own change makes a save of staff outdated", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const user = await createUser({ db: database });
  const { id } = await createAddress({ db: database, userId: user.id });
  const owner = await tokenOf(user);
  await api.put(`/api/addresses_front/${id}`, { token: owner, json: { city: "Nantes" } });
  await api.put("/api/account", { token: owner, json: { nom: "Troisième" } });
  for (const [path, json, current] of [
    [`/api/addresses/${id}`, { city: "Brest" }, { id, city: "Nantes", version: 2 }],
    [`${WRITE}/${user.id}`, { name: "Second" }, { id: user.id, name: "Troisième" }],
  ] as const)
    expect(await api.put(path, { token, json: { ...json, version: 1 } }), path).toMatchObject({
      status: 409,
      json: { error: "Cet objet a été modifié entre-temps.", current },
    });
});

test("an outdated form restores no used link", async ({ api, database }) => {
  const { save } = await newStaff({ api, database });
  const user = await createUser({ db: database, isVerified: false });
  const confirmationToken = longToken("lien", user);
  const { json: copy } = await save(user, { confirmationToken });
  await api.get(`/api/verify-email/${confirmationToken}`);
  expect(await save(user, { ...copy, name: "A" })).toMatchObject({
    status: 409,
    json: { current: { isVerified: true, confirmationToken: null } },
  });
  const resetToken = longToken("nouveau", user);
  const { json: later } = await save(user, { resetToken });
  const confirm = { token: resetToken, password: "Nouveau-Motdepasse1!" };
  await api.post("/api/reset-password/confirm", { json: confirm });
  expect((await save(user, { ...later, name: "B" })).status).toBe(409);
});

test("links to a former address do not confirm the new one", async ({ api, database }) => {
  const { save } = await newStaff({ api, database });
  const user = await createUser({ db: database, isVerified: false });
  const links = {
    confirmationToken: longToken("confirmer", user),
    resetToken: longToken("changer", user),
  };
  const { json: copy } = await save(user, links);
  const { json: same } = await save(user, { ...copy, email: user.email.toUpperCase() });
  expect(same.resetToken).toBe(digestOf(links.resetToken));
  const moved = await save(user, { ...same, email: `autre-${user.email}` });
  expect(moved.json).toMatchObject({ confirmationToken: null, resetToken: null });
  for (const link of [
    `/api/verify-email/${links.confirmationToken}`,
    `/api/reset-password/verify/${links.resetToken}`,
  ])
    expect((await api.get(link)).json, link).toMatchObject({ valid: false });
  // A token typed together with a new e-mail address belongs to the new address.
  const resetToken = longToken("voulu", user);
  const wanted = await save(user, { email: `encore-${user.email}`, resetToken });
  expect(wanted.json.resetToken).toBe(digestOf(resetToken));
});

test("the last administrator is not deleted, deactivated or demoted", async ({ shopWith }) => {
  const { api, database } = await shopWith();
  const last = await createAdmin({ db: database });
  await database.delete(users).where(eq(users.email, "admin@mini-ecommerce.test"));
  const token = await tokenOf(last);
  for (const [field, value] of [
    ["roles", ["ROLE_USER"]],
    ["isDeleted", true],
    ["isVerified", false],
  ] as const) {
    const json = { [field]: value };
    expect(sentencesOf(await api.put(`${WRITE}/${last.id}`, { token, json }))).toEqual({
      [field]: "Le dernier administrateur de la boutique doit garder son rôle et un compte actif.",
    });
  }
  const refused = await api.delete(`${PATH}/${last.id}`, { token });
  expect([refused.status, refused.json]).toMatchObject([
    409,
    { error: "Le dernier administrateur de la boutique ne peut pas être supprimé." },
  ]);
  // An administrator who cannot log in does not count.
  await createAdmin({ db: database, isVerified: false });
  expect((await api.delete(`${PATH}/${last.id}`, { token })).status).toBe(409);
  const other = await createAdmin({ db: database });
  expect((await api.delete(`${PATH}/${other.id}`, { token })).status).toBe(204);
  expect(await isOpen({ api, token })).toBe(true);
  await database.delete(users).where(eq(users.lastName, "Administration"));

  // Of two who delete each other, themselves or their roles at the same time, one stays.
  const demote = { json: { roles: ["ROLE_USER"] } };
  for (const round of ["each other", "themselves", "roles"]) {
    const admins = [await createAdmin({ db: database }), await createAdmin({ db: database })];
    const targets = round === "each other" ? admins.toReversed() : admins;
    const tokens = await Promise.all(admins.map(tokenOf));
    const answers = await Promise.all(
      targets.map(({ id }, index) => {
        const token = String(tokens[index]);
        return round === "roles"
          ? api.put(`${WRITE}/${id}`, { token, ...demote })
          : api.delete(`${PATH}/${id}`, { token });
      }),
    );
    const left = sql`'ROLE_ADMIN' = any(${users.roles})`;
    expect(
      await database.$count(users, left),
      `${round}: ${answers.map(({ status }) => status)}`,
    ).toBe(1);
    await database.delete(users).where(eq(users.lastName, "Administration"));
  }
});

test("users are found by words in any form, also without a cart", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const family = `Zyx${Date.now()}`;
  for (const firstName of ["Bérénice", "Anaïs", "Chloé"]) {
    const { id } = await createUser({ db: database, firstName, lastName: family });
    if (firstName === "Anaïs") await createCart({ db: database, userId: id, items: [] });
  }
  const search = async (text: string, path = PATH) => {
    const query = `${path}?search=${encodeURIComponent(text)}&order[id]=asc`;
    const { json } = await api.get<User[]>(query, { token, accept: "application/json" });
    return json.map(({ lastname }) => lastname).join(" ");
  };
  expect(await search(`berenice ${family.toLowerCase()}`)).toBe("Bérénice");
  expect(await search(`${family} ANAÏS`)).toBe("Anaïs");
  expect(await search(`${family} be`)).toBe("Bérénice");
  expect(await search(`${family.slice(1)} hlo`)).toBe("Chloé");
  expect(await search("%")).toBe("");
  expect(await search(family, "/api/users-without-cart")).toBe("Bérénice Chloé");
});

test("lost two-factor is reset once, with a notice", async ({ api, database, mailbox }) => {
  const { token, id: adminId, history } = await newStaff({ api, database });
  const user = await createUser({ db: database });
  const session = await tokenOf(user);
  const stored = async () => (await database.select().from(users).where(eq(users.id, user.id)))[0];
  const reset = () => api.delete(`${WRITE}/${user.id}/2fa`, { token });
  await test.step("nothing changes while it is only being set up", async () => {
    await api.post("/api/2fa/activate", { token: session });
    const before = await stored();
    expect((await reset()).status).toBe(204);
    expect(await stored()).toEqual(before);
    expect(await queuedMails(database, user.email)).toEqual([]);
    expect(await history(user)).toEqual([]);
    expect((await api.delete(`${WRITE}/999999999/2fa`, { token })).status).toBe(404);
  });

  const activation = await turnTwoFactorOn({ api, token: session });
  const read = async () => (await api.get(`${PATH}/${user.id}`, { token })).json;
  expect(await read()).toMatchObject({ isTwoFactorActive: true });
  const pending = await issueToken({ user, type: "pending-2fa" });
  const answers = await Promise.all([reset(), reset(), reset()]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  expect(await read()).toMatchObject({ isTwoFactorActive: false, version: user.version + 1 });
  expect(await isOpen({ api, token: session })).toBe(false);
  const code = { code: activation.recoveryCodes[0] };
  expect((await api.post("/api/2fa/verify", { token: pending, json: code })).status).toBe(401);
  const { passwordHash, roles } = user;
  const none = { totpSecret: null, totpActiveSince: null, totpLastStep: null };
  expect(await stored()).toMatchObject({ ...none, passwordHash, roles });
  expect(await database.$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(0);
  // The password is enough again, and two-factor can be activated again.
  const login = await logIn({ api, email: user.email });
  await turnTwoFactorOn({ api, token: login.token });

  const entries = await history(user);
  expect(entries).toMatchObject([
    {
      action: "update",
      user: { id: adminId },
      changes: [{ field: "isTwoFactorActive", before: true, after: false }],
    },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/secret|step/i);
  const mail = await mailbox.waitForMail({
    to: user.email,
    subject: "La double authentification est désactivée",
  });
  expect(mail.text.replace(/\s+/g, " ")).toContain(
    "la boutique a désactivé la double authentification (2FA) de votre compte et fermé toutes vos sessions",
  );
});

test("a user whose account staff close gets one mail", async ({ api, database, mailbox }) => {
  const { token, save } = await newStaff({ api, database });
  for (const [subject, close] of [
    ["Votre compte a été désactivé", (id: number) => save({ id }, { isDeleted: true })],
    ["Votre compte a été supprimé", (id: number) => api.delete(`${PATH}/${id}`, { token })],
  ] as const) {
    const stranger = await createUser({ db: database, isVerified: false });
    const user = await createUser({ db: database });
    for (const { id } of [stranger, user]) expect((await close(id)).status).toBeLessThan(300);
    const mail = await mailbox.waitForMail({ to: user.email });
    expect(mail).toMatchObject({ subject, text: expect.stringContaining("la boutique a") });
    // Mails are sent in the order in which they are written: a mail to the stranger would have come
    // first.
    expect(mailbox.list({ to: stranger.email })).toEqual([]);
  }
  const user = await createUser({ db: database, isDeleted: true });
  await save(user, { isDeleted: true, name: "Autre" });
  expect(await queuedMails(database, user.email)).toEqual([]);
});
