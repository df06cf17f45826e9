import { eq } from "drizzle-orm";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { recoveryCodes, users } from "@/db/schema/auth";
import { digestOf } from "@/lib/auth/mailed-token";
import { lockAdmins } from "@/lib/auth/queries";
import { issueToken } from "@/lib/auth/token";
import { isOpen, logIn, newEmail, tokenOf, turnTwoFactorOn } from "../accounts";
import { historyOf, newAdmin, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";
import type { Collection } from "../representation";

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
const REQUIRED = "Ce champ est obligatoire.";
const PASSWORD = "Motdepasse-2026!";

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

test("missing or invalid fields have their messages", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  expect(sentencesOf(await api.post(WRITE, { token, json: {} }))).toEqual({
    email: REQUIRED,
    name: REQUIRED,
    lastname: REQUIRED,
    password: REQUIRED,
  });
  const good = { email: newEmail(), name: "A", lastname: "B", password: PASSWORD };
  for (const [change, sentences] of [
    [{ email: "pas-une-adresse" }, { email: "Veuillez saisir une adresse e-mail valide." }],
    [{ password: "" }, { password: REQUIRED }],
    [{ roles: ["ROLE_KING"] }, { "roles[0]": expect.stringContaining("ROLE_USER, ROLE_ADMIN") }],
    [{ isVerified: "oui" }, { isVerified: "Ce champ doit être vrai ou faux." }],
  ] as const) {
    const answer = await api.post(WRITE, { token, json: { ...good, ...change } });
    expect(sentencesOf(answer)).toEqual(sentences);
  }
  const weak = await api.post(WRITE, { token, json: { ...good, password: "court" } });
  expect(sentencesOf(weak).password).toContain("Le mot de passe doit contenir au moins");
  const { email } = await createUser({ db: database });
  const taken = { ...good, email: email.toUpperCase() };
  expect(sentencesOf(await api.post(WRITE, { token, json: taken }))).toEqual({
    email: "Cette adresse e-mail est déjà utilisée.",
  });
  const { id } = await createUser({ db: database });
  expect(sentencesOf(await api.put(`${WRITE}/${id}`, { token, json: { email } }))).toEqual({
    email: "Cette adresse e-mail est déjà utilisée.",
  });
});

test("Unicode and punycode forms are the same e-mail address", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const ascii = newEmail().replace("@exemple.test", "@xn--socit-esab.test");
  const email = ascii.replace("@xn--socit-esab.test", "@société.test");
  const TAKEN = { email: "Cette adresse e-mail est déjà utilisée." };
  const { id, version } = await createUser({ db: database, email });
  const other = { email: ascii, name: "A", lastname: "B", password: PASSWORD };
  expect(sentencesOf(await api.post(WRITE, { token, json: other }))).toEqual(TAKEN);
  const { id: otherId } = await createUser({ db: database });
  const moved = await api.put(`${WRITE}/${otherId}`, { token, json: { email: ascii } });
  expect(sentencesOf(moved)).toEqual(TAKEN);
  // The browser's punycode form counts as the same e-mail address.
  const json = { email: ascii, version };
  expect((await api.put<{ email: string }>(`${WRITE}/${id}`, { token, json })).json.email).toBe(
    ascii,
  );
});

test("of concurrent accounts with one address one is created", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const json = { email: newEmail(), name: "A", lastname: "B", password: PASSWORD };
  const answers = await Promise.all([1, 2, 3].map(() => api.post(WRITE, { token, json })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
});

test("what is not sent stays; a new password ends sessions", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const user = await createUser({ db: database });
  const session = await tokenOf(user);
  const renamed = await api.put<User>(`${WRITE}/${user.id}`, {
    token,
    json: { name: "Petit", password: "" },
  });
  expect(renamed.status, renamed.text).toBe(200);
  expect(renamed.json).toMatchObject({ email: user.email, name: "Petit", lastname: "Camille" });
  expect(await isOpen({ api, token: session })).toBe(true);
  const changed = await api.put<User>(`${WRITE}/${user.id}`, {
    token,
    json: { password: "Nouveau-2026!" },
  });
  expect(changed.status).toBe(200);
  expect(await isOpen({ api, token: session })).toBe(false);
  await logIn({ api, email: user.email, password: "Nouveau-2026!" });
  const history = await historyOf({ api, token, entity: "User", id: user.id });
  expect(history.map(({ changes }) => changes)).toEqual([
    [{ field: "password", before: null, after: "modifié" }],
    [{ field: "name", before: "Martin", after: "Petit" }],
  ]);
  expect(JSON.stringify(history)).not.toMatch(/2026!|argon/);
});

