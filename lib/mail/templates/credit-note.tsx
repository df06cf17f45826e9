import { z } from "zod";
import { creditNoteFileName } from "@/lib/credit-notes/document";
import { getMailedCreditNote } from "@/lib/credit-notes/queries";
import type { InvoiceDocument } from "@/lib/invoices/document";
import { ActionButton, Amounts, Details, Divider, Note, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";
import { formatEuros } from "@/lib/money";
import { amountRow, orderUrl, pdfFile, totalRow } from "./documents";

/** To the buyer: the refund, with the credit note attached. */
export const creditNoteMail = defineTemplate({
  data: z.object({ creditNoteId: z.int() }),
  load: ({ creditNoteId }) => getMailedCreditNote(creditNoteId),
  isAboutOrder: true,
  subject: ({ sheet: { document } }) =>
    `Votre remboursement de ${formatEuros(document.totalCents)}${ofOrder(document)}`,
  preheader: ({ sheet }) => `Votre avoir ${sheet.document.number} est joint à ce message.`,
  body: ({ sheet: { document, invoiceNumber, reason }, origin }, { siteUrl }) => {
    const { totalCents, number, snapshot } = document;
    const { buyer, lines } = snapshot;
    return (
      <>
        <Title>Votre remboursement</Title>
        <Paragraph>
          Bonjour {buyer.firstName} {buyer.lastName},{" "}
          {origin === "dispute"
            ? `votre banque vous a rendu ${formatEuros(totalCents)}${ofOrder(document)}, après votre contestation du paiement.`
            : `nous vous avons remboursé ${formatEuros(totalCents)}${ofOrder(document)}, sur la carte qui a servi à payer.`}
        </Paragraph>
        <Amounts rows={lines.map((line) => amountRow(line))} />
        <Divider />
        <Amounts rows={[totalRow(snapshot, totalCents)]} />
        <Details
          rows={[
            { name: "Motif", value: reason },
            { name: "Avoir", value: number },
            { name: "Facture corrigée", value: invoiceNumber },
          ].filter(({ value }) => value !== null)}
        />
        {origin !== "dispute" && (
          <Paragraph>
            Selon votre banque, le remboursement apparaît sur votre compte sous cinq à dix jours
            ouvrés.
          </Paragraph>
        )}
        <ActionButton href={orderUrl(siteUrl, snapshot.orderNumber)}>Voir ma commande</ActionButton>
        <Note>Votre avoir est joint à ce message, au format PDF.</Note>
      </>
    );
  },
  attachments: async ({ sheet }) => [
    await pdfFile({ sheet, filename: creditNoteFileName(sheet.document.id) }),
  ],
});

const ofOrder = ({ snapshot: { orderNumber } }: InvoiceDocument) =>
  orderNumber ? ` sur la commande ${orderNumber}` : "";
