import { eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { nextVersion } from "@/db/next-version";
import { users } from "@/db/schema/auth";
import { refuseDuplicate } from "@/db/unique";
import { columns, type UserRow } from "@/lib/account/admin-list";
import { userResource, userSnapshot } from "@/lib/account/admin-resource";
import type { NewUserInput, UserChange } from "@/lib/account/admin-schemas";
import {
  deleteQueuedLinks,
  tokenChangeLabels,
  tokenColumns,
  withoutMailedTokens,
} from "@/lib/account/admin-tokens";
import { eraseUser } from "@/lib/account/erasure";
import { sendClosingNotice } from "@/lib/account/notices";
import { listReviewedProducts } from "@/lib/account/queries";
import { LAST_ADMIN_DELETED, LAST_ADMIN_NEEDED, TOKEN_IN_USE } from "@/lib/account/texts";
import { type Actor, recordChange } from "@/lib/audit/mutations";
import { codeAttempts } from "@/lib/auth/attempts";
import { newPassword, nextSessionVersion } from "@/lib/auth/mutations";
import { sendSecurityNotice } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { isEmailInUse, lockAdmins } from "@/lib/auth/queries";
import { type Requester, requireRecentLogin } from "@/lib/auth/recent-login";
import { EMAIL_IN_USE } from "@/lib/auth/texts";
import { resetTwoFactor } from "@/lib/auth/two-factor";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors/failure";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { ADMIN_ROLE, isAdmin } from "@/lib/roles";
import { isSameEmail } from "@/lib/text/email";

/** The admin who acts, and the claims of their token. */
interface AdminRequest {
  actor: Actor;
  token: Requester["token"];
}

const DUPLICATES = {
  users_email_key: () => fail.violation("email", EMAIL_IN_USE),
  users_reset_token_key: () => fail.violation("resetToken", TOKEN_IN_USE),
  users_confirmation_token_key: () => fail.violation("confirmationToken", TOKEN_IN_USE),
};

/**
 * Creates a user.
 *
 * @throws 403 for a new administrator if the session has to authenticate again, 422 for an e-mail in use
 */
export async function createUser({
  actor,
  token,
  input,
}: AdminRequest & { input: NewUserInput }): Promise<UserRow> {
  if (isAdmin(input)) await requireRecentLogin({ user: actor, token });
  const passwordHash = await hashPassword(input.password);
  return db
    .transaction(async (tx) => {
      if (await isEmailInUse(tx, { email: input.email }))
        throw fail.violation("email", EMAIL_IN_USE);
      const [user] = await tx
        .insert(users)
        .values({
          email: input.email,
          lastName: input.name,
          firstName: input.lastname,
          roles: input.roles,
          isVerified: input.isVerified,
          isDeleted: input.isDeleted,
          deletedAt: input.isDeleted ? sql`now()` : null,
          passwordHash,
          // Version 1 is for accounts that people have registered themselves: retention.ts.
          sessionVersion: 2,
          ...tokenColumns({ input, stored: null }),
        })
        .returning(columns);
      if (!user) throw new Error("The user was not written.");
      const after = userSnapshot(user);
      await recordChange(tx, { actor, entity: "User", id: user.id, before: null, after });
      return user;
    })
    .catch(refuseDuplicate(DUPLICATES));
}

/** The field with which a change would end the user's access as administrator. */
function demotingField({ roles, isDeleted, isVerified }: UserChange) {
  if (roles?.includes(ADMIN_ROLE) === false) return "roles";
  if (isDeleted === true) return "isDeleted";
  return isVerified === false ? "isVerified" : null;
}

/**
 * Changes the given fields of a user. New roles, flags or a new password end all sessions of the user.
 *
 * @throws 403 for new roles, e-mail, password or tokens if the session has to authenticate again, 404, 409
 *   for an old version, 422 for an e-mail in use and if no administrator would be left
 */
export async function updateUser({
  actor,
  token,
  id,
  input,
}: AdminRequest & { id: number; input: UserChange }): Promise<UserRow> {
  const passwordHash = input.password ? await hashPassword(input.password) : null;
  const { user, reviewed } = await db
    .transaction(async (tx) => {
      const demoting = demotingField(input);
      // Administrators are locked before the row itself, so that they are always locked in the same order.
      const hasOtherAdmin = demoting === null || (await lockAdmins(tx, { except: id }));
      const [before] = await tx
        .select(columns)
        .from(users)
        .where(eq(users.id, id))
        .for("no key update");
      if (!before) throw fail.notFound();
      await requireVersion(tx, {
        entity: "User",
        sent: input.version,
        current: userResource.toJson(before),
      });
      if (demoting !== null && !hasOtherAdmin && isActiveAdmin(before))
        throw fail.violation(demoting, LAST_ADMIN_NEEDED);
      const { email = before.email } = input;
      const isEmailChanged = !isSameEmail(email, before.email);
      const areRolesChanged = input.roles !== undefined && !isSameSet(before.roles, input.roles);
      const isTokenTyped = Object.keys(tokenColumns({ input, stored: before })).length > 0;
      if (isEmailChanged || areRolesChanged || isTokenTyped || passwordHash !== null)
        await requireRecentLogin({ user: actor, token }, tx);
      if (isEmailChanged) {
        if (await isEmailInUse(tx, { email, except: id }))
          throw fail.violation("email", EMAIL_IN_USE);
        await deleteQueuedLinks(tx, { userId: id });
      }
      const typed = isEmailChanged ? withoutMailedTokens({ input, stored: before }) : input;
      const tokens = tokenColumns({ input: typed, stored: before });
      const endsSessions =
        isChanged(before.isVerified, input.isVerified) ||
        isChanged(before.isDeleted, input.isDeleted) ||
        areRolesChanged;
      const [user] = await tx
        .update(users)
        .set({
          email: input.email,
          lastName: input.name,
          firstName: input.lastname,
          roles: input.roles,
          isVerified: input.isVerified,
          isDeleted: input.isDeleted,
          ...(isChanged(before.isDeleted, input.isDeleted) && {
            deletedAt: input.isDeleted ? sql`now()` : null,
          }),
          ...(endsSessions && { sessionVersion: nextSessionVersion }),
          ...(passwordHash !== null && newPassword(passwordHash)),
          ...tokens,
          ...nextVersion(users),
        })
        .where(eq(users.id, id))
        .returning(columns);
      if (!user) throw new Error("The user was not written.");
      if (passwordHash !== null)
        await sendSecurityNotice(tx, {
          userId: id,
          email: before.email,
          event: "password-changed",
        });
      if (user.isDeleted && !before.isDeleted && before.isVerified)
        await sendClosingNotice(tx, {
          template: "account-deactivated",
          userId: id,
          email: before.email,
          isByShop: actor.id !== id,
        });
      await recordChange(tx, {
        actor,
        entity: "User",
        id,
        before: userSnapshot(before),
        after: {
          ...userSnapshot(user),
          ...(passwordHash !== null && { password: "modifié" }),
          ...tokenChangeLabels(tokens),
        },
      });
      const isRenamed = user.firstName !== before.firstName || user.lastName !== before.lastName;
      const reviewed = isRenamed ? await listReviewedProducts(tx, { userId: id }) : [];
      return { user, reviewed };
    })
    .catch(refuseDuplicate(DUPLICATES));
  // The pages of reviewed products show the author's name.
  if (reviewed.length > 0) await invalidate(reviewed.map(CACHE_TAGS.product));
  return user;
}

/**
 * Deactivates two-factor for a user who has lost the app and the recovery codes. Idempotent.
 *
 * @throws 403 if the session has to authenticate again, 404
 */
export async function resetUserTwoFactor({
  actor,
  token,
  id,
}: AdminRequest & { id: number }): Promise<void> {
  await requireRecentLogin({ user: actor, token });
  await db.transaction(async (tx) => {
    const read = () => tx.select(columns).from(users).where(eq(users.id, id)).for("no key update");
    const [before] = await read();
    if (!before) throw fail.notFound();
    if (!(await resetTwoFactor(tx, { userId: id }))) return;
    const [after] = await read();
    if (!after) throw new Error("The user was not written.");
    await recordChange(tx, {
      actor,
      entity: "User",
      id,
      before: userSnapshot(before),
      after: userSnapshot(after),
    });
  });
  // Earlier failed codes must not keep the user from activating two-factor again.
  await codeAttempts.reset(id);
}

/**
 * Erases a user and everything about the person; orders and invoices stay without the user.
 *
 * @throws 403 if the session has to authenticate again, 404, 409 for the last administrator
 */
export async function deleteUser({
  actor,
  token,
  id,
}: AdminRequest & { id: number }): Promise<void> {
  await requireRecentLogin({ user: actor, token });
  const reviewed = await db.transaction(async (tx) => {
    const hasOtherAdmin = await lockAdmins(tx, { except: id });
    const [user] = await tx.select(columns).from(users).where(eq(users.id, id)).for("update");
    if (!user) throw fail.notFound();
    if (!hasOtherAdmin && isActiveAdmin(user)) throw fail.conflict(LAST_ADMIN_DELETED);
    const reviewed = await eraseUser(tx, { userId: id, isByShop: actor.id !== id });
    // The entry holds none of the person's data: only that a user was deleted, when and by whom.
    if (actor.id !== id)
      await recordChange(tx, {
        actor,
        entity: "User",
        id,
        before: { id, roles: user.roles },
        after: null,
      });
    return reviewed;
  });
  // The user's reviews are deleted, too, which changes the products' ratings.
  if (reviewed.length > 0)
    await invalidate([CACHE_TAGS.catalogue, ...reviewed.map(CACHE_TAGS.product)]);
}

const isActiveAdmin = (user: UserRow) => isAdmin(user) && user.isVerified && !user.isDeleted;

const isChanged = <T>(before: T, after: T | undefined) => after !== undefined && after !== before;

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((item) => b.includes(item));
