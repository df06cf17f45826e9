import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { countAtMost } from "@/db/count";
import { mailOutbox } from "@/db/schema/mail";
import { fail } from "@/lib/errors/failure";
import type { TemplateName } from "@/lib/mail/templates";

// The failed mails, for admins: their recipients and the reasons.

/** Maximum number of mails shown. */
const LIST_SIZE = 10;
/** Above this number the total is an estimate. */
const MAX_COUNTED = 1_000;

/** The name of each kind of mail, in French. */
const TITLES: Record<TemplateName, string> = {
  "account-deactivated": "Désactivation du compte",
  "account-erased": "Suppression du compte",
  contact: "Message de contact",
  "credit-note": "Avoir",
  "email-change": "Confirmation d’une nouvelle adresse e-mail",
  "order-confirmation": "Confirmation de commande",
  "password-reset": "Réinitialisation du mot de passe",
  "payment-refunded": "Remboursement d’un paiement",
  "security-notice": "Alerte de sécurité",
  shipment: "Expédition",
  "stock-alert": "Retour d’un produit épuisé",
  "stock-alert-confirmation": "Confirmation d’une alerte de disponibilité",
  verification: "Confirmation de l’adresse e-mail",
  "withdrawal-notice": "Rétractation à traiter",
  "withdrawal-receipt": "Accusé de rétractation",
  "withdrawal-refusal": "Refus de rétractation",
};

// The status is a literal, for the partial index.
const isFailed = eq(mailOutbox.status, sql`'failed'`);

/** The newest failed mails, and the total number. */
export async function listFailedMails() {
  const [items, total] = await Promise.all([
    db
      .select({
        id: mailOutbox.id,
        template: mailOutbox.template,
        recipient: mailOutbox.recipient,
        createdAt: mailOutbox.createdAt,
        reason: mailOutbox.lastError,
      })
      .from(mailOutbox)
      .where(isFailed)
      .orderBy(sql`${mailOutbox.createdAt} desc`, sql`${mailOutbox.id} desc`)
      .limit(LIST_SIZE),
    countAtMost({ query: sql`select from ${mailOutbox} where ${isFailed}`, max: MAX_COUNTED }),
  ]);
  return {
    total,
    items: items.map(({ template, createdAt, reason, ...mail }) => ({
      ...mail,
      title: TITLES[template as TemplateName] ?? template,
      date: createdAt.toISOString(),
      reason: reason ?? "",
    })),
  };
}

/** Makes all failed mails pending again, after the cause was fixed. @returns their number */
export async function retryFailedMails(): Promise<number> {
  const { count } = await db
    .update(mailOutbox)
    .set({ status: "pending", attempts: 0, nextAttemptAt: sql`now()` })
    .where(isFailed);
  return count;
}

/** Deletes a failed mail: its address does not exist, or the recipient was informed otherwise. @throws 404 */
export async function deleteFailedMail({ id }: { id: number }): Promise<void> {
  const { count } = await db.delete(mailOutbox).where(and(eq(mailOutbox.id, id), isFailed));
  if (count === 0) throw fail.notFound();
}
