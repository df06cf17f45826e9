import { and, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { type InvoiceSnapshot, invoices, invoiceVersions } from "@/db/schema/invoices";
import type { Actor } from "@/lib/audit/mutations";
import { personColumns } from "@/lib/backoffice/people";
import { fail } from "@/lib/errors/failure";
import type { InvoiceDocument } from "./document";
import type { InvoiceRow } from "./mutations";
import { versionDate } from "./rules";
import { UNKNOWN_INVOICE, UNKNOWN_VERSION } from "./texts";

// Earlier versions of invoices that admins have edited. The first version is the one that was issued.

/** Archives the present version of an invoice before an edit. The caller must hold the row's lock. */
export async function archiveVersion(
  tx: Transaction,
  { actor, invoice }: { actor: Actor; invoice: InvoiceRow },
): Promise<void> {
  await tx.insert(invoiceVersions).values({
    invoiceId: invoice.id,
    version: invoice.version,
    content: invoice,
    replacedBy: actor.id,
  });
}

export type InvoiceVersion = Awaited<ReturnType<typeof listInvoiceVersions>>[number];

/** The earlier versions of an invoice, newest first. @throws 404 */
export async function listInvoiceVersions({ id }: { id: number }) {
  const isListed = and(eq(invoices.id, id), isNull(invoices.archivedAt));
  if ((await db.$count(invoices, isListed)) === 0) throw fail.notFound(UNKNOWN_INVOICE);
  const rows = await db
    .select({ version: invoiceVersions, replacedBy: personColumns })
    .from(invoiceVersions)
    .leftJoin(users, eq(users.id, invoiceVersions.replacedBy))
    .where(eq(invoiceVersions.invoiceId, id))
    .orderBy(desc(invoiceVersions.version));
  return rows.map(({ version: { content, version, replacedAt }, replacedBy }) => {
    const document = documentOf(content);
    return { document, version, date: versionDate(document), replacedAt, replacedBy };
  });
}

/** The content of an earlier version of an invoice. @throws 404 */
export async function requireInvoiceVersion({
  id,
  version,
}: {
  id: number;
  version: number;
}): Promise<InvoiceDocument> {
  const found = (await listInvoiceVersions({ id })).find((each) => each.version === version);
  if (!found) throw fail.notFound(UNKNOWN_VERSION);
  return found.document;
}

/** The invoice's content when it was issued: refunds are computed from it, whatever was corrected since. */
export async function readIssuedSnapshot(
  tx: Transaction,
  { id, snapshot }: Pick<InvoiceRow, "id" | "snapshot">,
): Promise<InvoiceSnapshot> {
  const [first] = await tx
    .select({ content: invoiceVersions.content })
    .from(invoiceVersions)
    .where(eq(invoiceVersions.invoiceId, id))
    .orderBy(invoiceVersions.version)
    .limit(1);
  return first ? documentOf(first.content).snapshot : snapshot;
}

/** Was the invoice issued for this payment? Admins may have changed its payment id since. */
export const isOfPayment = (paymentIntentId: string): SQL | undefined =>
  and(
    eq(invoices.source, "checkout"),
    or(
      eq(invoices.paymentId, paymentIntentId),
      sql`${invoices.id} in (select v.invoice_id from ${invoiceVersions} v
        where v.content->>'paymentId' = ${paymentIntentId})`,
    ),
  );

/** The content of an archived invoice row, stored as JSON with its dates as texts. */
function documentOf(content: Record<string, unknown>): InvoiceDocument {
  const { id, number, totalCents, paymentId, issuedAt, snapshot } = content as Omit<
    InvoiceDocument,
    "issuedAt"
  > & { issuedAt: string };
  return { id, number, totalCents, paymentId, issuedAt: new Date(issuedAt), snapshot };
}
