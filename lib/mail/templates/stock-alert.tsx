import { z } from "zod";
import { CONFIRMATION_LIFETIME } from "@/lib/mail/link-lifetimes";
import { ActionButton, Note, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";

/**
 * To an address that somebody has entered on the page of a sold-out product: the link that confirms the
 * request. The token is in the fragment, which browsers do not send to the server.
 */
export const stockAlertConfirmation = defineTemplate({
  data: z.object({ token: z.string(), product: z.string() }),
  isConfidential: true,
  lifetime: CONFIRMATION_LIFETIME,
  subject: () => "Confirmez votre demande",
  preheader: ({ product }) => `Pour être prévenu du retour de «\u00a0${product}\u00a0».`,
  body: ({ token, product }, { siteUrl }) => (
    <>
      <Title>Vous prévenir de son retour{"\u202f"}?</Title>
      <Paragraph>
        Vous avez demandé à être prévenu quand «{"\u00a0"}
        {product}
        {"\u00a0"}» sera de nouveau en stock. Il ne reste qu’à confirmer que cette adresse est bien
        la vôtre{"\u00a0"}:
      </Paragraph>
      <ActionButton href={`${siteUrl}/stock-alert#${encodeURIComponent(token)}`} isOnlyWay>
        Confirmer ma demande
      </ActionButton>
      <Note>
        Votre adresse ne sert qu’à cela{"\u00a0"}: un seul message, puis elle est effacée. Si le
        produit ne revient pas, elle l’est au bout d’un an. Le même lien vous permet d’annuler votre
        demande.
      </Note>
      <Note>
        Ce lien est valable 48{"\u00a0"}heures. Si vous n’avez rien demandé, ignorez ce message
        {"\u00a0"}: votre adresse sera effacée.
      </Note>
    </>
  ),
});

/** To an address whose alert is confirmed: the product is back. The alert no longer exists. */
export const stockAlert = defineTemplate({
  data: z.object({ product: z.object({ id: z.number(), name: z.string() }) }),
  subject: ({ product }) => `De retour\u00a0: ${product.name}`,
  preheader: () => "Le produit que vous attendiez est de nouveau en stock.",
  body: ({ product }, { siteUrl }) => (
    <>
      <Title>Il est de retour</Title>
      <Paragraph>
        «{"\u00a0"}
        {product.name}
        {"\u00a0"}» est de nouveau disponible, dans la limite du stock. D’autres l’attendaient
        peut-être aussi.
      </Paragraph>
      <ActionButton href={`${siteUrl}/product/${product.id}`}>Voir le produit</ActionButton>
      <Note>
        C’était notre seul message à ce sujet{"\u00a0"}: nous n’avons pas gardé votre demande.
      </Note>
    </>
  ),
});
