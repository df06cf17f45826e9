// The specification's sentences stand here as it writes them.

export const LIST_FAILED = "Impossible de charger vos commandes.";
export const DETAIL_FAILED = "Impossible de charger le détail de la commande.";
export const INVOICE_FAILED = "Erreur lors du téléchargement de la facture.";
export const CONFIRMATION_FAILED = "Erreur lors du chargement de la commande.";

export const UNKNOWN_ORDER = "Cette commande n'existe pas.";

export const NO_LINK = "Lien non dispo";
export const IN_PREPARATION = "Préparation";

export const LINK_EXPIRED =
  "Ce lien de téléchargement a expiré. Ouvrez le détail de la commande pour en obtenir un nouveau.";
export const FILE_MISSING =
  "Ce fichier n'est pas disponible pour le moment. Contactez-nous si cela persiste.";
export const DOWNLOAD_FAILED =
  "Le téléchargement est momentanément impossible. Réessayez dans un instant.";