test("a new role, no verification and deactivation end sessions", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  for (const change of [
    { roles: ["ROLE_USER", "ROLE_ADMIN"] },
    { isVerified: false },
    { isDeleted: true },
  ]) {
    const user = await createUser({ db: database });
    const path = `${WRITE}/${user.id}`;
    const session = await tokenOf(user);
    const same = { roles: ["ROLE_USER"], isVerified: true, isDeleted: false, name: "Autre" };
    await api.put(path, { token, json: same });
    expect(await isOpen({ api, token: session })).toBe(true);
    const changed = await api.put<User>(path, { token, json: change });
    expect(changed.json).toMatchObject(change);
    expect(await isOpen({ api, token: session }), JSON.stringify(change)).toBe(false);
    if (!change.isDeleted) continue;
    const login = { username: user.email, password: PASSWORD };
    expect((await api.post("/api/login_check", { json: login })).status).toBe(401);
    await api.put(path, { token, json: { isDeleted: false } });
    await logIn({ api, email: user.email });
  }
});

test("a typed token is stored as a digest, or removed", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const user = await createUser({ db: database, isVerified: false });
  const path = `${WRITE}/${user.id}`;
  const typed = {
    resetToken: `mon jeton d'au moins 32 caractères ${user.id}`,
    confirmationToken: `clé à molette/1 ? ok ${user.id}`,
  };
  const set = await api.put<User>(path, { token, json: typed });
  expect(set.json.resetToken).toBe(digestOf(typed.resetToken));
  expect(set.json.confirmationToken).toBe(digestOf(typed.confirmationToken));
  const works = await api.get(`/api/reset-password/verify/${encodeURIComponent(typed.resetToken)}`);
  expect(works.json).toEqual({ valid: true });
  const same = await api.put<User>(path, {
    token,
    json: { resetToken: set.json.resetToken, confirmationToken: set.json.confirmationToken },
  });
  expect(same.json.resetToken).toBe(digestOf(typed.resetToken));
  const link = `/api/verify-email/${encodeURIComponent(typed.confirmationToken)}`;
  expect((await api.get(link)).json).toMatchObject({ valid: true });
  const cleared = await api.put<User>(path, { token, json: { resetToken: "" } });
  expect(cleared.json.resetToken).toBeNull();
  const { id: otherId } = await createUser({ db: database });
  // The shortest token that resets a password.
  const json = { resetToken: `${user.id}-`.padEnd(32, "a") };
  expect((await api.put(path, { token, json })).status).toBe(200);
  for (const [resetToken, sentence] of [
    [json.resetToken, "Ce jeton est déjà utilisé par un autre compte."],
    ["a".repeat(31), "Le jeton doit contenir au moins 32 caractères."],
  ])
    expect(
      sentencesOf(await api.put(`${WRITE}/${otherId}`, { token, json: { resetToken } })),
    ).toEqual({ resetToken: sentence });
  const [other] = await database.select().from(users).where(eq(users.id, otherId));
  expect(other).toMatchObject({ resetTokenHash: null, version: 1 });
  const history = JSON.stringify(await historyOf({ api, token, entity: "User", id: user.id }));
  expect(history).toContain("modifié");
  expect(history).not.toContain(typed.resetToken);
  expect(history).not.toContain(digestOf(typed.resetToken));
});

test("administrators who edit each other are not blocked", async ({ api, database }) => {
  const [one, other] = [await newAdmin(database), await newAdmin(database)];
  const rename = (actor: typeof one, { id }: typeof one) =>
    api.put(`${WRITE}/${id}`, { token: actor.token, json: { name: "Garnier" }, mayFail: true });
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      ...[rename(one, other), rename(other, one)],
      ...[rename(one, other), rename(other, one)],
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }
});

