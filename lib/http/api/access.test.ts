import { eq } from "drizzle-orm";
import { createAdmin, createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { expect, test } from "@/e2e/database-fixtures";
import { getSessionUser } from "@/lib/auth/queries";
import { issueToken, verifyToken } from "@/lib/auth/token";
import { forgetEnv } from "@/lib/env";
import { isFailure } from "@/lib/errors/failure";
import { type Access, authenticateBy, authorize } from "@/lib/http/api/access";
import type { TokenType } from "@/lib/http/api/caller";
import { message } from "@/lib/http/api/reply";
import { route, viewOf } from "@/lib/http/api/route";

authenticateBy({ verifyToken, getSessionUser });

type UserRow = Awaited<ReturnType<typeof createUser>>;

/** The caller's id, or the kind of the refusal. */
async function outcome(access: Access, token: string): Promise<number | string | null> {
  const request = new Request("http://shop.test/api/things", {
    headers: { authorization: `Bearer ${token}` },
  });
  try {
    const { user } = await authorize(access, request);
    return user?.id ?? null;
  } catch (error) {
    if (isFailure(error)) return error.kind;
    throw error;
  }
}

const tokenOf = (user: UserRow, type: TokenType = "access") => issueToken({ user, type });

test("a customer has access as a user, and not as an administrator", async ({ database }) => {
  const user = await createUser({ db: database });
  const token = await tokenOf(user);
  expect(await outcome("user", token)).toBe(user.id);
  expect(await outcome("optional", token)).toBe(user.id);
  expect(await outcome("pending-2fa", token)).toBe(user.id);
  expect(await outcome("public", token)).toBeNull();
  expect(await outcome("admin", token)).toBe("forbidden");
  expect(await outcome("cron", token)).toBe("unauthorized");
});

test("the role is read from the database, not from the token", async ({ database }) => {
  const admin = await createAdmin({ db: database });
  const token = await tokenOf(admin);
  expect(await outcome("admin", token)).toBe(admin.id);
  await database
    .update(users)
    .set({ roles: ["ROLE_USER"] })
    .where(eq(users.id, admin.id));
  expect(await outcome("admin", token)).toBe("forbidden");
});

test("a token from before the code gives access to nothing else", async ({ database }) => {
  const user = await createAdmin({ db: database });
  const token = await tokenOf(user, "pending-2fa");
  expect(await outcome("pending-2fa", token)).toBe(user.id);
  expect(await outcome("user", token)).toBe("unauthorized");
  expect(await outcome("admin", token)).toBe("unauthorized");
  expect(await outcome("optional", token)).toBeNull();
});

test("a raised session version revokes every token at once", async ({ database }) => {
  const user = await createUser({ db: database });
  const token = await tokenOf(user);
  await database.update(users).set({ sessionVersion: 2 }).where(eq(users.id, user.id));
  expect(await outcome("user", token)).toBe("unauthorized");
  expect(await outcome("optional", token)).toBeNull();
  expect(await outcome("user", await tokenOf({ ...user, sessionVersion: 2 }))).toBe(user.id);
});

test("closed and deleted accounts have no access", async ({ database }) => {
  const user = await createUser({ db: database });
  const token = await tokenOf(user);
  await database.update(users).set({ isDeleted: true }).where(eq(users.id, user.id));
  expect(await outcome("user", token)).toBe("unauthorized");
  await database.delete(users).where(eq(users.id, user.id));
  expect(await outcome("user", token)).toBe("unauthorized");
  expect(await outcome("user", await tokenOf({ ...user, id: 99_999_999_999 }))).toBe(
    "unauthorized",
  );
});

test("administrators get their own view of two, while they have the role", async ({ database }) => {
  const view = (access: "admin" | "public") =>
    route({
      access,
      summary: "Lire",
      run: () => ({ message: access }),
      reply: message(),
    });
  const both = viewOf({ admins: view("admin"), others: view("public") });
  const seen = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request("http://shop.test/api/things", { headers });
    const answer = await both(request, { params: Promise.resolve({}) });
    return [answer.status, ((await answer.json()) as { message: string }).message];
  };
  const admin = await createAdmin({ db: database });
  const token = await tokenOf(admin);
  expect(await seen(token)).toEqual([200, "admin"]);
  expect(await seen(await tokenOf(await createUser({ db: database })))).toEqual([200, "public"]);
  expect(await seen("forged")).toEqual([200, "public"]);
  await database
    .update(users)
    .set({ roles: ["ROLE_USER"] })
    .where(eq(users.id, admin.id));
  expect(await seen(token)).toEqual([200, "public"]);
  await database.update(users).set({ isDeleted: true }).where(eq(users.id, admin.id));
  expect(await seen(token)).toEqual([200, "public"]);
});

test("a rate limit counts the calls of each user, and none without a session", async ({
  database,
}) => {
  const { RATE_LIMIT_SCALE } = process.env;
  process.env.RATE_LIMIT_SCALE = "1";
  forgetEnv();
  const handler = route({
    access: "user",
    summary: "Limiter",
    rateLimit: { name: "access-test", points: 2, duration: 60 },
    run: () => undefined,
    reply: 204,
  });
  const call = (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return handler(new Request("http://shop.test/api/things", { headers }), {
      params: Promise.resolve({}),
    });
  };
  const token = await tokenOf(await createUser({ db: database }));
  for (const status of [204, 204]) expect((await call(token)).status).toBe(status);
  for (let i = 0; i < 3; i++) expect((await call("forged")).status).toBe(401);
  const refused = await call(token);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
  const { error } = (await refused.json()) as { error: string };
  expect(error).toBe("Trop de tentatives. Réessayez dans 1 minute.");
  expect((await call(await tokenOf(await createUser({ db: database })))).status).toBe(204);
  process.env.RATE_LIMIT_SCALE = RATE_LIMIT_SCALE;
  forgetEnv();
});
