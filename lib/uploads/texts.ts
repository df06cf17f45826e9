// Sentences about uploaded pictures.

export const NOT_A_PICTURE = "Ce fichier n'est pas une image JPG, PNG, GIF ou WEBP.";
export const BROKEN_PICTURE = "Cette image est illisible ou incomplète.";
export const PICTURE_TOO_LARGE = "Cette image a trop de pixels\u00a0: 50 millions au plus.";
export const CANNOT_KEEP =
  "L'image n'a pas pu être enregistrée\u00a0: le stockage de la boutique ne répond pas ou est plein. Réessayez plus tard.";
export const PICTURE_GONE =
  "Cette image n'est plus dans la boutique, qui ne l'utilisait pas. Envoyez-la de nouveau.";
