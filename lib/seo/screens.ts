import type { Metadata } from "next";
import { pageMetadata } from "./metadata";

// Metadata of the back office's screens, for the browser's tab. Search engines do not index them.

const SCREENS = {
  "/backoffice": {
    title: "Tableau de bord",
    description: "Les chiffres du jour et l'évolution des commandes de la boutique.",
    keywords: ["tableau de bord"],
  },
  "/backoffice/addresses": {
    title: "Gestion des adresses",
    description: "Les adresses des clients\u00a0: ajout, modification, suppression.",
    keywords: ["adresses"],
  },
  "/backoffice/cart": {
    title: "Gestion des paniers",
    description: "Les paniers des clients\u00a0: ajout, modification, suppression.",
    keywords: ["paniers"],
  },
  "/backoffice/category": {
    title: "Gestion des catégories",
    description: "Les catégories de produits\u00a0: ajout, modification, suppression.",
    keywords: ["catégories"],
  },
  "/backoffice/credit-notes": {
    title: "Avoirs",
    description: "Les avoirs de la boutique\u00a0: un par remboursement.",
    keywords: ["avoirs"],
  },
  "/backoffice/invoices": {
    title: "Gestion des factures",
    description: "Les factures de la boutique\u00a0: ajout, modification, suppression.",
    keywords: ["factures"],
  },
  "/backoffice/orders": {
    title: "Gestion des commandes",
    description: "Les commandes de la boutique\u00a0: ajout, modification, suppression.",
    keywords: ["commandes"],
  },
  "/backoffice/products": {
    title: "Gestion des produits",
    description: "Les produits de la boutique\u00a0: ajout, modification, suppression.",
    keywords: ["produits"],
  },
  "/backoffice/reviews": {
    title: "Gestion des avis",
    description: "Les avis des clients\u00a0: modération, ajout, modification, suppression.",
    keywords: ["avis", "modération"],
  },
  "/backoffice/seller": {
    title: "Coordonnées du vendeur",
    description: "Qui vend, tel que les factures le nomment.",
    keywords: ["vendeur", "factures"],
  },
  "/backoffice/shipping": {
    title: "Gestion des modes de livraison",
    description: "Les modes de livraison\u00a0: prix, délais, tranches de poids.",
    keywords: ["livraison"],
  },
  "/backoffice/tags": {
    title: "Gestion des tags",
    description: "Les tags des produits\u00a0: ajout, modification, suppression.",
    keywords: ["tags"],
  },
  "/backoffice/users": {
    title: "Gestion des utilisateurs",
    description: "Les comptes de la boutique\u00a0: ajout, modification, suppression.",
    keywords: ["utilisateurs"],
  },
  "/backoffice/withdrawals": {
    title: "Rétractations",
    description: "Les rétractations des clients\u00a0: délais, remboursement, refus.",
    keywords: ["rétractations", "remboursement"],
  },
} as const;

export const screenMetadata = (path: keyof typeof SCREENS): Metadata =>
  pageMetadata({
    ...SCREENS[path],
    keywords: [...SCREENS[path].keywords, "back office"],
    path,
    index: false,
  });
