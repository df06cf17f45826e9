import { z } from "zod";
import type { InvoiceLine } from "@/db/schema/invoices";
import { type InvoiceDocument, invoiceFileName } from "@/lib/invoices/document";
import { getInvoiceDocument } from "@/lib/invoices/queries";
import { sumOfLines } from "@/lib/invoices/rules";
import {
  ActionButton,
  Amounts,
  Details,
  Divider,
  Note,
  OrderProgress,
  Paragraph,
  Title,
} from "@/lib/mail/parts";
import { type LinePicture, listPicturesOfInvoice } from "@/lib/mail/pictures";
import { defineTemplate } from "@/lib/mail/template";
import { formatEuros } from "@/lib/money";
import { addressText } from "@/lib/shop/postal-address";
import { amountRow, orderUrl, pdfFile, totalRow } from "./documents";

const common = {
  /** Whether the order contains digital products. */
  hasDownloads: z.boolean(),
  /** Whether the order contains physical products. Rows written by earlier releases lack this field. */
  hasObjects: z.boolean().default(true),
  /** The accepted general terms; empty if the seller had none. */
  terms: z.string().default(""),
};

/** Free shipping, in the word of the shop's pages. */
const FREE = "Offerte";

/** The products, line by line, and the shipping as one amount, even if it has several VAT rates. */
function amountRows(lines: readonly InvoiceLine[], pictures: readonly LinePicture[]) {
  const rows = lines
    .filter(({ kind }) => kind !== "shipping")
    .map((line) => amountRow(line, pictures));
  const shipping = lines.filter(({ kind }) => kind === "shipping");
  if (!shipping[0]) return rows;
  const cents = sumOfLines(shipping);
  return [...rows, { name: shipping[0].name, amount: cents === 0 ? FREE : formatEuros(cents) }];
}

/** To the buyer: the products, the delivery address, and the invoice. */
export const orderConfirmation = defineTemplate({
  data: z.union([
    z.object({ invoiceId: z.int(), ...common }),
    // The data of rows written by earlier releases.
    z.object({ invoice: z.custom<InvoiceDocument>((value) => value instanceof Object), ...common }),
  ]),
  load: async (stored) => {
    if (!("invoice" in stored)) {
      const { invoiceId } = stored;
      const [invoice, pictures] = await Promise.all([
        getInvoiceDocument(invoiceId),
        listPicturesOfInvoice(invoiceId),
      ]);
      return { ...stored, invoice, pictures };
    }
    // JSON has the date as a string.
    const issuedAt = new Date(stored.invoice.issuedAt);
    return { ...stored, invoice: { ...stored.invoice, issuedAt }, pictures: [] };
  },
  isAboutOrder: true,
  subject: ({ invoice }) => `Confirmation de votre commande ${orderNumber(invoice)}`,
  preheader: ({ invoice }) =>
    invoice.totalCents === 0
      ? "Merci\u202f! Votre commande est enregistrée."
      : `Merci\u202f! Nous avons bien reçu votre paiement de ${formatEuros(invoice.totalCents)}.`,
  body: ({ invoice, pictures, hasDownloads, hasObjects, terms }, { siteUrl }) => {
    const { buyer, lines, shippingAddress, billingAddress } = invoice.snapshot;
    const isFree = invoice.totalCents === 0;
    return (
      <>
        <Title>Merci pour votre commande{"\u202f"}!</Title>
        <Paragraph>
          Bonjour {buyer.firstName} {buyer.lastName},{" "}
          {isFree
            ? `votre commande ${orderNumber(invoice)} est enregistrée. Vous n'avez rien à payer.`
            : `nous avons bien reçu votre paiement de ${formatEuros(invoice.totalCents)}. Votre commande ${orderNumber(invoice)} est enregistrée.`}
        </Paragraph>
        {hasObjects && <OrderProgress reached={1} />}
        <Amounts rows={amountRows(lines, pictures)} />
        <Divider />
        <Amounts rows={[totalRow(invoice.snapshot, invoice.totalCents)]} />
        <Details
          rows={[
            {
              name: "Livraison",
              value: hasObjects && shippingAddress ? addressText(shippingAddress) : null,
            },
            { name: "Facturation", value: billingAddress && addressText(billingAddress) },
            { name: "Facture", value: invoice.number },
          ].filter(({ value }) => value !== null)}
        />
        {hasDownloads && (
          <Paragraph>
            Vos fichiers sont prêts{"\u00a0"}: téléchargez-les dans «{"\u00a0"}Mes commandes
            {"\u00a0"}». Vous avez consenti à en disposer dès{" "}
            {isFree ? "la confirmation" : "le paiement"}, et renoncé pour eux à votre droit de
            rétractation.
          </Paragraph>
        )}
        <ActionButton href={orderUrl(siteUrl, invoice.snapshot.orderNumber)}>
          Suivre ma commande
        </ActionButton>
        <Note>
          {terms
            ? "Votre facture et nos conditions générales de vente sont jointes à ce message."
            : "Votre facture est jointe à ce message, au format PDF."}
        </Note>
      </>
    );
  },
  attachments: async ({ invoice, terms }) => [
    await pdfFile({
      sheet: { kind: "invoice", document: invoice },
      filename: invoiceFileName(invoice.id),
    }),
    ...(terms ? [{ ...TERMS_FILE, content: new TextEncoder().encode(`${terms}\n`) }] : []),
  ],
});

/** The law requires the terms on a durable medium, and plain text can be read everywhere. */
const TERMS_FILE = {
  filename: "conditions-generales-de-vente.txt",
  contentType: "text/plain; charset=utf-8",
};

/** The order's number, or the invoice's number if the invoice has no order number. */
const orderNumber = ({ number, snapshot }: InvoiceDocument) => snapshot.orderNumber ?? number;
