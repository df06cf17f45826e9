// Sentences about invoices.

export const UNKNOWN_ORDER = "Cette commande n'existe pas.";
export const ORDER_OF_ANOTHER = "Cette commande est celle d'un autre client.";
