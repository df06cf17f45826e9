/** The demonstration shop's terms, in the format of lib/seller/terms.ts. A real seller writes their own. */
export const demoTerms = `Ces conditions s’appliquent à chaque commande passée sur ce site par un consommateur. Elles sont en vigueur depuis le 1er janvier 2026\u202f; celles du jour de la commande sont jointes à sa confirmation.

# 1. Qui vend
Mini Ecommerce SAS, 12 rue des Artisans, 69001 Lyon, SIREN 123 456 782. Vous nous joignez au 04 65 71 01 23, à bonjour@mini-ecommerce.test ou par la page Contact.

# 2. Produits et prix
La page de chaque produit en donne les caractéristiques et le prix en euros, toutes taxes comprises. Nous livrons en France métropolitaine et à Monaco. Le prix de la livraison s’ajoute à celui des objets\u00a0: le panier dit à partir de quel prix, ou qu’elle est offerte. Le prix que vous payez est celui que la page de paiement affiche\u00a0: s’il a changé depuis que le produit est dans votre panier, le panier le dit.

# 3. Commande et paiement
Vous commandez avec un compte dont l’adresse e-mail est vérifiée. Après le choix des adresses et du mode de livraison, la page de paiement récapitule la commande, et le bouton «\u00a0Payer\u00a0» vous engage. Le paiement se fait par carte bancaire, avec l’authentification de votre banque\u202f; nous ne voyons jamais le numéro de votre carte. La confirmation, la facture et ces conditions vous parviennent aussitôt par e-mail.

# 4. Livraison
Vous choisissez le mode de livraison en commandant\u00a0: son prix dépend du poids des objets et de leur valeur, et le délai de chacun est indiqué. Les objets sont expédiés sous deux jours ouvrés, et livrés au plus tard trente jours après la commande. Passé ce délai, vous pouvez nous fixer un nouveau délai raisonnable, puis annuler la commande\u00a0: nous vous remboursons sous quatorze jours. Les fichiers se téléchargent dans «\u00a0Mes commandes\u00a0» dès le paiement.

# 5. Droit de rétractation
Pour un objet, vous avez quatorze jours après l’avoir reçu pour vous rétracter, sans donner de motif\u202f; si le dernier de ces jours est un samedi, un dimanche ou un jour férié, le délai court jusqu’au premier jour ouvrable suivant. Il suffit de nous le dire avant la fin de ce délai\u00a0: par le bouton «\u00a0Me rétracter de cette commande\u00a0» dans le détail de la commande, par le formulaire ci-dessous ou autrement. Vous nous renvoyez ensuite l’objet dans les quatorze jours à l’adresse du point 1. Les frais de renvoi sont à votre charge. Nous vous remboursons tout ce que vous avez payé, livraison ordinaire comprise, au plus tard quatorze jours après votre message, par la carte qui a servi au paiement\u202f; nous pouvons attendre d’avoir reçu l’objet ou la preuve de son envoi.

Pour un fichier à télécharger, vous consentez en payant à en disposer aussitôt, et renoncez à ce droit (article L221-28, 13°, du Code de la consommation).

# 6. Formulaire de rétractation
À renvoyer seulement si vous souhaitez vous rétracter.

À l’attention de Mini Ecommerce SAS, 12 rue des Artisans, 69001 Lyon, bonjour@mini-ecommerce.test\u00a0:
Je vous notifie ma rétractation du contrat portant sur la vente du bien ci-dessous\u00a0:
- Bien et numéro de la commande\u00a0:
- Commandé le, reçu le\u00a0:
- Nom et adresse\u00a0:
- Date, et signature si le formulaire est sur papier\u00a0:

# 7. Garanties légales
Vous avez deux ans à compter de la délivrance du bien pour obtenir la mise en œuvre de la garantie légale de conformité (articles L217-3 et suivants du Code de la consommation, L224-25-12 et suivants pour les contenus numériques)\u00a0: réparation ou remplacement sans frais, à défaut réduction du prix ou remboursement. Pendant ce délai, vous n’avez à établir que l’existence du défaut, et non la date de son apparition. La garantie des vices cachés (articles 1641 à 1649 du Code civil) vaut pendant deux ans à compter de la découverte du défaut.

# 8. Réclamations et médiation
Écrivez-nous d’abord\u00a0: nous répondons sous cinq jours ouvrés. Sans solution sous deux mois, vous pouvez saisir gratuitement le médiateur de la consommation\u00a0:
Médiateur de démonstration
1 place de l’Accord
69003 Lyon

# 9. Vos données
Nous gardons ce qu’il faut pour votre compte, vos commandes et vos avis. Vous pouvez tout lire, corriger et effacer dans votre compte\u00a0: seules restent les factures, que la loi demande de conserver dix ans.

# 10. Droit applicable
Le droit français s’applique. Vous pouvez aussi vous prévaloir des règles protectrices du pays de l’Union européenne où vous habitez, et en saisir les tribunaux.`;
