export const ACCOUNT_DEACTIVATED = "Votre compte a été désactivé.";
export const ACCOUNT_DELETED = "Votre compte et vos données ont été supprimés.";
export const LAST_ADMIN =
  "Vous êtes le dernier administrateur de la boutique : votre compte ne peut pas être supprimé.";
