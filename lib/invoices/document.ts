import type { invoices } from "@/db/schema/invoices";

/** All that an invoice says: what the PDF is made from. */
export type InvoiceDocument = Pick<
  typeof invoices.$inferSelect,
  "id" | "number" | "issuedAt" | "totalCents" | "paymentId" | "snapshot"
>;

/** `facture-7.pdf`: the name that browsers and mail programs keep it under. */
export const invoiceFileName = (id: number) => `facture-${id}.pdf`;

/** `facture-7-version-1.pdf` */
export const versionFileName = ({ id, version }: { id: number; version: number }) =>
  `facture-${id}-version-${version}.pdf`;
