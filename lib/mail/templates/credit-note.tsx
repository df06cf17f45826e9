import { z } from "zod";
import { creditNoteFileName, sheetOf } from "@/lib/credit-notes/document";
import { getMailedCreditNote } from "@/lib/credit-notes/queries";
import { drawInThread } from "@/lib/invoices/drawing";
import { lineTotalCents } from "@/lib/invoices/rules";
import { ActionButton, Amounts, Details, Divider, Note, Paragraph, Title } from "@/lib/mail/frame";
import { defineTemplate } from "@/lib/mail/template";
import { formatEuros } from "@/lib/money";

/** To the buyer: what was given back, and the credit note. */
export const creditNoteMail = defineTemplate({
  data: z.object({ creditNoteId: z.int() }),
  load: ({ creditNoteId }) => getMailedCreditNote(creditNoteId),
  subject: ({ creditNote }) =>
    `Votre remboursement de ${formatEuros(creditNote.totalCents)}${ofOrder(creditNote)}`,
  preheader: ({ creditNote }) => `Votre avoir ${creditNote.number} est joint à ce message.`,
  body: ({ creditNote, origin }, { siteUrl }) => {
    const { totalCents, number, invoiceNumber, reason, snapshot } = creditNote;
    const { buyer, lines } = snapshot;
    return (
      <>
        <Title>Votre remboursement</Title>
        <Paragraph>
          Bonjour {buyer.firstName} {buyer.lastName},{" "}
          {origin === "dispute"
            ? `votre banque vous a rendu ${formatEuros(totalCents)}${ofOrder(creditNote)}, après votre contestation du paiement.`
            : `nous vous avons remboursé ${formatEuros(totalCents)}${ofOrder(creditNote)}, sur la carte qui a servi à payer.`}
        </Paragraph>
        <Amounts
          rows={lines.map((line) => ({
            name: `${line.quantity}\u00a0× ${line.name}`,
            amount: formatEuros(lineTotalCents(line)),
          }))}
        />
        <Divider />
        <Details
          rows={[
            { name: "Total TTC", value: <strong>{formatEuros(totalCents)}</strong> },
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
        <ActionButton href={`${siteUrl}/orders`}>Voir mes commandes</ActionButton>
        <Note>
          Votre avoir est joint à ce message, au format PDF. Une question{"\u00a0"}? Répondez
          simplement à ce message.
        </Note>
      </>
    );
  },
  attachments: async ({ creditNote }) => {
    // A process sends one mail at a time: it never fills the queue, and need not be tried again.
    const content = await drawInThread({ sheet: sheetOf(creditNote), mayWait: true });
    return [
      { filename: creditNoteFileName(creditNote.id), contentType: "application/pdf", content },
    ];
  },
});

const ofOrder = ({ snapshot: { orderNumber } }: { snapshot: { orderNumber: string | null } }) =>
  orderNumber ? ` sur la commande ${orderNumber}` : "";
