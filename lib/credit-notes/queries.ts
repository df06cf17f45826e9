import { and, eq } from "drizzle-orm";
import { db } from "@/db";
import { creditNotes, refunds } from "@/db/schema/refunds";
import { fail } from "@/lib/errors/failure";
import { type CreditNoteSheet, sheetOf } from "./document";

const documentColumns = {
  id: creditNotes.id,
  number: creditNotes.number,
  issuedAt: creditNotes.issuedAt,
  totalCents: creditNotes.totalCents,
  paymentId: refunds.paymentIntentId,
  snapshot: creditNotes.snapshot,
};

/**
 * The content of a credit note for a user who may download it.
 *
 * @param isAdmin administrators get every credit note, others their own
 * @throws 404 for an unknown credit note, or another customer's
 */
export async function requireCreditNoteSheet({
  id,
  userId,
  isAdmin,
}: {
  id: number;
  userId: number;
  isAdmin: boolean;
}): Promise<CreditNoteSheet> {
  const [creditNote] = await db
    .select(documentColumns)
    .from(creditNotes)
    .innerJoin(refunds, eq(refunds.id, creditNotes.refundId))
    .where(and(eq(creditNotes.id, id), isAdmin ? undefined : eq(creditNotes.userId, userId)));
  if (!creditNote) throw fail.notFound("Cet avoir n'existe pas.");
  return sheetOf(creditNote);
}

/** The content of a credit note and the origin of its refund, for the mail to its buyer. */
export async function getMailedCreditNote(id: number) {
  const [row] = await db
    .select({ ...documentColumns, origin: refunds.origin })
    .from(creditNotes)
    .innerJoin(refunds, eq(refunds.id, creditNotes.refundId))
    .where(eq(creditNotes.id, id));
  if (!row) throw new Error(`Credit note ${id} does not exist.`);
  const { origin, ...creditNote } = row;
  return { sheet: sheetOf(creditNote), origin };
}
