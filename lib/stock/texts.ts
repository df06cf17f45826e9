import { formatNumber } from "@/lib/numbers";
import { MAX_STOCK } from "./rules";

// Sentences about stock. Some are prescribed word for word.

export const onlyLeft = (pieces: number) =>
  `Il ne reste que ${formatNumber(pieces)} exemplaire(s) de ce produit.`;

export const REASON_REQUIRED = "Indiquez la raison de cette correction.";
const LIMIT = formatNumber(MAX_STOCK);
export const WRONG_STOCK = `Le stock doit être un nombre entier de 0 à ${LIMIT}.`;
export const WRONG_THRESHOLD = `Le seuil doit être un nombre entier de 0 à ${LIMIT}.`;
export const WRONG_DIFFERENCE = `La correction doit être un nombre entier, différent de 0, de −${LIMIT} à ${LIMIT}.`;
export const ONLY_PHYSICAL = "Le stock ne se compte que pour un produit physique.";
export const stockChanged = (stock: number | null) =>
  stock === null
    ? "Le stock de ce produit n'est plus compté. Rechargez la page avant de le corriger."
    : `Le stock a changé entre-temps\u00a0: il est de ${formatNumber(stock)}. Vérifiez votre correction.`;

/** The movement's reason when the product form changes the stock. */
export const FORM_REASON = "Fiche du produit";

export const SAME_STOCK = "C'est déjà le stock de ce produit.";
export const FILE_TOO_LARGE = "Ce fichier est trop volumineux (4 Mo au plus).";
export const CORRECTED = "Stock corrigé.";
export const CSV_REQUIRED = "Choisissez un fichier CSV.";
export const NOT_CSV =
  "Ce fichier n'est pas un CSV\u00a0: dans votre tableur, enregistrez la feuille au format CSV.";
export const WRONG_FILE =
  "cette ligne n'a pas le même nombre de colonnes que les titres, ou ses guillemets ne sont pas fermés.";
export const NO_LINES = "le fichier ne contient aucun produit.";
/** Heading of the exported stock: an import compares it with the stock to find sales since the export. */
export const EXPORTED_STOCK = "Stock lu";
export const MISSING_COLUMNS =
  "les titres doivent contenir «\u00a0Stock\u00a0», et «\u00a0ID\u00a0» ou «\u00a0Nom\u00a0».";
export const TOO_MANY_LINES = "un fichier peut contenir 5\u00a0000 produits au plus.";
export const LINES_WITHOUT_PRODUCT = "le produit manque.";
export const WRONG_ID = "l'ID doit être un nombre entier.";
export const UNKNOWN_LINE_PRODUCT = "ce produit n'existe pas.";
export const AMBIGUOUS_NAME = "plusieurs produits portent ce nom\u00a0: indiquez l'ID.";
export const REPEATED_PRODUCT = "ce produit figure déjà plus haut dans le fichier.";

/** For a line that changes a stock that pieces entered or left since the export. */
export const changedSinceExport = ({ name, stock }: { name: string; stock: number | null }) => {
  const [change, correction] =
    stock === null
      ? ["n'est plus compté", "videz"]
      : [
          `a changé depuis l'export\u00a0: il est de ${formatNumber(stock)}`,
          `mettez ${stock} dans`,
        ];
  return `Le stock de «\u00a0${name}\u00a0» ${change}. Exportez de nouveau la liste, ou vérifiez votre correction et ${correction} «\u00a0${EXPORTED_STOCK}\u00a0».`;
};

export const onLine = ({ line, message }: { line: number; message: string }) =>
  `Ligne ${line}\u00a0: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;

export const imported = (changed: number) =>
  changed === 0
    ? "Tous les stocks du fichier étaient déjà à jour."
    : changed === 1
      ? "Le stock d'un produit a été mis à jour."
      : `Les stocks de ${formatNumber(changed)} produits ont été mis à jour.`;
