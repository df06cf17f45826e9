import { createRandom } from "./random";

// The words of the large catalogue. Each list starts with its most frequent entries: of a million
// products, the first entries are in many thousands, the last ones in a handful.

/** A kind of product: its name, grammatical gender, categories and picture. */
export interface NounWord {
  name: string;
  gender: "m" | "f";
  /** keys of categorySeeds; the first one is the default category */
  categories: readonly [string, ...string[]];
  /** slug of the demonstration product whose picture is used */
  picture: string;
  /** only digital products have one */
  fileType?: string;
}

type Row = readonly [
  name: string,
  gender: "m" | "f",
  picture: string,
  categories: readonly [string, ...string[]],
  fileType?: string,
];

const noun = ([name, gender, picture, categories, fileType]: Row): NounWord => ({
  name,
  gender,
  picture,
  categories,
  fileType,
});

const PHYSICAL: readonly Row[] = [
  ["Carnet", "m", "carnet-a-pages-pointillees", ["papeterie"]],
  ["Bougie", "f", "bougie-a-la-cire-d-abeille", ["maison"]],
  ["Tasse", "f", "tasse-a-cafe-en-gres", ["cuisine"]],
  ["Écharpe", "f", "echarpe-tricotee-main", ["couture"]],
  ["Stylo-plume", "m", "stylo-plume-bleu-de-prusse", ["papeterie"]],
  ["Théière", "f", "theiere-en-fonte-emaillee", ["cuisine", "maison"]],
  ["Vase", "m", "vase-a-deux-anses", ["maison"]],
  ["Panier", "m", "panier-en-osier-tresse", ["maison", "jardin"]],
  ["Lanterne", "f", "lanterne-en-papier-de-riz", ["maison", "jardin"]],
  ["Savon", "m", "savon-surgras-a-la-rose", ["maison"]],
  ["Chapeau", "m", "chapeau-de-paille-a-ruban", ["couture", "jardin"]],
  ["Peluche", "f", "ours-en-peluche-basile", ["maison"]],
  ["Cahier", "m", "carnet-a-pages-pointillees", ["papeterie", "livres"]],
  ["Miroir", "m", "miroir-dore-petale", ["maison"]],
  ["Plante", "f", "ficus-en-pot-de-terre-cuite", ["jardin"]],
  ["Pelote", "f", "pelotes-de-laine-merinos", ["couture"]],
  ["Coupe-fil", "m", "ciseaux-de-couturiere", ["couture"]],
  ["Casque audio", "m", "casque-audio-a-arceau", ["musique"]],
  ["Poste de radio", "m", "poste-de-radio-retro", ["musique", "maison"]],
  ["Palette", "f", "coffret-de-gouaches-et-palette", ["arts"]],
  ["Crayon", "m", "craies-grasses-multicolores", ["arts", "papeterie"]],
  ["Carte postale", "f", "cartes-de-voeux-mille-coeurs", ["papeterie"]],
  ["Marque-page", "m", "marque-pages-en-cuir-rouge", ["livres", "papeterie"]],
  ["Bobine", "f", "bobines-de-fil-a-coudre", ["couture"]],
  ["Équerre", "f", "regle-et-equerre-graduees", ["papeterie", "arts"]],
  ["Bol", "m", "tasse-a-cafe-en-gres", ["cuisine"]],
  ["Sachet de graines", "m", "graines-de-tournesol-geant", ["jardin"]],
  ["Poupée", "f", "poupees-russes-peintes-a-la-main", ["maison"]],
  ["Appareil photo", "m", "appareil-photo-argentique", ["arts"]],
  ["Violon", "m", "violon-d-etude-quatre-quarts", ["musique"]],
  ["Cactus", "m", "cactus-cierge", ["jardin"]],
  ["Pot de miel", "m", "miel-de-lavande-de-provence", ["cuisine"]],
  ["Chandelier", "m", "bougie-a-la-cire-d-abeille", ["maison"]],
  ["Cruche", "f", "vase-a-deux-anses", ["cuisine", "maison"]],
  ["Corbeille", "f", "panier-en-osier-tresse", ["maison", "cuisine"]],
  ["Maraca", "f", "maracas-peintes-a-la-main", ["musique"]],
  ["Capeline", "f", "chapeau-de-paille-a-ruban", ["couture"]],
  ["Lampion", "m", "lanterne-en-papier-de-riz", ["jardin", "maison"]],
  ["Encrier", "m", "stylo-plume-bleu-de-prusse", ["papeterie"]],
  ["Bonbonnière", "f", "miel-de-lavande-de-provence", ["cuisine"]],
  ["Jardinière", "f", "ficus-en-pot-de-terre-cuite", ["jardin"]],
  ["Alto", "m", "violon-d-etude-quatre-quarts", ["musique"]],
  ["Coupe-papier", "m", "ciseaux-de-couturiere", ["papeterie"]],
  ["Psyché", "f", "miroir-dore-petale", ["maison"]],
  ["Aiguière", "f", "theiere-en-fonte-emaillee", ["cuisine"]],
];

