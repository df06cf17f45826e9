/**
 * What the shop tells the tracker about; the name or value of a single event comes with it. Nothing
 * in it leads to a person: no names, no addresses, no numbers of orders or invoices.
 */
export const EVENTS = {
  /** name: the text, without what looks like somebody's address or number (client.ts). */
  search: { category: "Catalogue", action: "Recherche" },
  /** value: percent of the page's height, 25 to 100. */
  scrollDepth: { category: "Page", action: "Profondeur de défilement" },
  /** name: what was deleted, "adresse", "avis", "compte" …; never whose. */
  deletion: { category: "Compte", action: "Suppression" },
  /** Only that there was one. */
  invoiceDownload: { category: "Commandes", action: "Téléchargement de facture" },
  /** name: the product's name, value: pieces. */
  cartAdd: { category: "Panier", action: "Ajout au panier" },
  /** value: how many further reviews appeared. */
  reviewSeeMore: { category: "Avis", action: "Voir plus" },
  /** value: euros. */
  cartPaid: { category: "Panier", action: "Panier payé" },
  /** Only that there was one. */
  orderCompletion: { category: "Commandes", action: "Commande finalisée" },
  /** name: the tab's label. */
  homeTabView: { category: "Accueil", action: "Onglet consulté" },
} as const;
