import { eq } from "drizzle-orm";
import { SignJWT } from "jose";
import { createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { issueToken, verifyToken } from "@/lib/auth/token";
import {
  codeOf,
  isOpen,
  logIn,
  newEmail,
  type Refusal,
  staleTokenOf,
  tokenOf,
  turnTwoFactorOn,
} from "../accounts";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

// Sensitive changes need a login, a password or a code within the last ten minutes. e2e/access.spec.ts
// lists these calls.

const reauthenticate = (api: Api, token: string, json: object) =>
  api.post<{ token: string } & Refusal>("/api/reauthenticate", { token, json });

const now = () => Math.floor(Date.now() / 1000);

const authenticatedAt = async (token: string) => (await verifyToken(token))?.authenticatedAt ?? 0;

test("a refused change says which proof it needs, and then succeeds", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const expiresAt = now() + 60;
  const token = await issueToken({ user, type: "access", authenticatedAt: 0, expiresAt });
  const json = { password: "Nouveau-2026!" };
  const refused = await api.put<Refusal>("/api/account", { token, json });
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({
    type: "/api/errors/reauthentication-required",
    reauthentication: "password",
    status: 403,
    error: "Pour votre sécurité, confirmez d'abord votre identité.",
  });
  const confirmed = await reauthenticate(api, token, { password: DEFAULT_PASSWORD });
  expect(confirmed.status, confirmed.text).toBe(200);
  expect(confirmed.json).toEqual({ token: expect.any(String) });
  // The session is not extended.
  expect(await verifyToken(confirmed.json.token)).toMatchObject({ userId: user.id, expiresAt });
  expect(await authenticatedAt(confirmed.json.token)).toBeGreaterThan(now() - 60);
  // The response changes nothing for the user's existing tokens, including this one.
  expect(await isOpen({ api, token })).toBe(true);
  expect((await api.put("/api/account", { token, json })).status).toBe(403);
  const changed = await api.put("/api/account", { token: confirmed.json.token, json });
  expect(changed.status, changed.text).toBe(200);
  await logIn({ api, email: user.email, password: "Nouveau-2026!" });
});

test("a login nine minutes ago is recent, one without a time is not", async ({
  api,
  database,
  shopEnv,
}) => {
  const user = await createUser({ db: database });
  const nineMinutesAgo = now() - 9 * 60;
  const nine = await issueToken({ user, type: "access", authenticatedAt: nineMinutesAgo });
  expect((await api.post("/api/2fa/activate", { token: nine })).status).toBe(200);
  // A token without the claim, as older versions issued it.
  const { roles, sessionVersion: sv } = user;
  const tokenWithoutClaim = await new SignJWT({ roles, sv, type: "access" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(String(user.id))
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(String(shopEnv.AUTH_SECRET)));
  expect(await isOpen({ api, token: tokenWithoutClaim })).toBe(true);
  expect((await api.post("/api/2fa/activate", { token: tokenWithoutClaim })).status).toBe(403);
  // A new password does not change the login time in the token.
  const json = { password: "Nouveau-2026!" };
  const { json: saved } = await api.put<{ token: string }>("/api/account", { token: nine, json });
  expect(await authenticatedAt(saved.token)).toBe(nineMinutesAgo);
});

test("after an old login names can be changed, and all be read", async ({ api, database }) => {
  const [user, admin] = [await createUser({ db: database }), await createAdmin({ db: database })];
  const token = await staleTokenOf(user);
  const same = { nom: "Petit", password: "" };
  expect((await api.put("/api/account", { token, json: same })).status).toBe(200);
  expect((await api.get("/api/account", { token })).status).toBe(200);
  const staff = await staleTokenOf(admin);
  const unchanged = { roles: ["ROLE_USER"], password: "", resetToken: "", confirmationToken: null };
  const json = { email: user.email.toUpperCase(), name: "Durand", ...unchanged };
  const path = `/api/admin/users/${user.id}`;
  const renamed = await api.put(path, { token: staff, json });
  expect(renamed.status, renamed.text).toBe(200);
  const added = { email: newEmail(), name: "A", lastname: "B", password: DEFAULT_PASSWORD };
  const created = await api.post("/api/admin/users", { token: staff, json: added });
  expect(created.status, created.text).toBe(201);
});

test("staff with an old login do not change what opens an account", async ({ api, database }) => {
  const admin = await createAdmin({ db: database });
  for (const change of [
    { roles: ["ROLE_ADMIN"] },
    { email: newEmail("autre") },
    { password: "Nouveau-2026!" },
    { resetToken: `choisi-${newEmail()}` },
    { confirmationToken: `choisi-${newEmail()}` },
  ]) {
    const user = await createUser({ db: database });
    const path = `/api/admin/users/${user.id}`;
    const old = await staleTokenOf(admin);
    const refused = await api.put<Refusal>(path, { token: old, json: change });
    expect(refused.status, JSON.stringify(change)).toBe(403);
    expect(refused.json).toMatchObject({ reauthentication: "password" });
    const [stored] = await database.select().from(users).where(eq(users.id, user.id));
    expect(stored).toEqual(user);
    const token = await tokenOf(admin);
    expect((await api.put(path, { token, json: change })).status).toBe(200);
  }
});

test("a wrong password is refused, and the session goes on", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const token = await staleTokenOf(user);
  for (const [json, errors] of [
    [{ password: "Faux-2026!" }, { password: "Mot de passe incorrect" }],
    [{ password: "" }, { password: "Ce champ est obligatoire." }],
    [{}, { password: "Ce champ est obligatoire." }],
    // Without two-factor a code proves nothing.
    [{ code: "123456" }, { password: "Ce champ est obligatoire." }],
  ] as const) {
    const refused = await reauthenticate(api, token, json);
    expect(refused.status).toBe(422);
    expect(refused.json.errors).toEqual(errors);
  }
  expect(await isOpen({ api, token })).toBe(true);
  expect((await api.post("/api/2fa/activate", { token })).status).toBe(403);
});

