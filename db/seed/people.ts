import type { PostalAddress } from "@/lib/shop/postal-address";

/** A customer of the demonstration shop. */
export interface PersonSeed {
  firstName: string;
  lastName: string;
  email: string;
  home: PostalAddress;
  /** billing address, if not home */
  billing?: PostalAddress;
  /** an account whose e-mail address is not confirmed, or that its owner closed */
  state?: "unverified" | "deleted";
}

function at(street: string, postalCode: string, city: string): PostalAddress {
  return { street, city, postalCode };
}

/** Twenty-nine customers; the thirtieth is the demonstration account below. */
export const peopleSeeds: readonly PersonSeed[] = [
  {
    firstName: "Amélie",
    lastName: "Girard",
    email: "amelie.girard@exemple.test",
    home: at("14 rue Mercière", "69002", "Lyon"),
    billing: at("3 place des Jacobins", "69002", "Lyon"),
  },
  {
    firstName: "Jean-Baptiste",
    lastName: "Le Goff",
    email: "jb.legoff@exemple.test",
    home: at("27 quai de la Douane", "29200", "Brest"),
  },
  {
    firstName: "Inès",
    lastName: "Benali",
    email: "ines.benali@exemple.test",
    home: at("8 boulevard Longchamp", "13001", "Marseille"),
  },
  {
    firstName: "François",
    lastName: "Delacroix",
    email: "francois.delacroix@exemple.test",
    home: at("52 rue Nationale", "37000", "Tours"),
    billing: at("Cabinet Delacroix, 6 rue Colbert", "37000", "Tours"),
  },
  {
    firstName: "Chloé",
    lastName: "Marchand",
    email: "chloe.marchand@exemple.test",
    home: at("19 rue des Tanneurs", "67000", "Strasbourg"),
  },
  {
    firstName: "Théo",
    lastName: "Rousseau",
    email: "theo.rousseau@exemple.test",
    home: at("5 allée des Tilleuls", "35000", "Rennes"),
  },
  {
    firstName: "Marie-Hélène",
    lastName: "Fontaine",
    email: "mh.fontaine@exemple.test",
    home: at("31 avenue du Maréchal-Foch", "21000", "Dijon"),
    billing: at("2 rue de la Liberté", "21000", "Dijon"),
  },
  {
    firstName: "Nicolas",
    lastName: "Perrin",
    email: "nicolas.perrin@exemple.test",
    home: at("76 cours Berriat", "38000", "Grenoble"),
  },
  {
    firstName: "Zoé",
    lastName: "Lefèvre",
    email: "zoe.lefevre@exemple.test",
    home: at("11 rue Solférino", "59000", "Lille"),
  },
  {
    firstName: "Mathieu",
    lastName: "Caron",
    email: "mathieu.caron@exemple.test",
    home: at("4 rue des Trois-Cailloux", "80000", "Amiens"),
  },
  {
    firstName: "Aïcha",
    lastName: "Diallo",
    email: "aicha.diallo@exemple.test",
    home: at("63 rue de Bagnolet", "75020", "Paris"),
    billing: at("18 rue de Charonne", "75011", "Paris"),
  },
  {
    firstName: "Guillaume",
    lastName: "Noël",
    email: "guillaume.noel@exemple.test",
    home: at("9 place Stanislas", "54000", "Nancy"),
  },
  {
    firstName: "Élodie",
    lastName: "Barbier",
    email: "elodie.barbier@exemple.test",
    home: at("22 rue Crébillon", "44000", "Nantes"),
  },
  {
    firstName: "Sébastien",
    lastName: "Morel",
    email: "sebastien.morel@exemple.test",
    home: at("140 route de Toulouse", "33400", "Talence"),
  },
  {
    firstName: "Margaux",
    lastName: "Da Silva",
    email: "margaux.dasilva@exemple.test",
    home: at("7 rue du Taur", "31000", "Toulouse"),
    billing: at("45 allées Jean-Jaurès", "31000", "Toulouse"),
  },
  {
    firstName: "Olivier",
    lastName: "Vasseur",
    email: "olivier.vasseur@exemple.test",
    home: at("16 rue d'Antibes", "06400", "Cannes"),
  },
  {
    firstName: "Lucie",
    lastName: "Hoarau",
    email: "lucie.hoarau@exemple.test",
    home: at("12 rue Gabriel-Péri", "93200", "Saint-Denis"),
  },
  {
    firstName: "Antoine",
    lastName: "Besson",
    email: "antoine.besson@exemple.test",
    home: at("3 chemin des Vignes", "26000", "Valence"),
  },
  {
    firstName: "Noémie",
    lastName: "Royer",
    email: "noemie.royer@exemple.test",
    home: at("88 rue Jeanne-d'Arc", "76000", "Rouen"),
  },
  {
    firstName: "Karim",
    lastName: "Haddad",
    email: "karim.haddad@exemple.test",
    home: at("25 rue Foch", "34000", "Montpellier"),
    billing: at("10 place de la Comédie", "34000", "Montpellier"),
  },
  {
    firstName: "Pauline",
    lastName: "Schmitt",
    email: "pauline.schmitt@exemple.test",
    home: at("17 rue des Clefs", "68000", "Colmar"),
  },
  {
    firstName: "Étienne",
    lastName: "Chevalier",
    email: "etienne.chevalier@exemple.test",
    home: at("41 rue Saint-Aubin", "49100", "Angers"),
  },
  {
    firstName: "Laurence",
    lastName: "Pichon",
    email: "laurence.pichon@exemple.test",
    home: at("6 impasse du Lavoir", "63000", "Clermont-Ferrand"),
  },
  {
    firstName: "Hugo",
    lastName: "Martinez",
    email: "hugo.martinez@exemple.test",
    home: at("30 avenue Thiers", "64100", "Bayonne"),
  },
  {
    firstName: "Anne-Sophie",
    lastName: "Leblanc",
    email: "as.leblanc@exemple.test",
    home: at("2 rue de la Marne", "51100", "Reims"),
  },
  {
    firstName: "Bastien",
    lastName: "Maillard",
    email: "bastien.maillard@exemple.test",
    home: at("58 rue de Strasbourg", "86000", "Poitiers"),
  },
  {
    firstName: "Solène",
    lastName: "Guégan",
    email: "solene.guegan@exemple.test",
    home: at("13 rue du Port", "56000", "Vannes"),
    state: "deleted",
  },
  {
    firstName: "Raphaël",
    lastName: "Tissot",
    email: "raphael.tissot@exemple.test",
    home: at("20 rue Royale", "74000", "Annecy"),
    state: "unverified",
  },
  {
    firstName: "Clémence",
    lastName: "Aubert",
    email: "clemence.aubert@exemple.test",
    home: at("9 rue de la République", "84000", "Avignon"),
    state: "unverified",
  },
];

