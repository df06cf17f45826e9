import type { PagePath } from "@/lib/pages";
import { PRODUCT_TYPE_LABELS, type ProductType } from "@/lib/shop/product-type";
import { SHOP_NAME } from "@/lib/shop/shop-name";

/** The shop in one sentence, for the home page, the default picture and the web manifest. */
export const SHOP_DESCRIPTION = `${SHOP_NAME}, la boutique en ligne de produits physiques et numériques\u00a0: objets choisis, livres, musique, cours et fichiers à télécharger.`;

/** The line below the shop's name on its default picture. */
export const SHOP_TAGLINE = "Des objets choisis et des fichiers à télécharger";

/** Keywords of every page. */
export const SHOP_KEYWORDS = [
  "boutique en ligne",
  "produits physiques",
  "produits numériques",
  "téléchargement",
] as const;

/** Description and keywords of the indexed pages, except views of the catalogue. */
export const PAGE_TEXTS: Partial<Record<PagePath, { description: string; keywords: string[] }>> = {
  "/": {
    description: SHOP_DESCRIPTION,
    keywords: ["mieux notés", "meilleures ventes", "petits prix", "nouveautés"],
  },
  "/contact": {
    description: `Une question sur un produit, une commande ou un téléchargement\u202f? Écrivez à ${SHOP_NAME} avec le formulaire de contact\u00a0: nous vous répondons par e-mail.`,
    keywords: ["contact", "service client", "aide", "formulaire de contact"],
  },
  "/livraison-et-retours": {
    description: `Comment ${SHOP_NAME} livre, à quel prix et en combien de temps, et comment rendre un objet\u00a0: quatorze jours pour changer d'avis.`,
    keywords: ["livraison", "frais de port", "retours", "rétractation"],
  },
  "/mentions-legales": {
    description: `Qui vend sur ${SHOP_NAME}, qui répond du site et qui l'héberge, et ce que la boutique garde de vous.`,
    keywords: ["mentions légales", "vendeur", "données personnelles"],
  },
  "/conditions-generales-de-vente": {
    description: `Ce qui vaut pour chaque commande sur ${SHOP_NAME}\u00a0: prix, paiement, livraison, rétractation et garanties.`,
    keywords: ["conditions générales de vente", "rétractation", "garanties"],
  },
};

export const NOT_FOUND_TEXTS = {
  title: "Page introuvable",
  description: "Cette page n'existe pas ou n'existe plus.",
};

const CATALOGUE_TITLE = "Nos produits";

const quoted = (text: string) => `«\u00a0${text}\u00a0»`;

/** A view of the catalogue; `category` and `tag` are names. */
export interface NamedView {
  category: string | undefined;
  tag: string | undefined;
  type: ProductType | undefined;
  search: string | undefined;
  page: number;
}

/** Each view has a unique title, except views that differ only by price range or sort. */
export function catalogueTitle(view: NamedView): string {
  return [
    view.search ? `Recherche ${quoted(view.search)}` : undefined,
    CATALOGUE_TITLE,
    view.category,
    view.tag,
    view.type && PRODUCT_TYPE_LABELS[view.type],
    view.page > 1 ? `page ${view.page}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" - ");
}

const KINDS = { physical: "physiques", digital: "numériques" } as const;

export function catalogueDescription(view: NamedView): string {
  const page = view.page > 1 ? ` Page ${view.page}.` : "";
  if (view.search)
    return `Les produits de ${SHOP_NAME} qui répondent à la recherche ${quoted(view.search)}.${page}`;
  const shown = [
    view.type && KINDS[view.type],
    view.category && `de la catégorie ${quoted(view.category)}`,
    view.tag && `marqués ${quoted(view.tag)}`,
  ].filter(Boolean);
  if (shown.length > 0)
    return `Tous les produits ${shown.join(" ")} chez ${SHOP_NAME}\u00a0: avis de clients, paiement par carte.${page}`;
  return `Tout le catalogue de ${SHOP_NAME}\u00a0: produits physiques et numériques, triés par catégorie, par prix ou par date, avec les avis de clients.${page}`;
}

/** The description of a product without one. */
export const productFallbackDescription = (name: string) =>
  `${name}\u00a0: prix, caractéristiques et avis de clients chez ${SHOP_NAME}.`;

/** Alternative text of a product's share picture. */
export const productPictureText = (product: { name: string; price: string }) =>
  `${product.name}, ${product.price}, chez ${SHOP_NAME}`;