test("with two-factor a code is asked for, and the password does not replace it", async ({
  api,
  database,
}) => {
  const user = await createUser({ db: database });
  const { secret, recoveryCodes } = await turnTwoFactorOn({ api, token: await tokenOf(user) });
  const token = await staleTokenOf(user);
  const refused = await api.post<Refusal>("/api/2fa/deactivate", { token });
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({ reauthentication: "code" });
  // Recovery codes are accepted, too. Each right code resets the tries of the token.
  const code = codeOf(secret, 1);
  for (const right of [...recoveryCodes.slice(0, 2), code]) {
    for (let tries = 0; tries < 4; tries++)
      expect((await reauthenticate(api, token, { code: "abcdef" })).status).toBe(422);
    expect((await reauthenticate(api, token, { code: right })).status).toBe(200);
  }
  for (const [json, message] of [
    [{ password: DEFAULT_PASSWORD }, "Ce champ est obligatoire."],
    // Like any code, it is valid once.
    [{ code }, "Code 2FA invalide"],
  ] as const) {
    const wrong = await reauthenticate(api, token, json);
    expect([wrong.status, wrong.json.errors]).toEqual([422, { code: message }]);
  }
  const { json } = await reauthenticate(api, token, { code: recoveryCodes[2] });
  expect((await api.post("/api/2fa/deactivate", { token: json.token })).status).toBe(200);
});

test("login and reauthentication share the limit of ten wrong passwords", async ({ limited }) => {
  const { api, database } = limited;
  const user = await createUser({ db: database });
  const token = await staleTokenOf(user);
  const right = { password: DEFAULT_PASSWORD };
  for (let tries = 0; tries < 9; tries++)
    expect((await reauthenticate(api, token, { password: "Faux-2026!" })).status).toBe(422);
  // A success resets the failures.
  expect((await reauthenticate(api, token, right)).status).toBe(200);
  for (let tries = 0; tries < 5; tries++) {
    expect((await reauthenticate(api, token, { password: "Faux-2026!" })).status).toBe(422);
    const json = { username: user.email, password: "Faux-2026!" };
    expect((await api.post("/api/login_check", { json })).status).toBe(401);
  }
  const refused = await reauthenticate(api, token, right);
  expect(refused.status).toBe(429);
  expect(refused.json.error).toBe("Trop de tentatives. Réessayez dans 15 minutes.");
  const json = { username: user.email, password: DEFAULT_PASSWORD };
  expect((await api.post("/api/login_check", { json })).status).toBe(429);
});
