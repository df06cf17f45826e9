// Messages and labels of the back office, for server and screens. Keep their exact wording.

import { formatEuros } from "@/lib/money";
import { ORDER_STATUS_LABELS } from "@/lib/shop/order-status";
import { POSTAL_ZONE_LABELS } from "@/lib/shop/postal-zones";
import { PRODUCT_TYPE_LABELS } from "@/lib/shop/product-type";

export const ALL_FIELDS_REQUIRED = "Tous les champs sont obligatoires.";
export const USER_REQUIRED = "Veuillez sélectionner un utilisateur.";
export const UNKNOWN_USER = "Cet utilisateur n'existe pas.";
export const UNKNOWN_PRODUCT = "Ce produit n'existe pas.";
export const QUANTITY_TOO_LOW = "La quantité doit être d'au moins 1.";
export const WRONG_AMOUNT = "Veuillez saisir un montant en euros, avec deux décimales au plus.";
export const NEGATIVE_AMOUNT = "Le montant ne peut pas être négatif.";
export const amountTooLarge = (mostCents: number) =>
  `Le montant ne peut pas dépasser ${formatEuros(mostCents)}.`;

/** Shown if the user cancels leaving the page when the browser asks about unsaved changes. */
export const SESSION_OVER =
  "Votre session a expiré. Pour garder ce que vous avez saisi, restez sur cette page, reconnectez-vous dans un autre onglet, puis enregistrez.";

/** The message for saving a stale copy; `name` is the person who saved first. */
export const changedMeanwhile = (name: string | null) =>
  name === null
    ? "Cet objet a été modifié entre-temps."
    : `Cet objet a été modifié entre-temps par ${name}.`;

export const REVIEW_STATUS_LABELS = {
  PENDING: "En attente",
  VALIDATED: "Validé",
  REJECTED: "Rejeté",
} as const;
export const WITHDRAWAL_STATE_LABELS = {
  received: "Reçue",
  refunded: "Remboursée",
  refused: "Refusée",
} as const;
export const ADDRESS_TYPE_LABELS = { shipping: "Livraison", billing: "Facturation" } as const;

/** Labels of the API's constants for choices. */
export const CHOICE_LABELS: Readonly<Record<string, string>> = {
  ...REVIEW_STATUS_LABELS,
  ...WITHDRAWAL_STATE_LABELS,
  ...PRODUCT_TYPE_LABELS,
  active: "En vente",
  draft: "Brouillon",
  ...ADDRESS_TYPE_LABELS,
  ...ORDER_STATUS_LABELS,
  ...POSTAL_ZONE_LABELS,
};

/** Labels of API fields without a form label: fields written by the shop itself, and nested fields. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  number: "Numéro",
  date: "Date",
  createdAt: "Date de création",
  image: "Image principale",
  productType: "Type",
  datePublication: "Date",
  datePurchase: "Date d’achat",
  state: "État",
  settledAt: "Réglée le",
  refusalReason: "Motif du refus",
  amount: "Montant",
  reason: "Motif",
  deduction: "Déduction",
  shipping: "Livraison",
  restock: "Remis en stock",
  refundedTotal: "Remboursé",
  withdrawnAt: "Rétractation reçue le",
  deletedProducts: "Produits supprimés avec elle",
  order: "Commande",
  buyer: "Client",
  status: "État",
  itemsCount: "Nombre de pièces",
  shippedItems: "Pièces expédiées",
  shipments: "Colis",
  items: "Articles",
  email: "Email",
  isTwoFactorActive: "Double authentification",
  total: "Total",
  shippingMethod: "Mode de livraison",
  shippingTotal: "Livraison",
  shippingAddress: "Adresse livraison",
  shippingStreet: "Rue",
  shippingPostalCode: "Code postal",
  shippingCity: "Ville",
  billingAddress: "Adresse facturation",
  billingStreet: "Rue",
  billingPostalCode: "Code postal",
  billingCity: "Ville",
  shippingRecipient: "Destinataire",
  shippingCompany: "Société",
  shippingComplement: "Complément d’adresse",
  shippingPhone: "Téléphone",
  billingRecipient: "Destinataire",
  billingCompany: "Société",
  billingComplement: "Complément d’adresse",
  billingPhone: "Téléphone",
  invoiceNumber: "Numéro de la facture",
};
