import { expect, test } from "@playwright/test";
import { SignJWT } from "jose";
import { issueToken, verifyToken } from "@/lib/auth/token";
import { forgetEnv } from "@/lib/env";

const SECRET = "a-secret-that-is-long-enough-for-the-tests";
const user = { id: 12, roles: ["ROLE_USER", "ROLE_ADMIN"], sessionVersion: 3 };

const environment = { ...process.env };

test.beforeAll(() => {
  process.env.AUTH_SECRET = SECRET;
  forgetEnv();
});

test.afterAll(() => {
  process.env = environment;
  forgetEnv();
});

function forged(
  claims: Record<string, unknown>,
  { secret = SECRET, alg = "HS256", exp = "1h" } = {},
) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg })
    .setSubject("12")
    .setJti("x")
    .setExpirationTime(exp)
    .sign(new TextEncoder().encode(secret));
}

test("a token has its user, roles, version, type and id", async () => {
  const before = Math.floor(Date.now() / 1000);
  const token = await issueToken({ user, type: "access" });
  const claims = await verifyToken(token);
  const { id: userId, ...rest } = user;
  expect(claims).toMatchObject({ userId, ...rest, type: "access" });
  expect(claims?.expiresAt).toBeGreaterThanOrEqual(before + 12 * 3600);
  expect(claims?.expiresAt).toBeLessThan(before + 12 * 3600 + 60);
  const other = await verifyToken(await issueToken({ user, type: "access" }));
  expect(other?.tokenId).not.toBe(claims?.tokenId);
});

test("a token contains the login time; older tokens without it count as a login long ago", async () => {
  const now = Math.floor(Date.now() / 1000);
  const fresh = await verifyToken(await issueToken({ user, type: "access" }));
  expect(fresh?.authenticatedAt).toBeGreaterThanOrEqual(now);
  expect(fresh?.authenticatedAt).toBeLessThan(now + 60);
  const continued = { authenticatedAt: now - 900, expiresAt: now + 900 };
  const token = await issueToken({ user, type: "access", ...continued });
  expect(await verifyToken(token)).toMatchObject(continued);
  const silent = await forged({ roles: [], sv: 1, type: "access" });
  expect(await verifyToken(silent)).toMatchObject({ authenticatedAt: 0 });
});

test("the token of the second step expires after five minutes", async () => {
  const claims = await verifyToken(await issueToken({ user, type: "pending-2fa" }));
  expect(claims?.type).toBe("pending-2fa");
  const seconds = (claims?.expiresAt ?? 0) - Date.now() / 1000;
  expect(seconds).toBeGreaterThan(295);
  expect(seconds).toBeLessThanOrEqual(300);
});

test("forged and expired tokens are refused", async () => {
  const good = { roles: ["ROLE_ADMIN"], sv: 1, type: "access" };
  const [header, payload] = (await issueToken({ user, type: "access" })).split(".");
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  for (const token of [
    "",
    "abc",
    `${header}.${payload}.`,
    `${none}.${payload}.`,
    await forged(good, { secret: "another-secret" }),
    await forged(good, { alg: "HS512" }),
    await forged(good, { exp: "-1s" }),
    await forged({ ...good, type: "refresh" }),
    await forged({ roles: [], type: "access" }),
  ])
    expect(await verifyToken(token), token).toBeNull();
});

test("another secret invalidates every token, unless it is given as the previous one", async () => {
  const setSecrets = (AUTH_SECRET: string, previous?: string) => {
    process.env.AUTH_SECRET = AUTH_SECRET;
    delete process.env.AUTH_SECRET_PREVIOUS;
    if (previous) process.env.AUTH_SECRET_PREVIOUS = previous;
    forgetEnv();
  };
  const token = await issueToken({ user, type: "access" });
  setSecrets(`${SECRET}-new`, SECRET);
  expect(await verifyToken(token)).toMatchObject({ userId: 12 });
  const renewed = await issueToken({ user, type: "access" });
  setSecrets(`${SECRET}-new`);
  expect(await verifyToken(token)).toBeNull();
  expect(await verifyToken(renewed)).toMatchObject({ userId: 12 });
  setSecrets(SECRET);
});
