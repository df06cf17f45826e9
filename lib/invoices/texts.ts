// Sentences about invoices.

export const PAID_INVOICE =
  "Cette facture est payée\u00a0: elle ne se modifie plus. Établissez un avoir, en remboursant la commande.";

export const ORDER_OF_ANOTHER = "Cette commande est celle d'un autre client.";
