import { sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { documentNumbers } from "@/db/schema/orders";

export type DocumentKind = (typeof documentNumbers.$inferSelect)["kind"];

const PREFIX: Record<DocumentKind, string> = { order: "CMD", invoice: "FA" };

const yearFormat = new Intl.DateTimeFormat("en-US", { timeZone: "Europe/Paris", year: "numeric" });

/** The year of a document's number is that of its date in France. */
export function yearInFrance(date: Date): number {
  return Number(yearFormat.format(date));
}

/** `CMD-2026-000001` or `FA-2026-000001`. */
export function formatDocumentNumber({
  kind,
  year,
  number,
}: {
  kind: DocumentKind;
  year: number;
  number: number;
}): string {
  return `${PREFIX[kind]}-${year}-${String(number).padStart(6, "0")}`;
}

/**
 * Takes the next number of a kind of document. The row stays locked until the transaction ends:
 * nobody else gets a number meanwhile, and one that is rolled back is given again. So no number is
 * ever missing. Take it late in the transaction, and an order's before an invoice's: whoever waits
 * for the row waits for everything that comes after it.
 */
export async function takeDocumentNumber(
  tx: Pick<Transaction, "insert">,
  { kind, date = new Date() }: { kind: DocumentKind; date?: Date },
): Promise<string> {
  const year = yearInFrance(date);
  const [row] = await tx
    .insert(documentNumbers)
    .values({ kind, year, lastNumber: 1 })
    .onConflictDoUpdate({
      target: [documentNumbers.kind, documentNumbers.year],
      set: { lastNumber: sql`${documentNumbers.lastNumber} + 1` },
    })
    .returning({ number: documentNumbers.lastNumber });
  if (!row) throw new Error("The number was not taken.");
  return formatDocumentNumber({ kind, year, number: row.number });
}
