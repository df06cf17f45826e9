// Sentences about invoices.

export const ORDER_OF_ANOTHER = "Cette commande est celle d'un autre client.";
