export const UNKNOWN_INVOICE = "Cette facture n'existe pas.";
export const UNKNOWN_VERSION = "Cette version de la facture n'existe pas.";

export const STAYS_PAID =
  "Cette facture est payée et le reste. Pour rendre l'argent, remboursez la commande\u00a0: un avoir s'établit.";

export const ORDER_OF_ANOTHER = "Cette commande est celle d'un autre client.";
