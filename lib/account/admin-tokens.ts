import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "@/db";
import { mailOutbox } from "@/db/schema/mail";
import { secondsFromNow } from "@/db/time";
import type { UserRow } from "@/lib/account/admin-list";
import type { UserChange } from "@/lib/account/admin-schemas";
import { digestOf } from "@/lib/auth/mailed-token";
import { CONFIRMATION_LIFETIME, RESET_LIFETIME } from "@/lib/mail/link-lifetimes";
import type { TemplateName } from "@/lib/mail/templates";

// The tokens of mailed links, which administrators can replace and remove in the user's form.

type TokenInput = Pick<UserChange, "resetToken" | "confirmationToken">;
type StoredTokens = Pick<UserRow, "resetTokenHash" | "confirmationTokenHash">;

/** Removes tokens that were mailed to the former e-mail address: they must not prove the new one. */
export function withoutMailedTokens({
  input: { resetToken, confirmationToken },
  stored,
}: {
  input: TokenInput;
  stored: StoredTokens;
}): TokenInput {
  const typed = (sent: string | null | undefined, digest: string | null) =>
    sent === digest ? null : (sent ?? null);
  return {
    resetToken: typed(resetToken, stored.resetTokenHash),
    confirmationToken: typed(confirmationToken, stored.confirmationTokenHash),
  };
}

/** Deletes queued mails with links: they would go to the former e-mail address. */
export async function deleteQueuedLinks(
  tx: Transaction,
  { userId }: { userId: number },
): Promise<void> {
  const links: TemplateName[] = ["verification", "password-reset", "email-change"];
  await tx
    .delete(mailOutbox)
    .where(and(eq(mailOutbox.userId, userId), inArray(mailOutbox.template, links)));
}

/** The columns that the typed tokens change: only digests are stored. */
export function tokenColumns({
  input,
  stored,
}: {
  input: TokenInput;
  stored: StoredTokens | null;
}) {
  const reset = tokenChange({ sent: input.resetToken, stored: stored?.resetTokenHash ?? null });
  const confirmation = tokenChange({
    sent: input.confirmationToken,
    stored: stored?.confirmationTokenHash ?? null,
  });
  return {
    ...(reset !== undefined && {
      resetTokenHash: reset,
      resetTokenExpiresAt: reset === null ? null : secondsFromNow(RESET_LIFETIME),
    }),
    ...(confirmation !== undefined && {
      confirmationTokenHash: confirmation,
      confirmationTokenExpiresAt:
        confirmation === null ? null : secondsFromNow(CONFIRMATION_LIFETIME),
      // A typed token confirms the current address.
      pendingEmail: null,
    }),
  };
}

/** The history's labels for changed tokens; it stores no digests. */
export function tokenChangeLabels(columns: ReturnType<typeof tokenColumns>) {
  const label = (digest: string | null | undefined) => (digest === null ? "retiré" : "modifié");
  return {
    ...("resetTokenHash" in columns && { resetToken: label(columns.resetTokenHash) }),
    ...("confirmationTokenHash" in columns && {
      confirmationToken: label(columns.confirmationTokenHash),
    }),
  };
}

/** The digest to store, null for none; undefined if it does not change. */
function tokenChange({
  sent,
  stored,
}: {
  sent: string | null | undefined;
  stored: string | null;
}): string | null | undefined {
  if (sent === undefined || sent === stored) return undefined;
  if (sent === null || sent === "") return stored === null ? undefined : null;
  const digest = digestOf(sent);
  return digest === stored ? undefined : digest;
}
