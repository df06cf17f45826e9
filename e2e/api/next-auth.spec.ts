import { eq, sql } from "drizzle-orm";
import { createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { issueToken } from "@/lib/auth/token";
import { tokenOf } from "../accounts";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

// The session cookie that next-auth issues for a bearer token, and its refusals.

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** The response's cookies, as a browser sends them back. */
function cookiesOf(headers: { "set-cookie"?: string[] }): string {
  return (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";", 1)[0]).join("; ");
}

async function requestCookie(api: Api, token: string, { mayFail = false } = {}) {
  const csrf = await api.get<{ csrfToken: string }>("/api/auth/csrf");
  const body = new URLSearchParams({ token, csrfToken: csrf.json.csrfToken }).toString();
  const headers = { ...FORM, Cookie: cookiesOf(csrf.headers) };
  return api.post("/api/auth/callback/token", { mayFail, body, headers });
}

const sessionCookie = (headers: { "set-cookie"?: string[] }) =>
  headers["set-cookie"]?.find((cookie) => cookie.includes("next-auth.session-token="));

test("a token is exchanged for a cookie that names its owner", async ({ api, database: db }) => {
  const user = await createUser({ db, roles: ["ROLE_USER", "ROLE_ADMIN"] });
  const answer = await requestCookie(api, await tokenOf(user));
  expect(answer.status).toBe(200);
  const cookie = sessionCookie(answer.headers) ?? "";
  expect(cookie).toContain("; HttpOnly");
  expect(cookie).toContain("; SameSite=Lax");
  expect(cookie).toContain("; Path=/");
  expect(cookie).not.toContain("; Secure");
  expect(cookie).not.toContain("Domain");

  const headers = { Cookie: cookiesOf(answer.headers) };
  const session = await api.get<{ expires: string; user: object }>("/api/auth/session", {
    headers,
  });
  expect(session.json.user).toEqual({
    id: user.id,
    name: "Camille Martin",
    roles: ["ROLE_USER", "ROLE_ADMIN"],
  });
  expect((await api.get("/backoffice", { headers })).status).toBe(200);
  // It authorizes no API call.
  expect((await api.get("/api/account", { headers })).status).toBe(401);
});

test("a customer's cookie opens what lib/guards.ts allows", async ({ api, database: db }) => {
  const made = await requestCookie(api, await tokenOf(await createUser({ db })));
  const headers = { Cookie: cookiesOf(made.headers) };
  for (const [path, to] of [
    ["/account", undefined],
    ["/forget-password", "/"],
    ["/backoffice", "/"],
    ["/checkout", "/cart"],
  ] as const)
    expect((await api.get(path, { headers })).headers.location, path).toBe(to);
});

test("a shop on https sets a Secure cookie", async ({ shopWith, database: db }) => {
  const { api } = await shopWith({
    env: { SITE_URL: "https://boutique.exemple.test" },
    database: "shared",
  });
  const user = await createUser({ db });
  const answer = await requestCookie(api, await tokenOf(user));
  expect(sessionCookie(answer.headers)).toMatch(/^__Host-next-auth\.session-token=.*; Secure/);
  const headers = { Cookie: cookiesOf(answer.headers) };
  expect((await api.get("/account", { headers })).status).toBe(200);
  expect((await api.get("/login", { headers })).headers.location).toBe("/");
});

test("other tokens get no cookie", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const pending = await issueToken({ user, type: "pending-2fa" });
  const revoked = await tokenOf({ ...user, sessionVersion: 0 });
  const { id } = await createUser({ db, isDeleted: true });
  const closed = await tokenOf({ ...user, id });
  for (const token of ["", "x", pending, revoked, closed]) {
    const answer = await requestCookie(api, token);
    expect(answer.status, token).toBe(401);
    expect(answer.json).toMatchObject({ code: 401 });
    expect(sessionCookie(answer.headers), token).toBeUndefined();
  }
});

test("another site's page gets no cookie without the CSRF token", async ({ api, database: db }) => {
  const token = await tokenOf(await createUser({ db }));
  const csrf = await api.get<{ csrfToken: string }>("/api/auth/csrf");
  for (const [fields, cookies] of [
    [{ token }, {}],
    [{ token, csrfToken: csrf.json.csrfToken }, {}],
    [{ token, csrfToken: "x" }, { Cookie: cookiesOf(csrf.headers) }],
  ] satisfies [Record<string, string>, Record<string, string>][]) {
    const body = new URLSearchParams(fields).toString();
    const headers = { ...FORM, ...cookies };
    const answer = await api.post("/api/auth/callback/token", { body, headers });
    expect(sessionCookie(answer.headers)).toBeUndefined();
    expect(answer.text).toContain("csrf=true");
  }
});