test("a renamed author has the new name on pages", async ({ api, database, arrange }) => {
  const { token } = await newAdmin(database);
  const { user, product } = await arrange(async (db) => {
    const user = await createUser({ db, firstName: "Ondine" });
    const product = await createProduct({ db });
    await createReview({ db, userId: user.id, productId: product.id });
    return { user, product };
  });
  const page = async () => (await api.get(`/product/${product.id}`, { accept: "text/html" })).text;
  expect(await page()).toContain("Ondine");
  await api.put(`${WRITE}/${user.id}`, { token, json: { lastname: "Mélusine" } });
  expect(await page()).toContain("Mélusine");
});

test("deleting a user erases and records it", async ({ api, database }) => {
  const { token, id: adminId } = await newAdmin(database);
  const user = await createUser({ db: database });
  const session = await tokenOf(user);
  await api.put(`${WRITE}/${user.id}`, { token, json: { name: "Secret" } });
  const deleted = await api.delete(`${PATH}/${user.id}`, { token });
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  expect(await isOpen({ api, token: session })).toBe(false);
  const history = await historyOf({ api, token, entity: "User", id: user.id });
  expect(history[0]).toMatchObject({ action: "delete", user: { id: adminId } });
  expect(JSON.stringify(history)).not.toMatch(/Secret|Camille|@exemple/);
});

test("a customer's own change makes a save outdated", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const user = await createUser({ db: database });
  await api.put("/api/account", { token: await tokenOf(user), json: { nom: "Troisième" } });
  const json = { name: "Second", version: 1 };
  const refused = await api.put(`${WRITE}/${user.id}`, { token, json });
  expect(refused.status).toBe(409);
  expect(refused.json).toMatchObject({
    error: "Cet objet a été modifié entre-temps.",
    current: { name: "Troisième" },
  });
});

test("an outdated form restores no used link", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const user = await createUser({ db: database, isVerified: false });
  const path = `${WRITE}/${user.id}`;
  const confirmationToken = `lien-jeton-de-32-caracteres-au-moins-${user.id}`;
  const { json: copy } = await api.put<User>(path, { token, json: { confirmationToken } });
  await api.get(`/api/verify-email/${confirmationToken}`);
  const refused = await api.put<{ current: User }>(path, { token, json: { ...copy, name: "A" } });
  expect(refused.status).toBe(409);
  expect(refused.json.current).toMatchObject({ isVerified: true, confirmationToken: null });

  const resetToken = `nouveau-jeton-de-32-caracteres-au-moins-${user.id}`;
  const { json: later } = await api.put<User>(path, { token, json: { resetToken } });
  const confirm = { token: resetToken, password: "Nouveau-Motdepasse1!" };
  await api.post("/api/reset-password/confirm", { json: confirm });
  expect((await api.put(path, { token, json: { ...later, name: "B" } })).status).toBe(409);
});

test("links to a former address do not confirm the new one", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const user = await createUser({ db: database, isVerified: false });
  const path = `${WRITE}/${user.id}`;
  const links = {
    confirmationToken: `confirmer-jeton-de-32-caracteres-${user.id}`,
    resetToken: `changer-jeton-de-32-caracteres-${user.id}`,
  };
  const { json: copy } = await api.put<User>(path, { token, json: links });
  const same = await api.put<User>(path, {
    token,
    json: { ...copy, email: user.email.toUpperCase() },
  });
  expect(same.json.resetToken).toBe(digestOf(links.resetToken));
  const moved = await api.put<User>(path, {
    token,
    json: { ...same.json, email: `autre-${user.email}` },
  });
  expect(moved.json).toMatchObject({ confirmationToken: null, resetToken: null });
  for (const link of [
    `/api/verify-email/${links.confirmationToken}`,
    `/api/reset-password/verify/${links.resetToken}`,
  ])
    expect((await api.get(link)).json, link).toMatchObject({ valid: false });
  // A token typed together with a new e-mail address belongs to the new address.
  const typed = {
    email: `encore-${user.email}`,
    resetToken: `voulu-jeton-de-32-caracteres-au-moins-${user.id}`,
  };
  const wanted = await api.put<User>(path, { token, json: typed });
  expect(wanted.json.resetToken).toBe(digestOf(typed.resetToken));
});