const DIGITAL: readonly Row[] = [
  ["Patron de couture", "m", "patron-de-couture-robe-clemence", ["couture"], "PDF"],
  ["Affiche à imprimer", "f", "affiche-a-imprimer-grande-maree", ["maison", "arts"], "PDF"],
  ["Livre de recettes", "m", "tartes-salees-tartes-sucrees", ["cuisine", "livres"], "EPUB"],
  ["Roman", "m", "le-rouge-gorge-du-canal", ["livres"], "EPUB"],
  [
    "Cours vidéo de dessin",
    "m",
    "cours-video-premiers-pas-a-l-aquarelle",
    ["arts", "livres"],
    "MP4",
  ],
  ["Partition", "f", "partitions-pour-accordeon-valses-musettes", ["musique"], "PDF"],
  ["Police de caractères", "f", "police-de-caracteres-mirabelle", ["arts", "papeterie"], "OTF"],
  ["Planche d'étiquettes", "f", "etiquettes-de-cuisine-a-imprimer", ["papeterie"], "PDF"],
  ["Guide du jardinier", "m", "un-potager-sur-le-balcon", ["jardin", "livres"], "EPUB"],
  ["Album de piano", "m", "album-nuits-d-ete", ["musique"], "FLAC"],
  ["Planificateur", "m", "planificateur-hebdomadaire-a-imprimer", ["papeterie", "maison"], "PDF"],
  ["Patron de crochet", "m", "patron-de-crochet-renard-anatole", ["couture"], "PDF"],
  ["Cours de tricot", "m", "cours-video-apprendre-a-tricoter", ["couture", "livres"], "MP4"],
  ["Préréglage photo", "m", "prereglages-photo-lumiere-d-automne", ["arts"], "ZIP"],
  ["Recueil de contes", "m", "contes-de-la-vieille-chouette", ["livres"], "EPUB"],
  ["Banque de sons", "f", "banque-de-sons-piano-a-queue", ["musique"], "WAV"],
  ["Cours de guitare", "m", "cours-video-la-guitare-pas-a-pas", ["musique", "livres"], "MP4"],
  ["Planche botanique", "f", "planches-botaniques-a-imprimer", ["maison", "jardin"], "PDF"],
  ["Logiciel de retouche", "m", "logiciel-de-retouche-atelier-photo", ["arts"], "ZIP"],
  ["Faire-part", "m", "faire-part-de-naissance-fleur-de-cerisier", ["papeterie"], "PDF"],
  ["Leçon de pâtisserie", "f", "cours-video-la-patisserie-francaise", ["cuisine", "livres"], "MP4"],
  ["Séance de méditation", "f", "meditations-guidees-du-soir", ["livres", "musique"], "MP3"],
  ["Ambiance sonore", "f", "sons-de-la-nature-pluie-et-foret", ["musique", "maison"], "MP3"],
  ["Atlas du ciel", "m", "le-ciel-a-l-oeil-nu", ["livres"], "EPUB"],
  ["Méthode d'échecs", "f", "les-echecs-pas-a-pas", ["livres"], "EPUB"],
  ["Flore de poche", "f", "reconnaitre-les-champignons", ["jardin", "livres"], "EPUB"],
  ["Pinceau numérique", "m", "pinceaux-numeriques-aquarelle", ["arts"], "ZIP"],
  ["Studio d'enregistrement", "m", "logiciel-d-enregistrement-studio-mistral", ["musique"], "ZIP"],
];

export const physicalNouns: readonly NounWord[] = PHYSICAL.map(noun);
export const digitalNouns: readonly NounWord[] = DIGITAL.map(noun);

/** Masculine and feminine forms. */
export const adjectiveWords: readonly (readonly [masculine: string, feminine: string])[] = [
  ["bleu", "bleue"],
  ["ancien", "ancienne"],
  ["élégant", "élégante"],
  ["blanc", "blanche"],
  ["léger", "légère"],
  ["doré", "dorée"],
  ["fleuri", "fleurie"],
  ["vert", "verte"],
  ["artisanal", "artisanale"],
  ["coloré", "colorée"],
  ["rayé", "rayée"],
  ["délicat", "délicate"],
  ["rond", "ronde"],
  ["naturel", "naturelle"],
  ["rouge", "rouge"],
  ["moderne", "moderne"],
  ["brodé", "brodée"],
  ["marin", "marine"],
  ["joyeux", "joyeuse"],
  ["provençal", "provençale"],
  ["précieux", "précieuse"],
  ["breton", "bretonne"],
  ["émaillé", "émaillée"],
  ["tissé", "tissée"],
  ["festif", "festive"],
  ["nordique", "nordique"],
  ["argenté", "argentée"],
  ["voyageur", "voyageuse"],
  ["discret", "discrète"],
  ["secret", "secrète"],
  ["estival", "estivale"],
  ["hivernal", "hivernale"],
  ["ajouré", "ajourée"],
  ["basque", "basque"],
  ["patiné", "patinée"],
  ["moucheté", "mouchetée"],
  ["alsacien", "alsacienne"],
  ["champêtre", "champêtre"],
  ["nacré", "nacrée"],
  ["matelassé", "matelassée"],
  ["lavandin", "lavandine"],
  ["festonné", "festonnée"],
  ["guilloché", "guillochée"],
  ["damasquiné", "damasquinée"],
  ["chantourné", "chantournée"],
];

