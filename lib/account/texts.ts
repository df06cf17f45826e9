export const ACCOUNT_DEACTIVATED = "Votre compte a été désactivé.";
export const ACCOUNT_DELETED = "Votre compte et vos données ont été supprimés.";
export const EMAIL_CHANGE_MAILED =
  "Un lien vient d'être envoyé à la nouvelle adresse e-mail. L'adresse actuelle reste valable jusqu'à ce que vous l'ouvriez.";
export const LAST_ADMIN =
  "Vous êtes le dernier administrateur de la boutique\u00a0: votre compte ne peut pas être supprimé.";

export const LAST_ADMIN_DELETED =
  "Le dernier administrateur de la boutique ne peut pas être supprimé.";
export const LAST_ADMIN_NEEDED =
  "Le dernier administrateur de la boutique doit garder son rôle et un compte actif.";
export const TOKEN_IN_USE = "Ce jeton est déjà utilisé par un autre compte.";
export const TOKEN_TOO_SHORT = "Le jeton doit contenir au moins 32 caractères.";
