import { formatEuros } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";

export const KEY_REQUIRED =
  "L'en-tête Idempotency-Key est obligatoire\u00a0: une valeur nouvelle pour chaque remboursement, de 255 caractères au plus.";
export const KEY_REUSED =
  "Cette clé (Idempotency-Key) a déjà servi pour un autre remboursement. Rechargez la page et recommencez.";

export const REASON_REQUIRED = "Indiquez le motif du remboursement.";
export const NOTHING_CHOSEN = "Indiquez des articles, la livraison ou un montant à rembourser.";
export const AMOUNT_TOO_LOW = "Le montant à rembourser doit être supérieur à 0.";
export const amountAbovePrice = (priceCents: number) =>
  `Le montant ne peut pas dépasser le prix de ce qui est remboursé\u00a0: ${formatEuros(priceCents)}.`;
export const UNKNOWN_ITEM = "Cet article n'est pas dans cette commande.";

export const NOT_PAID_BY_CARD =
  "Cette commande n'a pas été payée par carte dans la boutique\u00a0: elle ne peut pas être remboursée ici.";
export const WAS_FREE = "Cette commande était gratuite\u00a0: il n'y a rien à rembourser.";
export const ALL_REFUNDED =
  "Il ne reste rien à rembourser sur cette commande\u00a0: tout est rendu, en cours de remboursement ou contesté.";
export const amountTooHigh = (leftCents: number) =>
  leftCents <= 0
    ? ALL_REFUNDED
    : `Il ne reste que ${formatEuros(leftCents)} à rembourser sur cette commande.`;
export const tooManyPieces = ({ name, left }: { name: string; left: number }) =>
  left <= 0
    ? `«\u00a0${name}\u00a0» est déjà remboursé.`
    : `Il ne reste que ${formatNumber(left)} exemplaire${left > 1 ? "s" : ""} de «\u00a0${name}\u00a0» à rembourser.`;
export const NO_SHIPPING_LEFT = "Il n'y a plus de frais de livraison à rembourser.";
export const COSTS_NOTHING = "Ces articles n'ont rien coûté\u00a0: il n'y a rien à rembourser.";
export const creditNoteUnpaid = ({ number, totalCents }: { number: string; totalCents: number }) =>
  `La banque du client a refusé après coup le remboursement de l'avoir ${number}\u00a0: remboursez d'abord exactement ${formatEuros(totalCents)}.`;

export const GOODWILL = "Geste commercial";
export const DEDUCTION = "Déduction sur les articles";
export const BY_PROVIDER = "Remboursement fait chez le prestataire de paiement";
export const BY_BANK = "Paiement contesté auprès de la banque";
export const PAYMENT_DISPUTED =
  "Le client a contesté ce paiement auprès de sa banque, qui ne permet pas de le rembourser.";
export const PAYMENT_UNKNOWN = "Le prestataire de paiement ne connaît pas ce paiement.";
export const DISPUTE_WON = "La banque du client a donné raison à la boutique.";
export const refusedByProvider = (message: string) =>
  `Le prestataire de paiement a refusé\u00a0: ${message}`;

const FAILURES: Record<string, string> = {
  expired_or_canceled_card: "La carte du client a expiré ou a été annulée.",
  lost_or_stolen_card: "La carte du client a été déclarée perdue ou volée.",
  insufficient_funds: "Le solde de la boutique chez le prestataire de paiement ne suffit pas.",
  declined: "La banque du client a refusé le remboursement.",
  charge_for_pending_refund_disputed: PAYMENT_DISPUTED,
  merchant_request: "Le remboursement a été annulé chez le prestataire de paiement.",
};

/** The message for a refund that the bank has not carried out. */
export const failureText = (code: string | null) =>
  FAILURES[code ?? ""] ?? "La banque du client n'a pas accepté le remboursement.";
