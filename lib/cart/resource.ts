import { z } from "zod";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import { destinationsShape } from "@/lib/shipping-methods/resource";
import { missingToFree, offersFor, parcelOf } from "@/lib/shipping-methods/rules";
import { POSTAL_ZONES } from "@/lib/shop/postal-zones";
import { productClasses } from "@/lib/shop/product-type";
import type { Cart, CartLine } from "./queries";
import { cartTotals } from "./rules";

const productSchema = z.object({
  id: z.int().nullable().describe("Identifiant, null si le produit n'est plus en vente"),
  productType: z
    .enum(["physical", "digital"])
    .nullable()
    .describe("Physique ou numérique, null si le produit n'est plus en vente"),
  name: z.string().describe("Nom"),
  image: z.string().nullable().describe("Nom de fichier sous /images, chemin ou adresse http(s)"),
  price: z.number().describe("Prix actuel d'une pièce en euros, TVA comprise"),
});

const cartProductResource = resource({
  name: "CartProduct",
  path: null,
  description: "Un produit tel que le panier le montre",
  schema: productSchema,
  subclasses: productClasses.subclasses,
  typeOf: ({ productType }) =>
    productType === null ? "CartProduct" : productClasses.typeOf({ productType }),
  toJson: (line: CartLine) => ({
    id: line.productId,
    productType: line.type,
    name: line.name,
    image: line.image,
    price: eurosFromCents(line.priceCents),
  }),
});

const itemSchema = z.object({
  id: z.int().describe("Identifiant"),
  quantity: z.int().describe("Nombre de pièces"),
  product: productSchema.describe("Le produit"),
  available: z
    .boolean()
    .describe("Faux si le produit n'est plus en vente, auquel cas il n'est pas compté"),
  left: z
    .int()
    .nullable()
    .describe("Pièces qui restent, s'il y en a moins que le panier n'en contient ; null sinon"),
  previousPrice: z
    .number()
    .nullable()
    .describe("Prix en euros lors de l'ajout au panier, s'il a changé depuis"),
});

const cartItemResource = resource({
  name: "MyCartItem",
  path: null,
  description: "Un article du panier du client",
  schema: itemSchema,
  embedded: () => ({ product: cartProductResource }),
  toJson: (line: CartLine) => ({
    id: line.id,
    quantity: line.quantity,
    product: cartProductResource.toJson(line),
    available: line.productId !== null,
    left: line.stock !== null && line.stock < line.quantity ? line.stock : null,
    previousPrice:
      line.priceCents === line.addedPriceCents ? null : eurosFromCents(line.addedPriceCents),
  }),
});

const offerSchema = z.object({
  id: z.int().describe("Identifiant, pour ouvrir le paiement"),
  name: z.string().describe("Nom"),
  price: z.number().describe("Prix en euros pour ce panier, TVA comprise"),
  delay: z.string().describe("Délai, comme « 2 à 3 jours ouvrés »"),
  ...destinationsShape,
});

const shippingSchema = z.object({
  methods: z
    .array(offerSchema)
    .describe("Les modes qui conviennent au panier, où qu'il aille, du moins cher au plus cher"),
  missingToFree: z
    .number()
    .nullable()
    .describe("Montant d'objets en euros qui manque à la livraison offerte, s'il y en a une"),
  served: z
    .object(destinationsShape)
    .describe("Où la boutique livre, par l'un de ses modes, quel que soit le poids"),
});

/**
 * The shipping methods for the cart's objects; null if there are no objects, or no methods to choose from.
 */
function shippingJson({ lines, methods }: Cart): z.input<typeof shippingSchema> | null {
  const parcel = parcelOf(lines);
  if (parcel === null || methods.length === 0) return null;
  const offers = offersFor(methods, parcel);
  const missingCents = missingToFree(offers, parcel);
  return {
    methods: offers.map(({ id, name, delay, zones, postalCodes, offeredCents }) => ({
      id,
      name,
      price: eurosFromCents(offeredCents),
      delay,
      zones,
      postalCodes,
    })),
    missingToFree: missingCents === null ? null : eurosFromCents(missingCents),
    served: {
      zones: POSTAL_ZONES.filter((zone) => methods.some(({ zones }) => zones.includes(zone))),
      postalCodes: [...new Set(methods.flatMap(({ postalCodes }) => postalCodes))],
    },
  };
}

/** A customer's own cart; the back office has its own resource. */
export const cartResource = resource({
  name: "MyCart",
  path: null,
  description: "Le panier du client connecté",
  schema: z.object({
    id: z.int().nullable().describe("Identifiant, null avant le premier ajout"),
    items: z.array(itemSchema).describe("Les articles, dans l'ordre d'ajout"),
    itemsCount: z.int().describe("Nombre de pièces des articles disponibles"),
    total: z.number().describe("Montant en euros des articles disponibles, TVA comprise"),
    vatIncluded: z.boolean().describe("Faux si le vendeur est en franchise de TVA"),
    shipping: shippingSchema
      .nullable()
      .describe("Les modes de livraison, null s'il n'y a rien à envoyer ou rien à choisir"),
  }),
  embedded: () => ({ items: cartItemResource }),
  toJson: (cart: Cart) => {
    const { pieces, totalCents } = cartTotals(
      cart.lines.map((line) => ({ ...line, isAvailable: line.productId !== null })),
    );
    return {
      id: cart.id,
      items: cart.lines.map(cartItemResource.toJson),
      itemsCount: pieces,
      total: eurosFromCents(totalCents),
      vatIncluded: !cart.isVatExempt,
      shipping: shippingJson(cart),
    };
  },
});

/** The response to a change of one item. */
export const changedItem = z.object({
  message: z.string().describe("Phrase à montrer"),
  id: z.int().describe("Identifiant de l'article"),
  quantity: z.int().describe("Nombre de pièces de l'article dans le panier"),
});
