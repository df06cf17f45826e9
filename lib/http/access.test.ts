import { eq } from "drizzle-orm";
import { createAdmin, createUser } from "@/db/factories";
import { users } from "@/db/schema/auth";
import { expect, test } from "@/e2e/fixtures";
import { issueToken, type TokenType } from "@/lib/auth/token";
import { isFailure } from "@/lib/errors";
import { type Access, admit } from "@/lib/http/access";

type UserRow = Awaited<ReturnType<typeof createUser>>;

/** The caller's id, or the kind of the refusal. */
async function outcome(access: Access, token: string): Promise<number | string | null> {
  const request = new Request("http://shop.test/api/things", {
    headers: { authorization: `Bearer ${token}` },
  });
  try {
    const { user } = await admit(access, request);
    return user?.id ?? null;
  } catch (error) {
    if (isFailure(error)) return error.kind;
    throw error;
  }
}

const tokenOf = (user: UserRow, type: TokenType = "access") => issueToken({ user, type });

test("a customer is let in as themselves, and not among the administrators", async ({
  database,
}) => {
  const user = await createUser({ db: database });
  const token = await tokenOf(user);
  expect(await outcome("user", token)).toBe(user.id);
  expect(await outcome("optional", token)).toBe(user.id);
  expect(await outcome("pending-2fa", token)).toBe(user.id);
  expect(await outcome("public", token)).toBeNull();
  expect(await outcome("admin", token)).toBe("forbidden");
  expect(await outcome("cron", token)).toBe("unauthorized");
});

test("the role is the one they have now, not the one in the token", async ({ database }) => {
  const admin = await createAdmin({ db: database });
  const token = await tokenOf(admin);
  expect(await outcome("admin", token)).toBe(admin.id);
  await database
    .update(users)
    .set({ roles: ["ROLE_USER"] })
    .where(eq(users.id, admin.id));
  expect(await outcome("admin", token)).toBe("forbidden");
});

test("what comes before the code opens nothing else", async ({ database }) => {
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

test("a closed account opens nothing, nor does one that is gone", async ({ database }) => {
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
