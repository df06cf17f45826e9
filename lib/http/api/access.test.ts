import { eq } from "drizzle-orm";
import { createAdmin, createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { expect, test } from "@/e2e/database-fixtures";
import { getSessionUser } from "@/lib/auth/queries";
import { issueToken, verifyToken } from "@/lib/auth/token";
import { isFailure } from "@/lib/errors/failure";
import { type Access, authenticateBy, authorize } from "@/lib/http/api/access";

// e2e/access.spec.ts tests that every route declares the right kind of access.

authenticateBy({ verifyToken, getSessionUser });

const KINDS = ["public", "optional", "pending-2fa", "user", "admin", "cron"] as const;

/** The caller's id, or the kind of the refusal. */
async function outcome(access: Access, token: string): Promise<number | string | null> {
  const headers = { authorization: `Bearer ${token}` };
  try {
    const { user } = await authorize(access, new Request("http://shop.test/api/a", { headers }));
    return user?.id ?? null;
  } catch (error) {
    if (isFailure(error)) return error.kind;
    throw error;
  }
}

const outcomes = async (token: string) =>
  Object.fromEntries(
    await Promise.all(KINDS.map(async (kind) => [kind, await outcome(kind, token)])),
  );

const NOTHING = {
  public: null,
  optional: null,
  "pending-2fa": "unauthorized",
  user: "unauthorized",
  admin: "unauthorized",
  cron: "unauthorized",
};

const asUser = (id: number) => ({
  ...NOTHING,
  optional: id,
  "pending-2fa": id,
  user: id,
  admin: "forbidden",
});

test("a role is read from the database, not from the token", async ({ database: db }) => {
  const { id, ...admin } = await createAdmin({ db });
  const token = await issueToken({ user: { id, ...admin }, type: "access" });
  expect(await outcomes(token)).toEqual({ ...asUser(id), admin: id });
  await db
    .update(users)
    .set({ roles: ["ROLE_USER"] })
    .where(eq(users.id, id));
  expect(await outcomes(token)).toEqual(asUser(id));
});

test("a token from before the code gives access to nothing else", async ({ database: db }) => {
  const user = await createAdmin({ db });
  const token = await issueToken({ user, type: "pending-2fa" });
  expect(await outcomes(token)).toEqual({ ...NOTHING, "pending-2fa": user.id });
});

test("tokens of revoked sessions, of closed and of deleted accounts, and forged ones are worth nothing", async ({
  database: db,
}) => {
  const user = await createUser({ db });
  const token = await issueToken({ user, type: "access" });
  expect(await outcomes(token)).toEqual(asUser(user.id));
  for (const wrong of ["", "abc", "a b", `${token}x`])
    expect(await outcomes(wrong)).toEqual(NOTHING);
  const ofUser = eq(users.id, user.id);
  await db.update(users).set({ sessionVersion: 2 }).where(ofUser);
  expect(await outcomes(token)).toEqual(NOTHING);
  const renewed = await issueToken({ user: { ...user, sessionVersion: 2 }, type: "access" });
  expect(await outcomes(renewed)).toEqual(asUser(user.id));
  await db.update(users).set({ isDeleted: true }).where(ofUser);
  expect(await outcomes(renewed)).toEqual(NOTHING);
  await db.delete(users).where(ofUser);
  expect(await outcomes(renewed)).toEqual(NOTHING);
});
