import { formatAmount } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";

// Some of these sentences are prescribed word for word.

export const LIST_FAILED = "Impossible de charger vos commandes.";
export const DETAIL_FAILED = "Impossible de charger le détail de la commande.";
export const INVOICE_FAILED = "Erreur lors du téléchargement de la facture.";
export const CREDIT_NOTE_FAILED = "Erreur lors du téléchargement de l'avoir.";
export const CONFIRMATION_FAILED = "Erreur lors du chargement de la commande.";

export const NO_ORDERS = "Vous n’avez pas encore passé de commande.";

export const UNKNOWN_ORDER = "Cette commande n'existe pas.";

/** For the number in a link to the orders. */
export const NOT_FOUND =
  "Cette commande n’est pas parmi les vôtres. Vérifiez son numéro, ou le compte auquel vous êtes connecté.";

export const NO_LINK = "Lien non dispo";
export const IN_PREPARATION = "Préparation";
export const SENT = "Expédié";
export const DELIVERED = "Livré";
export const NOT_SENT = "Non expédié";
export const sentPart = ({
  shippedQuantity,
  quantity,
}: {
  shippedQuantity: number;
  quantity: number;
}) =>
  `${formatNumber(shippedQuantity)} ${shippedQuantity === 1 ? "objet expédié" : "objets expédiés"} sur ${formatNumber(quantity)}`;

/**
 * "2 objets expédiés sur 3" without files, which count as sent once they are paid; null while no object was sent.
 */
export function partSent({
  itemsCount,
  shippedItems,
  filesCount,
}: {
  itemsCount: number;
  shippedItems: number;
  filesCount: number;
}): string | null {
  const shippedQuantity = shippedItems - filesCount;
  if (shippedQuantity <= 0) return null;
  return sentPart({ shippedQuantity, quantity: itemsCount - filesCount });
}

/** The refunded part of a total, in euros; null without a refund. */
export function partRefunded({
  total,
  refundedTotal,
}: {
  total: number;
  refundedTotal: number;
}): string | null {
  if (refundedTotal === 0) return null;
  return refundedTotal < total ? `Remboursé\u00a0: ${formatAmount(refundedTotal)}` : "Remboursée";
}

export const LINK_EXPIRED =
  "Ce lien de téléchargement a expiré. Ouvrez le détail de la commande pour en obtenir un nouveau.";
export const FILE_MISSING =
  "Ce fichier n'est pas disponible pour le moment. Contactez-nous si cela persiste.";
export const DOWNLOAD_FAILED =
  "Le téléchargement est momentanément impossible. Réessayez dans un instant.";

export const LINE_REQUIRED = "Veuillez indiquer un article de la commande.";
export const WRONG_LINE = "Cette valeur doit être l'identifiant d'un article de la commande.";
export const UNKNOWN_LINE = "Cet article ne fait pas partie de la commande.";
export const LINE_TWICE = "Cet article est indiqué deux fois.";
export const NO_LINES = "Veuillez indiquer au moins un article.";

export const LINE_SETTLED =
  "Un article déjà expédié ou remboursé ne peut pas être retiré de la commande.";
export const fewerThanSettled = (settled: number) =>
  `${formatNumber(settled)} ${settled === 1 ? "pièce est déjà expédiée ou remboursée" : "pièces sont déjà expédiées ou remboursées"}\u00a0: la quantité ne peut pas être inférieure.`;
export const CANCELLED_ORDER =
  "Cette commande est annulée\u00a0: ses articles ne se modifient plus.";
export const REFUND_PENDING =
  "Un remboursement de cette commande est en cours\u00a0: elle pourra être supprimée quand il sera fait.";
