// Sentences about invoices.

export const UNKNOWN_ORDER = "Cette commande n'existe pas.";
