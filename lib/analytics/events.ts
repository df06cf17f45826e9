/**
 * The events that the shop sends to the tracker; each call adds its name or value. Nothing in an event
 * identifies a person: no names, no addresses, no numbers of orders or invoices.
 */
export const EVENTS = {
  /** name: the text, without anything that looks like an address or a number of a person (client.ts). */
  search: { category: "Catalogue", action: "Recherche" },
  /** value: percent of the page's height, 25 to 100. */
  scrollDepth: { category: "Page", action: "Profondeur de défilement" },
  /** name: what was deleted, "adresse", "avis", "compte" …; never the person. */
  deletion: { category: "Compte", action: "Suppression" },
  /** Only that there was one. */
  invoiceDownload: { category: "Commandes", action: "Téléchargement de facture" },
  /** name: the product's name, value: pieces. */
  cartAdd: { category: "Panier", action: "Ajout au panier" },
  /** value: the number of reviews that appeared. */
  reviewSeeMore: { category: "Avis", action: "Voir plus" },
  /** value: euros. */
  cartPaid: { category: "Panier", action: "Panier payé" },
  /** Only that there was one. */
  orderCompletion: { category: "Commandes", action: "Commande finalisée" },
  /** name: the tab's label. */
  homeTabView: { category: "Accueil", action: "Onglet consulté" },
} as const;
