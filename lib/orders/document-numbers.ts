import { sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { documentNumbers } from "@/db/schema/orders";

export type DocumentKind = (typeof documentNumbers.$inferSelect)["kind"];

const PREFIX: Record<DocumentKind, string> = { order: "CMD", invoice: "FA", "credit-note": "AV" };

/** Minimum number of digits: number 1,000,000 has seven. */
const DIGITS = 6;

const yearFormat = new Intl.DateTimeFormat("en-US", { timeZone: "Europe/Paris", year: "numeric" });

/** The year in a document's number: the year of its date in France. */
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
  return `${PREFIX[kind]}-${year}-${paddedNumber(number)}`;
}

/** Normalises a document's number, however it was typed ("fa 2026 12"); null for any other text. */
export function documentNumberIn(text: string): string | null {
  const [, prefix = "", year, digits] =
    /^\s*(cmd|fa|av)[\s-]*(\d{4})[\s-]*(\d{1,9})\s*$/i.exec(text) ?? [];
  return digits === undefined
    ? null
    : `${prefix.toUpperCase()}-${year}-${paddedNumber(Number(digits))}`;
}

/** The last part of a document's number: `000012`. */
export const paddedNumber = (number: number) => String(number).padStart(DIGITS, "0");

/**
 * Takes the next number of a kind of document, as part of the statement that writes the document:
 *
 *     const { taken, number } = nextDocumentNumber(tx, { kind: "order", date });
 *     await tx.with(taken).insert(orders).values({ number, … });
 *
 * There are no gaps: the row of the numbers stays locked to the end of the transaction, and a number that is
 * rolled back is used again. Take it late in the transaction, since others wait for the row until the
 * commit. Take an order's number before an invoice's.
 */
export function nextDocumentNumber(
  tx: Pick<Transaction, "insert" | "$with">,
  { kind, date }: { kind: DocumentKind; date: Date },
) {
  const year = yearInFrance(date);
  const taken = tx.$with(`taken_${kind}`).as(
    tx
      .insert(documentNumbers)
      .values({ kind, year, lastNumber: 1 })
      .onConflictDoUpdate({
        target: [documentNumbers.kind, documentNumbers.year],
        set: { lastNumber: sql`${documentNumbers.lastNumber} + 1` },
      })
      .returning({ lastNumber: documentNumbers.lastNumber }),
  );
  const digits = sql`(select last_number::text from ${taken})`;
  const number = sql<string>`${`${PREFIX[kind]}-${year}-`} || lpad(${digits}, greatest(${DIGITS}, length(${digits})), '0')`;
  return { taken, number };
}