test.describe("the last administrator", () => {
  test("is checked without blocking other requests", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    await database.transaction(async (tx) => {
      expect(await lockAdmins(tx, { except: 0 })).toBe(true);
      // The new tag's audit entry refers to the administrator, whose row is locked.
      const added = await api.post("/api/tags", { token, json: { name: "Pendant ce temps" } });
      expect(added.status, added.text).toBe(201);
    });
  });

  const LAST_DELETED = "Le dernier administrateur de la boutique ne peut pas être supprimé.";

  test("can be neither deleted nor deactivated nor demoted", async ({ shopWith }) => {
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
      const answer = await api.put(`${WRITE}/${last.id}`, { token, json });
      expect(sentencesOf(answer)).toEqual({
        [field]:
          "Le dernier administrateur de la boutique doit garder son rôle et un compte actif.",
      });
    }
    const refused = await api.delete(`${PATH}/${last.id}`, { token });
    expect([refused.status, refused.json]).toMatchObject([409, { error: LAST_DELETED }]);
    // An administrator who cannot log in does not count.
    await createAdmin({ db: database, isVerified: false });
    expect((await api.delete(`${PATH}/${last.id}`, { token })).status).toBe(409);
    const other = await createAdmin({ db: database });
    expect((await api.delete(`${PATH}/${other.id}`, { token })).status).toBe(204);
    expect(await isOpen({ api, token })).toBe(true);
    await database.delete(users).where(eq(users.lastName, "Administration"));

    // Concurrent deletions of each other or themselves.
    for (const round of ["each other", "themselves", "roles"]) {
      const admins = [await createAdmin({ db: database }), await createAdmin({ db: database })];
      const [a, b] = admins;
      if (!a || !b) throw new Error("no administrators");
      const tokens = await Promise.all(admins.map(tokenOf));
      const target = round === "each other" ? [b, a] : [a, b];
      const answers = await Promise.all(
        target.map(({ id }, index) =>
          round === "roles"
            ? api.put(`${WRITE}/${id}`, {
                token: String(tokens[index]),
                json: { roles: ["ROLE_USER"] },
              })
            : api.delete(`${PATH}/${id}`, { token: String(tokens[index]) }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      const left = await database
        .select({ id: users.id })
        .from(users)
        .where(eq(users.lastName, "Administration"));
      const rows = await database.execute<{ count: number }>(
        "select count(*)::int as count from users where 'ROLE_ADMIN' = any(roles)",
      );
      expect(rows[0]?.count, `${round}: ${statuses}`).toBe(1);
      for (const { id } of left) await database.delete(users).where(eq(users.id, id));
    }
  });
});

test("a search minds no accents, capitals or order of words", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const family = `Zyx${Date.now()}`;
  const made: number[] = [];
  for (const firstName of ["Bérénice", "Anaïs", "Chloé"])
    made.push((await createUser({ db: database, firstName, lastName: family })).id);
  const search = async (text: string) => {
    const query = `${PATH}?search=${encodeURIComponent(text)}&order[id]=desc`;
    return (await api.get<Collection<User>>(query, { token })).json["hydra:member"].map(
      ({ id }) => id,
    );
  };
  expect(await search(`berenice ${family.toLowerCase()}`)).toEqual([made[0]]);
  expect(await search(`${family} ANAÏS`)).toEqual([made[1]]);
  expect(await search(`${family} be`)).toEqual([made[0]]);
  expect(await search(`${family.slice(1)} hlo`)).toEqual([made[2]]);
  expect(await search("%")).toEqual([]);
});

test("users without a cart are listed", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const family = `Wvu${Date.now()}`;
  const without = await createUser({ db: database, lastName: family });
  const owner = await createUser({ db: database, lastName: family });
  await createCart({ db: database, userId: owner.id, items: [] });
  const answer = await api.get<Collection<User>>(`/api/users-without-cart?search=${family}`, {
    token,
  });
  expect(answer.json["@id"]).toBe("/api/users-without-cart");
  expect(answer.json["hydra:member"].map(({ id }) => id)).toEqual([without.id]);
});

