import { formatNumber } from "@/lib/numbers";
import type { Step } from "@/lib/orders/rules";
import type { OrderStatus } from "@/lib/shop/order-status";

/** Why the order's state does not allow a step. */
const ALREADY: Record<OrderStatus, string> = {
  paid: "Cette commande n'est pas encore expédiée.",
  preparing: "Cette commande est déjà en préparation.",
  shipped: "Cette commande est déjà expédiée.",
  delivered: "Cette commande est déjà livrée.",
  cancelled: "Cette commande est annulée.",
};

export const notNext = ({ step, status }: { step: Step; status: OrderStatus }): string =>
  step === "deliver" && status === "preparing" ? ALREADY.paid : ALREADY[status];

export const NOTHING_TO_SEND = "Il ne reste rien à envoyer de cette commande.";
export const SAME_PARCEL = "Un colis de cette commande a déjà ce numéro de suivi.";

export const CARRIER_REQUIRED = "Veuillez choisir un transporteur.";
export const WRONG_TRACKING = "Le numéro de suivi ne peut contenir que des caractères visibles.";
export const ITEM_IS_FILE = "Cet article est un fichier\u00a0: il n'y a rien à envoyer.";

export const tooManyPieces = (left: number): string =>
  left === 0
    ? "Il ne reste rien à envoyer de cet article."
    : `Il ne reste que ${formatNumber(left)} ${left === 1 ? "pièce" : "pièces"} de cet article à envoyer.`;

export const PREPARED = "Commande en préparation.";
export const DELIVERED = "Commande livrée.";

export const NO_ORDERS = "Veuillez indiquer au moins une commande.";
export const NOTHING_TO_PACK = "Ces commandes n'ont plus rien à envoyer.";
