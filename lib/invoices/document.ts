import type { invoices } from "@/db/schema/invoices";

/** The content of an invoice, from which its PDF is drawn. */
export type InvoiceDocument = Pick<
  typeof invoices.$inferSelect,
  "id" | "number" | "issuedAt" | "totalCents" | "paymentId" | "snapshot"
>;

/** `facture-7.pdf`, for downloads and mail attachments. */
export const invoiceFileName = (id: number) => `facture-${id}.pdf`;

/** `facture-7-version-1.pdf` */
export const versionFileName = ({ id, version }: { id: number; version: number }) =>
  `facture-${id}-version-${version}.pdf`;
