// Sentences about products, categories and tags. Some are prescribed word for word.

export const DEFAULT_CATEGORY_REQUIRED = "Veuillez sélectionner une catégorie par défaut.";
export const FILE_SIZE_REQUIRED =
  "Veuillez renseigner une taille de fichier valide pour un produit digital.";

export const UNKNOWN_CATEGORY = "Cette catégorie n'existe pas.";
export const UNKNOWN_TAG = "Ce tag n'existe pas.";
export const WRONG_COLOR = "La couleur doit être de la forme #rrggbb.";
export const WRONG_IMAGE = "Cette image doit être un nom de fichier ou une adresse http(s).";
export const TOO_MANY_IMAGES = "Un produit peut avoir 12 images au plus.";
export const WRONG_GTIN =
  "Ce code-barres n'est pas valide\u00a0: 8, 12, 13 ou 14 chiffres, dont le dernier est la clé de contrôle.";
export const SKU_IN_USE = "Un autre produit porte déjà cette référence.";
export const GTIN_IN_USE = "Un autre produit porte déjà ce code-barres.";
export const WRONG_DOWNLOAD_LINK =
  "Ce lien doit être une adresse http(s), un chemin /downloads/… ou un nom de fichier.";
export const WRONG_VAT_RATE = "Le taux de TVA doit être 20, 10, 5,5, 2,1 ou 0.";
export const WRONG_WEIGHT = "Le poids doit être un nombre entier de grammes, à partir de 0.";
export const WRONG_CHARACTERISTICS =
  "Les caractéristiques doivent être des textes désignés par leur nom.";
export const TOO_MANY_CHARACTERISTICS = "Un produit peut avoir 100 caractéristiques au plus.";
export const WRONG_FILTERS = "Les filtres doivent être des noms de caractéristiques.";
export const TOO_MANY_FILTERS = "Une catégorie peut avoir 12 filtres au plus.";
export const WRONG_RELATIONS = "Ce champ doit être une liste d'identifiants ou d'adresses.";

/** Why a category cannot be deleted: it is the default category of products. */
export const categoryInUse = (products: number) =>
  products === 1
    ? "Cette catégorie est la catégorie par défaut d'un produit\u00a0: elle ne peut pas être supprimée sans lui."
    : `Cette catégorie est la catégorie par défaut de ${products} produits\u00a0: elle ne peut pas être supprimée sans eux.`;
