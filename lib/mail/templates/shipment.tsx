import { z } from "zod";
import { ActionButton, Details, Note, OrderProgress, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";
import { addressText } from "@/lib/shop/postal-address";
import { piecesText } from "@/lib/text/pieces-text";
import { orderUrl } from "./documents";

const pieces = z.array(z.object({ name: z.string(), quantity: z.int() }));

/** To the buyer: a parcel was shipped, with its content and tracking link. */
export const shipment = defineTemplate({
  data: z.object({
    orderNumber: z.string(),
    buyer: z.object({ firstName: z.string(), lastName: z.string() }),
    /** Null if its name is unknown. */
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    /** The carrier's tracking page; null if unknown. */
    trackingUrl: z.url().nullable(),
    items: pieces,
    /** The pieces not shipped yet. */
    rest: pieces,
    address: z.object({
      street: z.string(),
      postalCode: z.string(),
      city: z.string(),
      recipient: z.string().optional(),
      company: z.string().optional(),
      complement: z.string().optional(),
      phone: z.string().optional(),
    }),
  }),
  isAboutOrder: true,
  subject: ({ orderNumber, rest }) =>
    rest.length > 0
      ? `Un colis de votre commande ${orderNumber} est parti`
      : `Votre commande ${orderNumber} est expédiée`,
  preheader: ({ carrier, trackingNumber }) => {
    const by = carrier ? ` avec ${carrier}` : "";
    return `En route${by}${trackingNumber ? `, suivi ${trackingNumber}` : ""}.`;
  },
  body: (parcel, { siteUrl }) => (
    <>
      <Title>{parcel.rest.length > 0 ? "Un colis est parti" : "Votre commande est expédiée"}</Title>
      <Paragraph>
        Bonjour {parcel.buyer.firstName} {parcel.buyer.lastName}, un colis de votre commande{" "}
        {parcel.orderNumber} est en route.
      </Paragraph>
      <OrderProgress reached={parcel.rest.length > 0 ? 2 : 3} />
      <Details
        rows={[
          { name: "Contenu", value: piecesText(parcel.items) },
          { name: "Livraison", value: addressText(parcel.address) },
          ...(parcel.carrier ? [{ name: "Transporteur", value: parcel.carrier }] : []),
          ...(parcel.trackingNumber
            ? [{ name: "Numéro de suivi", value: parcel.trackingNumber }]
            : []),
        ]}
      />
      {parcel.trackingUrl ? (
        <ActionButton href={parcel.trackingUrl}>Suivre mon colis</ActionButton>
      ) : (
        <ActionButton href={orderUrl(siteUrl, parcel.orderNumber)}>Suivre ma commande</ActionButton>
      )}
      {parcel.rest.length > 0 && (
        <Paragraph>
          Le reste vous sera envoyé séparément{"\u00a0"}: {piecesText(parcel.rest)}.
        </Paragraph>
      )}
      <Note>
        L’état de la commande est dans «{"\u00a0"}Mes commandes{"\u00a0"}»{"\u00a0"}:{" "}
        {orderUrl(siteUrl, parcel.orderNumber)}
      </Note>
    </>
  ),
});
