import { z } from "zod";
import type { InvoiceSnapshot } from "@/db/schema/invoices";

const address = z.object({ street: z.string(), city: z.string(), postalCode: z.string() });

const snapshot = z.object({
  seller: z.object({
    name: z.string(),
    address: z.array(z.string()),
    siren: z.string(),
    vatNumber: z.string(),
    email: z.string(),
  }),
  buyer: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  shippingAddress: address.nullable(),
  billingAddress: address.nullable(),
  orderNumber: z.string().nullable(),
  lines: z.array(
    z.object({
      name: z.string(),
      quantity: z.int().min(1),
      unitPriceCents: z.int(),
      vatRateBp: z.int().min(0),
      kind: z.enum(["adjustment", "shipping"]).optional(),
    }),
  ),
}) satisfies z.ZodType<InvoiceSnapshot>;

/** All that an invoice says, as JSON: what the PDF is made from, and what waits in the outbox. */
export const invoiceDocument = z.object({
  id: z.int(),
  number: z.string(),
  issuedAt: z.iso.datetime({ offset: true }),
  totalCents: z.int(),
  paymentId: z.string().nullable(),
  snapshot,
});

export type InvoiceDocument = z.output<typeof invoiceDocument>;

/** The document of an invoice's row. */
export const documentOf = ({
  issuedAt,
  ...row
}: Omit<InvoiceDocument, "issuedAt"> & { issuedAt: Date }): InvoiceDocument => ({
  ...row,
  issuedAt: issuedAt.toISOString(),
});

/** `facture-7.pdf`: the name that browsers and mail programs keep it under. */
export const invoiceFileName = (id: number) => `facture-${id}.pdf`;
