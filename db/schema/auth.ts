import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { inFrenchOrder } from "../french-order";
import { userText } from "../search-text";
import { createdAt, identity, instant, partOf, updatedAt, version } from "./columns";

export const users = pgTable(
  "users",
  {
    id: identity(),
    email: text("email").notNull(),
    passwordHash: text("password_hash").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    roles: text("roles").array().notNull().default(["ROLE_USER"]),
    isVerified: boolean("is_verified").notNull().default(false),
    /** Soft deletion: the account is closed, its data is kept. */
    isDeleted: boolean("is_deleted").notNull().default(false),
    deletedAt: instant("deleted_at"),
    /** Incremented to revoke every token issued before. */
    sessionVersion: integer("session_version").notNull().default(1),
    /** TOTP secret, encrypted; active only once `totpActiveSince` is set. */
    totpSecret: text("totp_secret"),
    totpActiveSince: instant("totp_active_since"),
    /** The 30-second step of the last accepted code: a code is accepted once. */
    totpLastStep: bigint("totp_last_step", { mode: "number" }),
    /** SHA-256 digests (hex) of the single-use tokens that were mailed. */
    resetTokenHash: text("reset_token_hash"),
    resetTokenExpiresAt: instant("reset_token_expires_at"),
    confirmationTokenHash: text("confirmation_token_hash"),
    confirmationTokenExpiresAt: instant("confirmation_token_expires_at"),
    /** The new address: replaces `email` when the link that was mailed to it is opened. */
    pendingEmail: text("pending_email"),
    /** Digest of the last token that succeeded: opening its link again shows success again. */
    confirmedTokenHash: text("confirmed_token_hash"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    uniqueIndex("users_email_key").on(sql`lower(${t.email})`),
    uniqueIndex("users_reset_token_key").on(t.resetTokenHash),
    uniqueIndex("users_confirmation_token_key").on(t.confirmationTokenHash),
    index("users_confirmed_token_idx").on(t.confirmedTokenHash),
    // For sorting and searching in the back office.
    index("users_last_name_idx").on(inFrenchOrder(t.lastName), t.id),
    index("users_date_idx").on(t.createdAt),
    index("users_first_name_idx").on(inFrenchOrder(t.firstName), t.id),
    index("users_text_idx").using("gin", sql`${userText()} gin_trgm_ops`),
    index("users_unverified_idx").on(t.id).where(sql`not ${t.isVerified}`),
    index("users_deleted_idx").on(t.id).where(sql`${t.isDeleted}`),
    index("users_admins_idx").on(t.id).where(sql`'ROLE_ADMIN' = any(${t.roles})`),
    check("users_email_trimmed", sql`${t.email} = btrim(${t.email}) and ${t.email} <> ''`),
    check(
      "users_pending_email_has_link",
      sql`${t.pendingEmail} is null or ${t.confirmationTokenHash} is not null`,
    ),
    check("users_roles_known", sql`${t.roles} <@ array['ROLE_USER', 'ROLE_ADMIN']`),
  ],
);

/** Ten codes that replace the authenticator app, each usable once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    id: identity(),
    userId: partOf("user_id", () => users.id),
    /** A digest and its key, sealed together: lib/auth/recovery-codes.ts. */
    codeHash: text("code_hash").notNull(),
    usedAt: instant("used_at"),
  },
  (t) => [uniqueIndex("recovery_codes_user_code_key").on(t.userId, t.codeHash)],
);

/**
 * How often a code was tried with one temporary token: at most five times, counted across all
 * instances and restarts. A user's expired rows are deleted when the user's next row is written.
 */
export const codeTries = pgTable(
  "code_tries",
  {
    /** The token's own id, its `jti`. */
    tokenId: uuid("token_id").primaryKey(),
    userId: partOf("user_id", () => users.id),
    tries: integer("tries").notNull().default(1),
    /** When the token expires; the row is useless afterwards. */
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("code_tries_user_idx").on(t.userId)],
);
