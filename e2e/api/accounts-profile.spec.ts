import { eq } from "drizzle-orm";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { isOpen, logIn, newEmail, type Refusal, tokenOf } from "../accounts";
import { expect, test } from "../fixtures";
import { countLockWaits } from "../table-lock";

const STEM = "Le mot de passe doit contenir au moins";
const REQUIRED = "Ce champ est obligatoire.";

interface Account {
  user: { id: number; nom: string; lastname: string; email: string; roles: string[] };
  token?: string;
}

test("everybody reads their own account, under the contract's names", async ({ api, database }) => {
  const user = await createUser({ db: database, firstName: "Zoé", lastName: "Durand" });
  const admin = await createAdmin({ db: database });
  const own = await api.get("/api/account", { token: await tokenOf(user) });
  expect(own.json).toEqual({
    user: {
      id: user.id,
      nom: "Durand",
      lastname: "Zoé",
      email: user.email,
      roles: ["ROLE_USER"],
      totpSecret: null,
    },
  });
  const { json } = await api.get<Account>("/api/account", { token: await tokenOf(admin) });
  expect(json.user.roles).toEqual(["ROLE_USER", "ROLE_ADMIN"]);
});

test("names change, alone or together, and nothing else with them", async ({ api, database }) => {
  const user = await createUser({ db: database, firstName: "Zoé", lastName: "Durand" });
  const token = await tokenOf(user);
  const put = async (json: object) => {
    const answer = await api.put<Account>("/api/account", { token, json });
    expect(answer.status).toBe(200);
    expect(answer.json, JSON.stringify(json)).not.toHaveProperty("token");
    return answer.json.user;
  };
  const both = await put({ nom: "  Li \n", lastname: "Bo" });
  expect(both).toMatchObject({ nom: "Li", lastname: "Bo" });
  const others = { roles: ["ROLE_ADMIN"], isVerified: false, totpSecret: "********", id: 1 };
  const one = await put({ nom: "Wu", email: newEmail("autre"), ...others });
  expect(one).toMatchObject({ nom: "Wu", lastname: "Bo" });
  for (const password of ["", null, undefined])
    expect(await put({ password })).toMatchObject({ nom: "Wu", lastname: "Bo" });
  const [stored] = await database.select().from(users).where(eq(users.id, user.id));
  expect(stored).toMatchObject({
    lastName: "Wu",
    firstName: "Bo",
    email: user.email,
    roles: ["ROLE_USER"],
    isVerified: true,
    totpSecret: null,
  });
  expect(stored?.version).toBeGreaterThan(user.version);
  expect(await isOpen({ api, token })).toBe(true);
  await logIn({ api, email: user.email });
});

test("names must not be empty, and each has its message", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const token = await tokenOf(user);
  const { status, json } = await api.put<Refusal>("/api/account", {
    token,
    json: { nom: "", lastname: " ", password: "court" },
  });
  expect(status).toBe(422);
  expect(json.errors).toEqual({
    nom: REQUIRED,
    lastname: REQUIRED,
    password: `${STEM} 8 caractères`,
  });
  expect(json.violations.filter(({ propertyPath }) => propertyPath === "password")).toHaveLength(4);
  const long = await api.put<Refusal>("/api/account", { token, json: { nom: "a".repeat(101) } });
  expect(long.json.errors).toEqual({ nom: "Ce champ doit contenir au plus 100 caractères." });
  const [stored] = await database.select().from(users).where(eq(users.id, user.id));
  expect(stored).toMatchObject({ lastName: user.lastName, passwordHash: user.passwordHash });
});

test("a new password replaces every session by a new one", async ({ api, database, mailbox }) => {
  const user = await createUser({ db: database });
  const elsewhere = await logIn({ api, email: user.email });
  const token = await tokenOf(user);
  const password = "Nouveau-2026!";
  const { status, json } = await api.put<Account>("/api/account", {
    token,
    json: { password },
  });
  expect(status).toBe(200);
  expect(json.user.id).toBe(user.id);
  expect(await isOpen({ api, token: String(json.token) })).toBe(true);
  expect(await isOpen({ api, token })).toBe(false);
  expect(await isOpen({ api, token: elsewhere.token })).toBe(false);
  await logIn({ api, email: user.email, password });
  const old = { username: user.email, password: DEFAULT_PASSWORD };
  expect((await api.post("/api/login_check", { json: old })).status).toBe(401);
  await mailbox.waitForMail({ to: user.email, subject: "Votre mot de passe a été modifié" });
});

test("a session revoked during the request is refused", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const token = await tokenOf(user);
  const json = { nom: "Voleuse", lastname: "Tardive", password: "Volé-2026-2026!" };
  const waiting = () => countLockWaits(db);
  // The token is valid when both requests arrive. Then both wait for the user's row, one after the other.
  const { logout, change } = await db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, user.id)).for("update");
    const logout = api.post("/api/logout", { token });
    await expect.poll(waiting).toBe(1);
    const change = api.put<Refusal>("/api/account", { token, json });
    await expect.poll(waiting).toBe(2);
    return { logout, change };
  });
  expect((await logout).status).toBe(204);
  expect((await change).status).toBe(401);
  await logIn({ api, email: user.email });
});

test("of concurrent password changes one succeeds", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const token = await tokenOf(user);
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      api.put<Account>("/api/account", { token, json: { password: `Nouveau-${n}-2026!` } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  const good = answers.findIndex(({ status }) => status === 200);
  await logIn({ api, email: user.email, password: `Nouveau-${good + 1}-2026!` });
});

test("a new name appears on reviews immediately", async ({ api, arrange, shop }) => {
  const { user, product } = await arrange(async (db) => {
    const user = await createUser({ db, firstName: "Zoé", lastName: "Durand" });
    const product = await createProduct({ db });
    await createReview({ db, productId: product.id, userId: user.id });
    return { user, product };
  });
  const page = async () => (await fetch(`${shop.baseURL}/product/${product.id}`)).text();
  expect(await page()).toContain("Zoé D.");
  const json = { nom: "Martin", lastname: "Ida" };
  expect((await api.put("/api/account", { token: await tokenOf(user), json })).status).toBe(200);
  await expect.poll(page).toContain("Ida M.");
  expect(await page()).not.toContain("Zoé D.");
});

test("ten new passwords an hour are the limit", async ({ limited }) => {
  const { api, database } = limited;
  const user = await createUser({ db: database });
  let token = await tokenOf(user);
  const change = (json: object) => api.put<Account & Refusal>("/api/account", { token, json });
  for (let count = 0; count < 10; count++) {
    const { status, json } = await change({ password: `Nouveau-2026!${count}` });
    expect(status).toBe(200);
    token = String(json.token);
  }
  expect((await change({ password: "Nouveau-2026!" })).status).toBe(429);
  expect((await change({ nom: "Martin" })).status).toBe(200);
});