/** Second part of a physical product's name; also its first characteristic. */
export const materialWords: readonly string[] = [
  "coton",
  "bois de hêtre",
  "grès",
  "lin",
  "verre soufflé",
  "laine",
  "chêne massif",
  "papier recyclé",
  "terre cuite",
  "laiton",
  "cuir",
  "porcelaine",
  "bambou",
  "acier brossé",
  "osier",
  "céramique",
  "rotin",
  "velours côtelé",
  "étain",
  "noyer",
  "soie",
  "cuivre martelé",
  "faïence",
  "merisier",
  "alpaga",
  "liège",
  "ardoise",
  "albâtre",
  "ébène",
  "cachemire",
  "raphia",
  "opaline",
  "galuchat",
];

/** Second part of a digital product's name. */
export const themeWords: readonly string[] = [
  "pour débuter",
  "au fil des saisons",
  "pour toute la famille",
  "sous les étoiles",
  "au bord de la mer",
  "pas à pas",
  "en forêt",
  "pour les enfants",
  "de grand-mère",
  "au jardin",
  "pour le dimanche",
  "à la campagne",
  "des quatre saisons",
  "en voyage",
  "pour rêver",
  "à la montagne",
  "entre amis",
  "au clair de lune",
  "des îles",
  "en Méditerranée",
  "du Grand Nord",
  "à la belle époque",
  "des hirondelles",
  "au pays des lucioles",
  "des lémuriens",
];

/** Sentences of descriptions: a description has one of each group. */
export const sentenceWords: readonly (readonly string[])[] = [
  [
    "Une pièce choisie avec soin, qui trouve sa place partout dans la maison.",
    "Pensé pour durer, agréable à utiliser chaque jour.",
    "Un modèle imaginé dans notre atelier et mis au point avec nos clientes.",
    "La simplicité d'un objet bien dessiné, sans rien de superflu.",
    "Un classique revisité avec des couleurs douces et un peu d'audace.",
    "Une création originale, réalisée en petite quantité.",
    "Le cadeau idéal pour qui aime les belles choses et les histoires vraies.",
    "Inspiré des marchés du Sud et des étals de brocante.",
    "Un savoir-faire transmis de génération en génération.",
    "Né d'une rencontre avec une artisane du Morbihan.",
    "Une petite merveille, à offrir ou à garder pour soi.",
    "Conçu pour accompagner les longues soirées comme les matins pressés.",
  ],
  [
    "Les finitions sont soignées et les couleurs tiennent bien dans le temps.",
    "Chaque exemplaire est contrôlé à la main avant son expédition.",
    "Il se marie facilement avec les autres articles de la collection.",
    "Le format a été étudié pour convenir aux petits espaces.",
    "Les matières premières viennent de producteurs que nous connaissons.",
    "Une notice claire et illustrée accompagne votre commande.",
    "Son prix reste doux, sa qualité ne transige sur rien.",
    "Les instructions sont détaillées et vérifiées par trois relectrices.",
    "Une attention particulière a été portée à l'équilibre des proportions.",
    "Les motifs sont dessinés au crayon, puis numérisés sans retouche.",
  ],
  [
    "Livraison rapide et emballage sans plastique.",
    "Notre équipe répond à toutes vos questions dans la journée.",
    "Satisfait ou remboursé pendant trente jours.",
    "Disponible en série limitée, jusqu'à épuisement du stock.",
    "Entretien facile avec un chiffon doux.",
    "Convient aussi bien aux débutants qu'aux amateurs éclairés.",
    "Une partie du prix est reversée à une association de quartier.",
    "À découvrir aussi dans d'autres coloris et d'autres tailles.",
    "Votre achat soutient une petite entreprise familiale.",
    "Garanti deux ans, réparable toute la vie.",
  ],
];

/** Invented names of workshops: many words, most of them rare. */
export function makerWords(count: number): string[] {
  const random = createRandom(7);
  const starts = [
    "Bru",
    "Cas",
    "Dor",
    "Fer",
    "Gar",
    "Lam",
    "Mon",
    "Per",
    "Riv",
    "Sau",
    "Ter",
    "Val",
  ];
  const middles = ["a", "e", "i", "o", "an", "el", "in", "on", "ar", "our", "eau", "ill"];
  const ends = [
    "bert",
    "chet",
    "dière",
    "gnac",
    "lange",
    "mont",
    "net",
    "rac",
    "sieux",
    "tier",
    "val",
    "vigne",
  ];
  const houses = ["Atelier", "Maison", "Manufacture", "Fabrique"];
  const names = new Set<string>();
  while (names.size < count) {
    const twice = random.chance(0.5)
      ? random.pick(middles) + random.pick(["l", "m", "r", "v"])
      : "";
    names.add(random.pick(starts) + twice + random.pick(middles) + random.pick(ends));
  }
  return [...names].map((name) => `${random.pick(houses)} ${name}`);
}
