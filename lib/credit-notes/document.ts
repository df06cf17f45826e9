import { z } from "zod";
import { documentOf, invoiceDocument } from "@/lib/invoices/document";
import type { Sheet } from "@/lib/invoices/sheet";

/** All that a credit note says, as JSON. */
const creditNoteDocument = invoiceDocument.extend({
  /** The number of the invoice that it corrects; null without one. */
  invoiceNumber: z.string().nullable(),
  reason: z.string(),
});

export type CreditNoteDocument = z.output<typeof creditNoteDocument>;

/** The document of a credit note's row. */
export function creditNoteOf({
  snapshot: { invoice, reason, ...snapshot },
  ...row
}: Parameters<typeof documentOf>[0] & {
  snapshot: { invoice: { number: string } | null; reason: string };
}): CreditNoteDocument {
  return { ...documentOf({ ...row, snapshot }), invoiceNumber: invoice?.number ?? null, reason };
}

export const sheetOf = ({ invoiceNumber, reason, ...document }: CreditNoteDocument): Sheet => ({
  kind: "credit-note",
  document,
  invoiceNumber,
  reason,
});

/** `avoir-7.pdf`: the name that browsers and mail programs keep it under. */
export const creditNoteFileName = (id: number) => `avoir-${id}.pdf`;