test.describe("two-factor of somebody who has lost it", () => {
  test("is reset once, with notice and history", async ({ api, database, mailbox }) => {
    const { token, id: adminId } = await newAdmin(database);
    const user = await createUser({ db: database });
    const session = await tokenOf(user);
    const activation = await turnTwoFactorOn({ api, token: session });
    const path = `${WRITE}/${user.id}/2fa`;
    const read = async () => (await api.get<User>(`${PATH}/${user.id}`, { token })).json;
    expect(await read()).toMatchObject({ isTwoFactorActive: true });
    const pending = await issueToken({ user, type: "pending-2fa" });

    const answers = await Promise.all([1, 2, 3].map(() => api.delete(path, { token })));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await read()).toMatchObject({ isTwoFactorActive: false, version: user.version + 1 });
    expect(await isOpen({ api, token: session })).toBe(false);
    const code = { code: activation.recoveryCodes[0] };
    expect((await api.post("/api/2fa/verify", { token: pending, json: code })).status).toBe(401);
    const [stored] = await database.select().from(users).where(eq(users.id, user.id));
    expect(stored).toMatchObject({
      totpSecret: null,
      totpActiveSince: null,
      totpLastStep: null,
      passwordHash: user.passwordHash,
      roles: user.roles,
    });
    const codes = database.select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
    expect(await codes).toEqual([]);
    // The password is enough again, and two-factor can be activated again.
    const login = await logIn({ api, email: user.email });
    await turnTwoFactorOn({ api, token: login.token });

    const history = await historyOf({ api, token, entity: "User", id: user.id });
    expect(history).toMatchObject([
      {
        action: "update",
        user: { id: adminId },
        changes: [{ field: "isTwoFactorActive", before: true, after: false }],
      },
    ]);
    expect(JSON.stringify(history)).not.toMatch(/secret|step/i);
    const mail = await mailbox.waitForMail({
      to: user.email,
      subject: "La double authentification est désactivée",
    });
    expect(mail.text.replace(/\s+/g, " ")).toContain(
      "la boutique a désactivé la double authentification (2FA) de votre compte et fermé toutes vos sessions",
    );
  });

  test("is not reset, and nothing changes, if it is not active", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const session = await tokenOf(user);
    // Two-factor is being set up, but is not active yet.
    await api.post("/api/2fa/activate", { token: session });
    const stored = () => database.select().from(users).where(eq(users.id, user.id));
    const before = await stored();
    expect((await api.delete(`${WRITE}/${user.id}/2fa`, { token })).status).toBe(204);
    expect(await stored()).toEqual(before);
    expect(await queuedMails(database, user.email)).toEqual([]);
    expect(await historyOf({ api, token, entity: "User", id: user.id })).toEqual([]);
    expect((await api.delete(`${WRITE}/999999999/2fa`, { token })).status).toBe(404);
  });
});

test("a user whose account staff close gets one mail", async ({ api, database, mailbox }) => {
  const { token } = await newAdmin(database);
  const closings = [
    {
      subject: "Votre compte a été désactivé",
      close: (id: number) => api.put(`${WRITE}/${id}`, { token, json: { isDeleted: true } }),
    },
    {
      subject: "Votre compte a été supprimé",
      close: (id: number) => api.delete(`${PATH}/${id}`, { token }),
    },
  ];
  for (const { subject, close } of closings) {
    const stranger = await createUser({ db: database, isVerified: false });
    const user = await createUser({ db: database });
    for (const { id } of [stranger, user]) expect((await close(id)).status).toBeLessThan(300);
    const mail = await mailbox.waitForMail({ to: user.email });
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain("la boutique a");
    // Mails are sent in the order in which they are written: a mail to the stranger would have come
    // first.
    expect(mailbox.list({ to: stranger.email })).toEqual([]);
  }
  const user = await createUser({ db: database, isDeleted: true });
  await api.put(`${WRITE}/${user.id}`, { token, json: { isDeleted: true, name: "Autre" } });
  expect(await queuedMails(database, user.email)).toEqual([]);
});
