/** What the shop tells the tracker about; the name or value of a single event comes with it. */
export const EVENTS = {
  /** name: the text. */
  search: { category: "Catalogue", action: "Recherche" },
  /** value: percent of the page's height, 25 to 100. */
  scrollDepth: { category: "Page", action: "Profondeur de défilement" },
  /** name: what was deleted, "adresse", "avis", "compte" …; never whose. */
  deletion: { category: "Compte", action: "Suppression" },
  /** value: the invoice's id. */
  invoiceDownload: { category: "Commandes", action: "Téléchargement de facture" },
  /** name: the product's name, value: pieces. */
  cartAdd: { category: "Panier", action: "Ajout au panier" },
  /** value: how many further reviews appeared. */
  reviewSeeMore: { category: "Avis", action: "Voir plus" },
  /** value: euros. */
  cartPaid: { category: "Panier", action: "Panier payé" },
  /** value: the order's id. */
  orderCompletion: { category: "Commandes", action: "Commande finalisée" },
  /** name: the tab's label. */
  homeTabView: { category: "Accueil", action: "Onglet consulté" },
} as const;
