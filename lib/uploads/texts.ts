import type { OtherPictureKind } from "./rules";

// Messages about uploaded pictures.

export const NOT_A_PICTURE = "Ce fichier n'est pas une image JPG, PNG, GIF ou WEBP.";
/** How to convert a picture of a rejected kind. */
export const OTHER_PICTURE: Record<OtherPictureKind, string> = {
  HEIC: "Cette photo est au format HEIC, que la boutique ne peut pas montrer. Envoyez-la en JPG\u00a0: sur un iPhone, touchez Partager, puis Options, et choisissez «\u00a0Le plus compatible\u00a0»\u202f; pour vos prochaines photos, choisissez-le dans Réglages, Appareil photo, Formats.",
  AVIF: "Cette image est au format AVIF, que la boutique ne prend pas. Ouvrez-la dans une application de photos, exportez-la en JPG, PNG, GIF ou WEBP, puis envoyez ce fichier.",
};
export const BROKEN_PICTURE = "Cette image est illisible ou incomplète.";
export const PICTURE_TOO_LARGE = "Cette image a trop de pixels\u00a0: 50 millions au plus.";
export const CANNOT_KEEP =
  "L'image n'a pas pu être enregistrée\u00a0: le stockage de la boutique ne répond pas ou est plein. Réessayez plus tard.";
export const PICTURE_GONE =
  "Cette image n'est plus dans la boutique, qui ne l'utilisait pas. Envoyez-la de nouveau.";