/** The public demonstration account. */
export const demoCustomer = {
  firstName: "Camille",
  lastName: "Moreau",
  email: "client@mini-ecommerce.test",
  password: "Client-2026!",
  addresses: [
    { ...at("28 rue des Martyrs", "75009", "Paris"), type: "shipping", isDefault: true },
    { ...at("La Petite Grange, 3 chemin du Moulin", "61130", "Bellême"), type: "shipping" },
    { ...at("Studio Moreau, 112 rue du Temple", "75003", "Paris"), type: "shipping" },
    { ...at("28 rue des Martyrs", "75009", "Paris"), type: "billing", isDefaultBilling: true },
    { ...at("Studio Moreau, 112 rue du Temple", "75003", "Paris"), type: "billing" },
  ],
} as const;

export const demoAdmin = {
  firstName: "Juliette",
  lastName: "Bernard",
  email: "admin@mini-ecommerce.test",
  password: "Admin-2026!",
} as const;

/** The seller on the demonstration shop's invoices. */
export const demoSeller = {
  legalName: "Mini Ecommerce SAS",
  address: ["12 rue des Artisans", "69001 Lyon", "France"],
  siren: "123 456 782",
  vatNumber: "FR11 123456782",
  phone: "04 65 71 01 23",
  publisher: "Camille Artisan",
  host: "Hébergeur de démonstration\n1 place du Serveur\n69002 Lyon\n04 65 71 04 56",
  email: "bonjour@mini-ecommerce.test",
};
