import { z } from "zod";
import { formatDateTime } from "@/lib/dates";
import { ActionButton, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";
import { formatEuros } from "@/lib/money";

/** To a buyer whose payment could not become an order: it is refunded in full. */
export const paymentRefunded = defineTemplate({
  data: z.object({
    amountCents: z.int().positive(),
    paidAt: z.iso.datetime({ offset: true }),
    /** Whether somebody else bought the last piece. Rows written by earlier releases lack this field. */
    isSoldOut: z.boolean().default(false),
  }),
  subject: ({ amountCents }) => `Votre paiement de ${formatEuros(amountCents)} est remboursé`,
  preheader: () => "Aucune commande n’a été enregistrée.",
  body: ({ amountCents, paidAt, isSoldOut }, { siteUrl }) => (
    <>
      <Title>Votre paiement est remboursé</Title>
      <Paragraph>
        Bonjour, votre paiement de {formatEuros(amountCents)} du {formatDateTime(paidAt)} n’a pas pu
        donner lieu à une commande. Nous vous l’avons remboursé en totalité, sur la carte qui a
        servi à payer.
      </Paragraph>
      {isSoldOut && (
        <Paragraph>
          Votre paiement est arrivé après la fin de la réservation de votre panier, et un autre
          client avait entre-temps acheté le dernier exemplaire d’un de vos articles. Nous vous
          prions de nous en excuser.
        </Paragraph>
      )}
      <Paragraph>
        Selon votre banque, le remboursement apparaît sur votre compte sous cinq à dix jours ouvrés.
        Si vous souhaitez toujours ces articles, passez une nouvelle commande.
      </Paragraph>
      <ActionButton href={`${siteUrl}/cart`}>Voir mon panier</ActionButton>
    </>
  ),
});
