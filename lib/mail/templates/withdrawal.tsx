import { z } from "zod";
import { formatDate, formatDateTime } from "@/lib/dates";
import { Details, Note, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";
import { piecesText } from "@/lib/text/pieces-text";

const data = z.object({
  orderNumber: z.string(),
  orderedAt: z.iso.datetime({ offset: true }),
  /** The date of the withdrawal, and the deadline for the refund. */
  date: z.iso.datetime({ offset: true }),
  refundBy: z.iso.datetime({ offset: true }),
  buyer: z.object({ email: z.string(), firstName: z.string(), lastName: z.string() }),
  /** The order's physical products, which can be sent back. */
  objects: z.array(z.object({ name: z.string(), quantity: z.int() })),
  /** The products to return, in the buyer's words; empty for all. */
  items: z.string(),
  /** The order was free: there is nothing to refund. */
  isFree: z.boolean().default(false),
});

const receiptData = data.extend({
  /** The seller's name and address, on one line; empty if not configured. */
  returnTo: z.string().default(""),
});

/** Null fields for a buyer whose account was erased before the notice was sent: the refund is still due. */
const noticeData = data.extend({
  buyer: data.shape.buyer.nullable(),
  items: z.string().nullable(),
});

type Buyer = Pick<z.output<typeof data>["buyer"], "firstName" | "lastName">;

/** To the buyer: the receipt that the law requires, with the content and date of the withdrawal. */
export const withdrawalReceipt = defineTemplate({
  data: receiptData,
  subject: ({ orderNumber }) => `Accusé de réception de votre rétractation (${orderNumber})`,
  preheader: ({ date }) => `Reçue le ${formatDateTime(date)}.`,
  body: (withdrawal) => (
    <>
      <Title>Votre rétractation</Title>
      <Paragraph>
        Bonjour {nameOf(withdrawal.buyer)}, nous avons reçu votre rétractation le{" "}
        {formatDateTime(withdrawal.date)}.
      </Paragraph>
      <Details
        rows={[{ name: "Client", value: nameOf(withdrawal.buyer) }, ...rowsOf(withdrawal)]}
      />
      <Paragraph>
        Renvoyez-nous dans les quatorze jours ce dont vous vous rétractez{addressOf(withdrawal)}.
      </Paragraph>
      <Paragraph>
        {withdrawal.isFree
          ? "Cette commande était gratuite\u00a0: il n’y a rien à vous rembourser."
          : `Nous vous rembourserons sur la carte qui a servi au paiement, au plus tard le ${formatDate(withdrawal.refundBy)}\u202f; nous pouvons attendre d’avoir reçu les objets ou la preuve de leur envoi.`}
      </Paragraph>
    </>
  ),
});

const addressOf = ({ returnTo }: z.output<typeof receiptData>) =>
  returnTo &&
  `, à cette adresse si nos conditions générales de vente n’en indiquent pas d’autre\u00a0: ${returnTo}`;

/** To the shop: what to do. The mail's Reply-To is the buyer, unless the account was erased. */
export const withdrawalNotice = defineTemplate({
  data: noticeData,
  isToShop: true,
  subject: ({ buyer, orderNumber }) =>
    buyer ? `Rétractation de ${nameOf(buyer)} (${orderNumber})` : `Rétractation (${orderNumber})`,
  preheader: ({ date }) => `Reçue le ${formatDateTime(date)}.`,
  body: (withdrawal, { siteUrl }) => (
    <>
      <Title>Un client s’est rétracté</Title>
      <Details
        rows={[
          { name: "Reçue le", value: formatDateTime(withdrawal.date) },
          ...(withdrawal.buyer
            ? [
                { name: "Email", value: withdrawal.buyer.email },
                { name: "Client", value: nameOf(withdrawal.buyer) },
              ]
            : []),
          ...rowsOf(withdrawal),
        ]}
      />
      <Paragraph>
        {withdrawal.isFree
          ? "Cette commande était gratuite\u00a0: il n’y a rien à rembourser. La rétractation se règle"
          : `Le remboursement est dû au plus tard le ${formatDate(withdrawal.refundBy)}\u202f; vous pouvez attendre d’avoir reçu les objets ou la preuve de leur envoi. Il se fait`}{" "}
        dans le back office, sous «{"\u00a0"}Rétractations{"\u00a0"}»{"\u00a0"}: {siteUrl}
        /backoffice/withdrawals
      </Paragraph>
      {withdrawal.buyer ? (
        <Note>Répondez à ce message pour écrire directement au client.</Note>
      ) : (
        <Note>
          Le client a supprimé son compte depuis{"\u00a0"}: son nom et les articles qu’il a précisés
          ont été effacés. La facture de la commande dit qui rembourser.
        </Note>
      )}
    </>
  ),
});

/** To the buyer: the refusal of the withdrawal, and its reason. */
export const withdrawalRefusal = defineTemplate({
  data: z.object({
    orderNumber: z.string(),
    date: z.iso.datetime({ offset: true }),
    buyer: z.object({ firstName: z.string(), lastName: z.string() }),
    reason: z.string(),
  }),
  subject: ({ orderNumber }) => `Votre rétractation est refusée (${orderNumber})`,
  preheader: ({ reason }) => reason,
  body: ({ orderNumber, date, buyer, reason }) => (
    <>
      <Title>Votre rétractation est refusée</Title>
      <Paragraph>
        Bonjour {nameOf(buyer)}, nous avons examiné votre rétractation du {formatDate(date)} pour la
        commande {orderNumber}. Nous ne pouvons pas l’accepter.
      </Paragraph>
      <Details rows={[{ name: "Motif", value: reason }]} />
      <Note>Vous n’êtes pas d’accord{"\u00a0"}? Répondez simplement à ce message.</Note>
    </>
  ),
});

const nameOf = ({ firstName, lastName }: Buyer) => `${firstName} ${lastName}`;

const rowsOf = ({
  orderNumber,
  orderedAt,
  objects,
  items,
}: Omit<z.output<typeof noticeData>, "buyer">) => [
  { name: "Commande", value: `${orderNumber} du ${formatDate(orderedAt)}` },
  { name: "Objets de la commande", value: piecesText(objects) },
  ...(items === null ? [] : [{ name: "Rétractation pour", value: items || "tous ces objets" }]),
];