test("a revoked session's cookie is cleared by the next call", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const answer = await requestCookie(api, await tokenOf(user));
  const headers = { Cookie: cookiesOf(answer.headers) };
  await db
    .update(users)
    .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, user.id));
  const session = await api.get("/api/auth/session", { headers });
  expect(session.json).toEqual({});
  expect(sessionCookie(session.headers)).toContain("Max-Age=0");
});

test("the cookie ends with its token, however often it is read", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const expiresAt = Math.floor(Date.now() / 1000) + 60;
  const token = await issueToken({ user, type: "access", expiresAt });
  let cookie = sessionCookie((await requestCookie(api, token)).headers) ?? "";
  for (let reading = 0; reading < 2; reading++) {
    const headers = { Cookie: cookiesOf({ "set-cookie": [cookie] }) };
    const session = await api.get<{ expires: string }>("/api/auth/session", { headers });
    expect(Math.abs(Date.parse(session.json.expires) / 1000 - expiresAt)).toBeLessThan(2);
    cookie = sessionCookie(session.headers) ?? "";
  }
});

test("without the database no cookie is set, and none is cleared", async ({
  shopWith,
  databaseProxy: proxy,
  database: db,
}) => {
  const { api } = await shopWith({ database: "shared", env: { DATABASE_URL: proxy.url } });
  const user = await createUser({ db });
  const token = await tokenOf(user);
  const headers = { Cookie: cookiesOf((await requestCookie(api, token)).headers) };

  await proxy.cut();
  expect((await requestCookie(api, token, { mayFail: true })).status).toBe(503);
  const session = await api.get<{ user: object }>("/api/auth/session", { headers });
  expect(session.json.user).toMatchObject({ id: user.id });
  const kept = { Cookie: cookiesOf({ "set-cookie": [sessionCookie(session.headers) ?? ""] }) };
  await proxy.heal();
  expect((await api.get("/account", { headers: kept })).status).toBe(200);
});

test("malformed requests are refused, and never a 500", async ({ api }) => {
  for (const path of ["/api/auth", "/api/auth/signin", "/api/auth/error", "/api/auth/a/b/c"])
    expect((await api.get(path)).status, path).toBe(404);
  for (const path of ["signin/token", "session", "_log", "callback/other"])
    expect((await api.post(`/api/auth/${path}`, { body: "", headers: FORM })).status).toBe(404);
  expect((await api.put("/api/auth/csrf")).status).toBe(405);
  const post = (body: string, headers: Record<string, string>) =>
    api.post("/api/auth/callback/token", { body, headers });
  expect((await post("{", { "Content-Type": "application/json" })).status).toBe(415);
  expect((await post(`token=${"a".repeat(70_000)}`, FORM)).status).toBe(413);
  for (const callbackUrl of ["javascript:alert(1)", "x", "//evil.example"]) {
    const query = `?callbackUrl=${encodeURIComponent(callbackUrl)}`;
    expect((await api.get(`/api/auth/csrf${query}`)).status).toBe(200);
    const headers = { Cookie: `next-auth.callback-url=${encodeURIComponent(callbackUrl)}` };
    expect((await api.get("/api/auth/csrf", { headers })).status).toBe(400);
  }
  const garbage = { Cookie: "next-auth.session-token=garbage; next-auth.csrf-token=%00|x" };
  expect((await api.get("/api/auth/session", { headers: garbage })).json).toEqual({});
  expect((await api.get("/account", { headers: garbage })).headers.location).toBe(
    "/login?retour=/account",
  );
});

test("token and cookie outlive the secret that made them, while it is AUTH_SECRET_PREVIOUS", async ({
  api,
  shopWith,
  shopEnv,
  database: db,
}) => {
  const token = await tokenOf(await createUser({ db }));
  const made = await requestCookie(api, token);
  const AUTH_SECRET = "another-secret-that-replaces-the-first";
  const rotated = await shopWith({
    env: { AUTH_SECRET, AUTH_SECRET_PREVIOUS: String(shopEnv.AUTH_SECRET) },
    database: "shared",
  });
  expect((await rotated.api.get("/api/account", { token })).status).toBe(200);
  const old = { Cookie: cookiesOf(made.headers) };
  expect((await rotated.api.get("/account", { headers: old })).status).toBe(200);
  expect((await requestCookie(rotated.api, token)).status).toBe(200);
  // Reading the cookie issues another one, which only the new secret opens.
  const session = await rotated.api.get("/api/auth/session", { headers: old });
  const renewed = { Cookie: cookiesOf({ "set-cookie": [sessionCookie(session.headers) ?? ""] }) };
  const finished = await shopWith({ env: { AUTH_SECRET }, database: "shared" });
  expect((await finished.api.get("/account", { headers: renewed })).status).toBe(200);
  expect((await finished.api.get("/account", { headers: old })).status).toBe(307);
  expect((await finished.api.get("/api/account", { token })).status).toBe(401);
});
