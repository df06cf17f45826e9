// Sentences about accounts, on the server and on screen.

export const ALL_FIELDS_REQUIRED = "Tous les champs sont obligatoires";
export const LAST_NAME_TOO_SHORT = "Le nom doit contenir au moins 3 caractères";
export const FIRST_NAME_TOO_SHORT = "Le prénom doit contenir au moins 3 caractères";
export const PASSWORDS_DIFFER = "Les mots de passe ne correspondent pas";
/** For a registration; the same whether the account is confirmed or not. */
export const ACCOUNT_EXISTS =
  "Un compte existe déjà avec cet e-mail. S'il n'est pas encore vérifié, un nouveau lien vient de lui être envoyé.";
export const EMAIL_IN_USE = "Cette adresse e-mail est déjà utilisée.";
export const REGISTERED =
  "Inscription réussie\u202f! Un e-mail vient de vous être envoyé pour vérifier votre adresse.";

export const WRONG_RETURN_PATH = "Cette adresse n'est pas celle d'une page de la boutique.";

export const WRONG_CREDENTIALS = "Email ou mot de passe incorrect";
export const NOT_VERIFIED = "Votre compte n'est pas encore vérifié.";
export const WRONG_PASSWORD = "Mot de passe incorrect";
export const WRONG_CODE = "Code 2FA invalide";
export const TOO_MANY_CODES = "Trop de codes incorrects. Veuillez vous reconnecter.";

export const VERIFIED = "Votre compte a été vérifié avec succès.";
export const WRONG_CONFIRMATION = "Ce lien de vérification est invalide ou a expiré.";

export const EMAIL_REQUIRED = "Veuillez saisir votre adresse e-mail";
/** The same whether there is such an account or not. */
export const RESET_REQUESTED =
  "Si un compte correspond à cette adresse, un e-mail vient de lui être envoyé pour choisir un nouveau mot de passe.";
/** The same whether there is such an account or not. */
export const RESET_LINKS_SENT =
  "Trop de demandes pour cette adresse. Si un compte lui correspond, le lien du dernier e-mail reçu est encore valable.";
export const NEW_PASSWORD_REQUIRED = "Veuillez saisir un nouveau mot de passe";
export const WRONG_RESET = "Ce lien de réinitialisation est invalide ou a expiré.";
export const PASSWORD_RESET = "Votre mot de passe a été réinitialisé avec succès.";

/** For the documentation of calls that make sensitive changes. */
export const needsRecentLogin = (what = "Changement sensible") =>
  `${what}\u00a0: la session doit s'être authentifiée depuis moins de dix minutes (POST /api/reauthenticate), sinon 403 de type /api/errors/reauthentication-required.`;

export const TWO_FACTOR_IS_ACTIVE = "La double authentification est déjà active.";
export const TWO_FACTOR_DEACTIVATED = "2FA désactivé avec succès.";
