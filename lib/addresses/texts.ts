// Sentences about addresses, on the server and on screen.

export const POSTAL_CODE_EMPTY = "Le code postal ne doit pas être vide.";
export const POSTAL_CODE_WRONG = "Le code postal doit être valide (format: 12345 ou 12345-6789).";
export const PHONE_WRONG =
  "Le numéro de téléphone doit avoir de 6 à 20 signes\u00a0: chiffres, espaces, points, tirets, parenthèses, et + au début.";

export const ADDRESS_DEFAULT_SET = "Adresse par défaut mise à jour avec succès!";
export const ADDRESS_BILLING_DEFAULT_SET =
  "Adresse de facturation par défaut mise à jour avec succès!";
export const NOT_A_SHIPPING_ADDRESS =
  "Seule une adresse de livraison peut être l'adresse de livraison par défaut.";
export const NOT_A_BILLING_ADDRESS =
  "Seule une adresse de facturation peut être l'adresse de facturation par défaut.";
export const TOO_MANY_ADDRESSES = "Vous ne pouvez pas enregistrer plus de 50 adresses.";
