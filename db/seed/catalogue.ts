import type { Characteristic } from "@/db/schema/catalogue";
import { type PictureSeed, picturesOf } from "./pictures";
import { typeset } from "./typography";

/** A category or a tag. The products below refer to it by `key`, which is not stored in the database. */
export interface LabelSeed {
  key: string;
  name: string;
  /** `#rrggbb`, dark enough to carry white text (AA) */
  color: string;
  /** Characteristics that a category's products can be filtered by. */
  filters?: readonly string[];
}

interface ProductSeedBase {
  /** stable name of the product in the seed; also the stem of its picture's file name */
  slug: string;
  name: string;
  description: string;
  /** euro cents, VAT included */
  priceCents: number;
  /** basis points: 2000 is 20 % */
  vatRateBp: number;
  /** 1 to 3 categories; the first is the default one */
  categories: readonly [string, ...string[]];
  /** 1 to 4 tags */
  tags: readonly [string, ...string[]];
  /** the first one is that of the lists */
  pictures: readonly [PictureSeed, ...PictureSeed[]];
  /** age in days at seeding time; null for the few products without a creation date */
  daysAgo: number | null;
}

export interface PhysicalProductSeed extends ProductSeedBase {
  type: "physical";
  /** shown in this order */
  characteristics: readonly Characteristic[];
  /** grams */
  weight: number | null;
}

export interface DigitalProductSeed extends ProductSeedBase {
  type: "digital";
  /** Ko, 1 Mo = 1000 Ko */
  fileSizeKb: number;
  fileType: string;
  downloadLink: string;
}

export type ProductSeed = PhysicalProductSeed | DigitalProductSeed;

export const categorySeeds = [
  { key: "papeterie", name: "Papeterie", color: "#2563eb" },
  { key: "couture", name: "Couture et tricot", color: "#be185d", filters: ["Matière"] },
  { key: "arts", name: "Arts graphiques et photo", color: "#7c3aed" },
  { key: "maison", name: "Maison et décoration", color: "#92560f", filters: ["Matière"] },
  { key: "cuisine", name: "Cuisine et thé", color: "#c2410c", filters: ["Matière"] },
  { key: "jardin", name: "Jardin et balcon", color: "#15803d" },
  { key: "musique", name: "Musique et son", color: "#0e7490" },
  { key: "livres", name: "Livres et cours", color: "#334e68" },
] as const satisfies readonly LabelSeed[];

export const tagSeeds = [
  { key: "nouveaute", name: "Nouveauté", color: "#0d7377" },
  { key: "fait-main", name: "Fait main", color: "#a3470c" },
  { key: "cadeau", name: "Idée cadeau", color: "#c01f5b" },
  { key: "ecoresponsable", name: "Écoresponsable", color: "#2f7d32" },
  { key: "debuter", name: "Pour débuter", color: "#2563a8" },
  { key: "a-imprimer", name: "À imprimer", color: "#6d4bc3" },
  { key: "edition-limitee", name: "Édition limitée", color: "#86198f" },
  { key: "france", name: "Fabriqué en France", color: "#1e4fa3" },
  { key: "famille", name: "En famille", color: "#b04a09" },
  { key: "coup-de-coeur", name: "Coup de cœur", color: "#c81e3a" },
  { key: "bien-etre", name: "Bien-être", color: "#0f766e" },
  { key: "petit-prix", name: "Petit prix", color: "#6b5b00" },
] as const satisfies readonly LabelSeed[];

type CategoryKey = (typeof categorySeeds)[number]["key"];
type TagKey = (typeof tagSeeds)[number]["key"];

interface Typed {
  slug: string;
  name: string;
  description: string;
  priceCents: number;
  vatRateBp?: number;
  categories: readonly [CategoryKey, ...CategoryKey[]];
  tags: readonly [TagKey, ...TagKey[]];
  daysAgo: number | null;
}

function physical(
  seed: Typed & { characteristics: Readonly<Record<string, string>> },
): PhysicalProductSeed {
  return {
    vatRateBp: 2000,
    ...seed,
    type: "physical",
    name: typeset(seed.name),
    description: typeset(seed.description),
    pictures: picturesOf(seed.slug),
    weight: gramsOf(seed.characteristics.Poids),
    characteristics: Object.entries(seed.characteristics).map(([name, value]) => ({
      name: typeset(name),
      value: typeset(value),
    })),
  };
}

/** Parses "310 g", "1,2 kg" or "3 × 50 g"; null for a text without a weight. */
function gramsOf(text = ""): number | null {
  const [, pieces = "1", number, unit] = /^(?:(\d+) × )?(\d+(?:,\d+)?) (g|kg)\b/.exec(text) ?? [];
  if (!number) return null;
  const grams = Number(number.replace(",", ".")) * (unit === "kg" ? 1000 : 1);
  return Math.round(Number(pieces) * grams);
}

/** The shop serves the files itself, under `/downloads/`, unless the seed has an external URL. */
function digital(
  seed: Typed & { fileSizeKb: number; fileType: string; downloadLink?: string },
): DigitalProductSeed {
  return {
    vatRateBp: 2000,
    downloadLink: `/downloads/${seed.slug}.${seed.fileType.toLowerCase()}`,
    ...seed,
    type: "digital",
    name: typeset(seed.name),
    description: typeset(seed.description),
    pictures: picturesOf(seed.slug),
  };
}

/** Reduced French VAT rates: books, printed or not, and food; living plants and seeds. */
const BOOKS_AND_FOOD_VAT = 550;
const PLANTS_VAT = 1000;

export const productSeeds: readonly ProductSeed[] = [
  // Papeterie
  physical({
    slug: "carnet-a-pages-pointillees",
    name: "Carnet à pages pointillées",
    description:
      "Un carnet de 192 pages pointillées, juste assez visibles pour guider la main et disparaître sous l'encre. Le papier ivoire de 100 g ne laisse pas traverser le stylo-plume, et la reliure cousue permet de l'ouvrir bien à plat. Sa couverture mouchetée est imprimée en petite série : aucune n'est tout à fait identique.",
    priceCents: 1690,
    categories: ["papeterie", "arts"],
    tags: ["cadeau", "france", "coup-de-coeur"],
    daysAgo: 388,
    characteristics: {
      Format: "A5, 14,8 × 21 cm",
      Pages: "192, pointillées",
      Papier: "Ivoire, 100 g",
      Reliure: "Cousue, ouverture à plat",
      Poids: "310 g",
    },
  }),
  physical({
    slug: "stylo-plume-bleu-de-prusse",
    name: "Stylo-plume bleu de Prusse",
    description:
      "Un corps laqué bleu profond, des bagues en acier brossé et une plume moyenne qui glisse dès le premier mot. Il se recharge avec des cartouches standard ou avec le convertisseur fourni, pour qui préfère l'encre en flacon. Léger et bien équilibré, il convient aussi aux gauchers.",
    priceCents: 4200,
    categories: ["papeterie"],
    tags: ["cadeau", "coup-de-coeur"],
    daysAgo: 371,
    characteristics: {
      Matière: "Laiton laqué, agrafe en acier",
      Plume: "Acier, pointe moyenne",
      Longueur: "13,8 cm",
      Poids: "24 g",
      "Dans la boîte": "Convertisseur et deux cartouches bleues",
    },
  }),
  physical({
    slug: "regle-et-equerre-graduees",
    name: "Règle et équerre graduées",
    description:
      "Le duo indispensable de la trousse et de l'établi : une règle de 20 cm et une équerre à 45 degrés, gravées plutôt qu'imprimées. Les graduations restent lisibles après des années de service. Les arêtes sont biseautées pour tracer à l'encre sans bavure.",
    priceCents: 1490,
    categories: ["papeterie", "couture", "arts"],
    tags: ["debuter", "petit-prix"],
    daysAgo: 344,
    characteristics: {
      Matière: "Aluminium anodisé",
      Règle: "20 cm",
      Équerre: "45°, côté de 15 cm",
      Poids: "95 g",
    },
  }),
  physical({
    slug: "cartes-de-voeux-mille-coeurs",
    name: "Cartes de vœux « Mille cœurs »",
    description:
      "Huit cartes doubles et leurs enveloppes, pour un anniversaire, un merci ou un mot doux glissé sans raison. Le cœur est imprimé en relief sur un papier coton épais, agréable sous la plume. L'intérieur est laissé blanc : les mots sont les vôtres.",
    priceCents: 1250,
    categories: ["papeterie"],
    tags: ["cadeau", "france", "fait-main"],
    daysAgo: 262,
    characteristics: {
      Contenu: "8 cartes et 8 enveloppes",
      Format: "10,5 × 15 cm, pliées",
      Papier: "Coton recyclé, 350 g",
      Impression: "Typographie au plomb",
    },
  }),
  physical({
    slug: "marque-pages-en-cuir-rouge",
    name: "Marque-pages en cuir rouge",
    description:
      "Un marque-pages souple, découpé à l'emporte-pièce dans des chutes de maroquinerie, avec son étoile dorée à chaud. Il ne glisse pas, ne corne rien et se patine au fil des lectures. On en oublie facilement un dans chaque livre de la maison.",
    priceCents: 890,
    categories: ["papeterie", "livres"],
    tags: ["fait-main", "ecoresponsable", "cadeau", "petit-prix"],
    daysAgo: 97,
    characteristics: {
      Matière: "Cuir de vachette à tannage végétal",
      Dimensions: "4 × 14 cm",
      Dorure: "À chaud, film doré",
      Origine: "Chutes de maroquinerie, Aveyron",
    },
  }),
  digital({
    slug: "planificateur-hebdomadaire-a-imprimer",
    name: "Planificateur hebdomadaire à imprimer",
    description:
      "Une semaine par page, sans date : on commence quand on veut, on saute les vacances et on réimprime les mois chargés. Le fichier réunit cinq mises en page, dont une avec menus et liste de courses. Conçu pour une imprimante ordinaire, en couleur comme en noir et blanc.",
    priceCents: 490,
    categories: ["papeterie", "maison"],
    tags: ["a-imprimer", "petit-prix", "debuter"],
    daysAgo: 318,
    fileSizeKb: 3200,
    fileType: "PDF",
  }),
  digital({
    slug: "etiquettes-de-cuisine-a-imprimer",
    name: "Étiquettes de cuisine à imprimer",
    description:
      "Quatre-vingt-seize étiquettes pour bocaux, confitures et boîtes à épices, avec trois cadres au choix. Les champs se remplissent à l'écran avant l'impression, et une planche reste vierge pour écrire à la main. Le gabarit correspond aux feuilles autocollantes vendues partout.",
    priceCents: 350,
    categories: ["papeterie", "cuisine"],
    tags: ["a-imprimer", "petit-prix"],
    daysAgo: 203,
    fileSizeKb: 5400,
    fileType: "PDF",
  }),
  digital({
    slug: "faire-part-de-naissance-fleur-de-cerisier",
    name: "Faire-part de naissance « Fleur de cerisier »",
    description:
      "Un faire-part tout en douceur, à personnaliser en quelques minutes : prénom, date, poids, et une photo si vous le souhaitez. Le fichier s'adapte à l'impression chez un professionnel comme à l'envoi par message. Deux versions sont fournies, l'une fleurie, l'autre plus sobre.",
    priceCents: 1490,
    categories: ["papeterie", "arts"],
    tags: ["a-imprimer", "famille"],
    daysAgo: 141,
    fileSizeKb: 18600,
    fileType: "PDF",
  }),

  // Couture et tricot
  physical({
    slug: "pelotes-de-laine-merinos",
    name: "Pelotes de laine mérinos",
    description:
      "Trois pelotes d'une laine mérinos douce et gonflante, filée dans le Limousin et teinte en petits bains. Elle ne gratte pas, supporte le lavage à froid et se tricote aux aiguilles 4. Comptez trois pelotes pour un grand bonnet, ou six pour un pull d'enfant.",
    priceCents: 3450,
    categories: ["couture"],
    tags: ["france", "ecoresponsable", "coup-de-coeur"],
    daysAgo: 392,
    characteristics: {
      Matière: "100 % laine mérinos",
      Poids: "3 × 50 g",
      Métrage: "125 m par pelote",
      Aiguilles: "4 mm",
      Entretien: "Lavage à la main, eau froide",
    },
  }),
  physical({
    slug: "bobines-de-fil-a-coudre",
    name: "Bobines de fil à coudre",
    description:
      "Trois grandes bobines de fil solide, pour la machine comme pour la main, avec une aiguille offerte. Le coton mercerisé garde son éclat lavage après lavage et ne peluche pas dans la canette. Les teintes ont été choisies pour raccommoder presque toute une garde-robe.",
    priceCents: 1290,
    categories: ["couture"],
    tags: ["debuter", "petit-prix"],
    daysAgo: 356,
    characteristics: {
      Matière: "Coton mercerisé",
      Contenu: "3 bobines et une aiguille",
      Métrage: "500 m par bobine",
      Couleurs: "Bleu, vert d'eau, framboise",
    },
  }),
  physical({
    slug: "ciseaux-de-couturiere",
    name: "Ciseaux de couturière",
    description:
      "Des lames forgées à Thiers, affûtées à la main, qui coupent le lin comme la soie sans mordre le tissu. La poignée coudée permet de garder l'étoffe à plat sur la table. Réservez-les au textile : le papier est leur seul ennemi.",
    priceCents: 3400,
    categories: ["couture"],
    tags: ["france", "fait-main", "cadeau"],
    daysAgo: 331,
    characteristics: {
      Lames: "Acier inoxydable forgé",
      Longueur: "21 cm",
      Poignée: "Résine rouge, pour droitiers",
      Poids: "180 g",
      Fabrication: "Thiers, Puy-de-Dôme",
    },
  }),
  physical({
    slug: "echarpe-tricotee-main",
    name: "Écharpe tricotée main",
    description:
      "Une longue écharpe rouge au point de riz, terminée par des franges nouées une à une. Elle est tricotée à la commande par Odile et ses deux sœurs, qui signent chaque pièce d'une petite étiquette. Chaude sans être lourde, elle fait deux tours et ferme bien le col.",
    priceCents: 5900,
    categories: ["couture", "maison"],
    tags: ["fait-main", "france", "edition-limitee", "cadeau"],
    daysAgo: 219,
    characteristics: {
      Matière: "70 % laine, 30 % alpaga",
      Dimensions: "190 × 24 cm",
      Couleur: "Rouge coquelicot",
      Poids: "260 g",
      Entretien: "Lavage à la main, séchage à plat",
    },
  }),
  digital({
    slug: "patron-de-couture-robe-clemence",
    name: "Patron de couture « Robe Clémence »",
    description:
      "Une robe d'été à fines bretelles, taille marquée et jupe qui tourne, du 34 au 50. Le livret détaille chaque étape en photos, et le patron s'imprime à la maison en A4 ou en grand format chez un imprimeur. Prévoyez 2,40 m de tissu léger et un après-midi de beau temps.",
    priceCents: 1290,
    categories: ["couture"],
    tags: ["a-imprimer", "coup-de-coeur"],
    daysAgo: 301,
    fileSizeKb: 24800,
    fileType: "PDF",
  }),
  digital({
    slug: "patron-de-crochet-renard-anatole",
    name: "Patron de crochet : le renard Anatole",
    description:
      "Anatole mesure dix-huit centimètres, il a le museau blanc et une façon bien à lui de pencher la tête. Le patron explique tous les points, du cercle magique aux oreilles, avec des schémas et quatre courtes vidéos. Un premier amigurumi accessible à qui sait tenir un crochet.",
    priceCents: 590,
    categories: ["couture"],
    tags: ["a-imprimer", "debuter", "famille", "petit-prix"],
    daysAgo: 118,
    fileSizeKb: 11900,
    fileType: "PDF",
  }),
  digital({
    slug: "cours-video-apprendre-a-tricoter",
    name: "Cours vidéo : apprendre à tricoter",
    description:
      "Douze leçons filmées de près, du premier rang de mailles jusqu'au bonnet terminé. Marianne tricote lentement, montre les erreurs fréquentes et surtout comment les rattraper. Les vidéos se téléchargent une fois pour toutes et se regardent sans connexion.",
    priceCents: 3900,
    categories: ["couture", "livres"],
    tags: ["debuter", "bien-etre"],
    daysAgo: 276,
    fileSizeKb: 2150000,
    fileType: "MP4",
    downloadLink: "https://videos.mini-ecommerce.test/apprendre-a-tricoter.mp4",
  }),

  // Arts graphiques et photo
  physical({
    slug: "coffret-de-gouaches-et-palette",
    name: "Coffret de gouaches et palette",
    description:
      "Sept gouaches fines, une palette de bois léger et un pinceau rond pour se lancer sans attendre. Les couleurs sont denses, se mélangent proprement et se ravivent d'une goutte d'eau. Un beau premier matériel, que les habitués garderont pour le voyage.",
    priceCents: 3990,
    categories: ["arts"],
    tags: ["debuter", "cadeau", "famille"],
    daysAgo: 365,
    characteristics: {
      Contenu: "7 tubes de 12 ml, palette, pinceau nº 8",
      Palette: "Bois de tilleul verni",
      Dimensions: "28 × 21 × 4 cm",
      Poids: "540 g",
    },
  }),
  physical({
    slug: "craies-grasses-multicolores",
    name: "Craies grasses multicolores",
    description:
      "De grosses craies qui tiennent bien dans les petites mains et couvrent vite de grandes feuilles. Sans bois à tailler ni capuchon à perdre, elles survivent aux trajets en voiture. Les pigments végétaux partent à l'eau savonneuse, y compris sur la nappe.",
    priceCents: 1390,
    categories: ["arts", "papeterie"],
    tags: ["famille", "ecoresponsable", "petit-prix"],
    daysAgo: 247,
    characteristics: {
      Contenu: "12 craies",
      Matière: "Cire d'abeille et pigments végétaux",
      "Âge conseillé": "Dès 3 ans",
      Poids: "165 g",
    },
  }),
  physical({
    slug: "appareil-photo-argentique",
    name: "Appareil photo argentique",
    description:
      "Un compact 35 mm des années 1980, entièrement révisé dans notre atelier : mousses changées, cellule contrôlée, optique nettoyée. La mise au point est automatique, il ne reste qu'à cadrer. Il est livré avec sa dragonne, une pellicule couleur et une garantie de six mois.",
    priceCents: 14900,
    categories: ["arts"],
    tags: ["edition-limitee", "ecoresponsable", "cadeau"],
    daysAgo: 288,
    characteristics: {
      Format: "Pellicule 35 mm",
      Objectif: "38 mm, f/2,8",
      Piles: "2 × AA, fournies",
      État: "Reconditionné, garanti six mois",
      Dimensions: "13 × 7,5 × 5,5 cm",
      Poids: "345 g",
    },
  }),
  digital({
    slug: "police-de-caracteres-mirabelle",
    name: "Police de caractères Mirabelle",
    description:
      "Mirabelle est une linéale ronde et gourmande, dessinée pour les affiches, les menus et les livres d'enfants. Ses cinq graisses couvrent toutes les langues d'Europe, avec de vraies capitales accentuées et des chiffres alignés. La licence autorise l'imprimé, le site et l'enseigne d'une même entreprise.",
    priceCents: 2900,
    categories: ["arts", "papeterie"],
    tags: ["france", "coup-de-coeur"],
    daysAgo: 233,
    fileSizeKb: 1850,
    fileType: "OTF",
  }),
  digital({
    slug: "prereglages-photo-lumiere-d-automne",
    name: "Préréglages photo « Lumière d'automne »",
    description:
      "Quatorze préréglages pour retrouver l'or des sous-bois et la douceur des fins d'après-midi. Ils respectent la peau, préservent les ciels et se dosent d'un seul curseur. Un guide de huit pages explique quand les employer et quand s'en passer.",
    priceCents: 1900,
    categories: ["arts"],
    tags: ["coup-de-coeur", "debuter"],
    daysAgo: 58,
    fileSizeKb: 9400,
    fileType: "ZIP",
  }),
  digital({
    slug: "pinceaux-numeriques-aquarelle",
    name: "Pinceaux numériques « Aquarelle »",
    description:
      "Trente-six pinceaux numérisés à partir de vrais lavis, avec leurs auréoles, leurs bavures et leur grain. Ils réagissent à la pression et à l'inclinaison du stylet, comme un pinceau chargé d'eau. Compatibles avec les principaux logiciels de dessin sur tablette et sur ordinateur.",
    priceCents: 1590,
    categories: ["arts"],
    tags: ["nouveaute", "coup-de-coeur"],
    daysAgo: 12,
    fileSizeKb: 148000,
    fileType: "ZIP",
  }),
  digital({
    slug: "logiciel-de-retouche-atelier-photo",
    name: "Logiciel de retouche Atelier Photo",
    description:
      "Recadrer, corriger la lumière, effacer un poteau malvenu : Atelier Photo fait l'essentiel, vite et sans abonnement. L'interface tient sur un écran de portable, et chaque réglage se comprend sans manuel. La licence est définitive, pour deux ordinateurs.",
    priceCents: 5900,
    categories: ["arts"],
    tags: ["debuter", "france"],
    daysAgo: 310,
    fileSizeKb: 412000,
    fileType: "ZIP",
    downloadLink: "https://logiciels.mini-ecommerce.test/atelier-photo/atelier-photo-4.zip",
  }),
  digital({
    slug: "cours-video-premiers-pas-a-l-aquarelle",
    name: "Cours vidéo : premiers pas à l'aquarelle",
    description:
      "Dix leçons pour apprivoiser l'eau, choisir son papier et oser le premier lavis. Chaque séance se termine par un petit sujet à peindre : une poire, un ciel d'orage, un volet bleu. Le matériel nécessaire tient dans une boîte à biscuits, la liste est fournie.",
    priceCents: 4500,
    categories: ["arts", "livres"],
    tags: ["debuter", "bien-etre", "cadeau"],
    daysAgo: 172,
    fileSizeKb: 1980000,
    fileType: "MP4",
    downloadLink: "https://videos.mini-ecommerce.test/premiers-pas-a-l-aquarelle.mp4",
  }),

  // Maison et décoration
  physical({
    slug: "bougie-a-la-cire-d-abeille",
    name: "Bougie à la cire d'abeille",
    description:
      "Une bougie coulée à la louche dans une cire d'abeille claire, qui sent naturellement le miel et les fleurs. Sa flamme est haute, chaude, et ne fume pas. Elle brûle une vingtaine d'heures, à condition de couper la mèche de temps en temps.",
    priceCents: 1450,
    categories: ["maison"],
    tags: ["fait-main", "ecoresponsable", "bien-etre"],
    daysAgo: 340,
    characteristics: {
      Matière: "Cire d'abeille, mèche en coton",
      Hauteur: "16 cm",
      "Durée de combustion": "20 h environ",
      Poids: "190 g",
    },
  }),
  physical({
    slug: "vase-a-deux-anses",
    name: "Vase à deux anses",
    description:
      "Tourné à la main dans une argile brune, ce vase reprend la silhouette des amphores que l'on remonte encore au large de Marseille. La frise est gravée avant la cuisson. Il accueille de grandes tiges sèches, ou tient très bien tout seul sur une étagère.",
    priceCents: 4600,
    categories: ["maison"],
    tags: ["fait-main", "france", "edition-limitee"],
    daysAgo: 295,
    characteristics: {
      Matière: "Grès chamotté",
      Hauteur: "32 cm",
      Diamètre: "18 cm",
      Poids: "1,9 kg",
      Usage: "Étanche, intérieur émaillé",
    },
  }),
  physical({
    slug: "miroir-dore-petale",
    name: "Miroir doré « Pétale »",
    description:
      "Un cadre festonné, doré à la feuille, qui attrape la lumière et agrandit joliment une entrée. Il se pose sur une commode ou s'accroche au mur grâce à ses deux attaches. La glace est biseautée, et le dos habillé de feutrine.",
    priceCents: 6900,
    categories: ["maison"],
    tags: ["cadeau", "coup-de-coeur"],
    daysAgo: 154,
    characteristics: {
      Matière: "Bois doré à la feuille, verre biseauté",
      Dimensions: "38 × 52 cm",
      Poids: "2,4 kg",
      Fixation: "Deux attaches, visserie fournie",
    },
  }),
  physical({
    slug: "panier-en-osier-tresse",
    name: "Panier en osier tressé",
    description:
      "Un vrai panier de marché, tressé brin à brin par un vannier de Villaines-les-Rochers. L'anse est ligaturée, le fond renforcé, et l'ensemble supporte sans broncher dix kilos de légumes. Le reste du temps, il range les plaids ou le bois de chauffage.",
    priceCents: 3600,
    categories: ["maison", "cuisine", "jardin"],
    tags: ["fait-main", "france", "ecoresponsable"],
    daysAgo: 322,
    characteristics: {
      Matière: "Osier blanc",
      Dimensions: "38 × 28 × 24 cm",
      "Charge maximale": "10 kg",
      Poids: "720 g",
    },
  }),
  physical({
    slug: "lanterne-en-papier-de-riz",
    name: "Lanterne en papier de riz",
    description:
      "Une lanterne rouge qui se déplie en accordéon et diffuse une lumière tamisée, au-dessus d'une table ou d'un balcon. Ses cerclages dorés gardent la forme, même par temps humide. Elle se range à plat une fois la fête finie.",
    priceCents: 1800,
    categories: ["maison", "jardin"],
    tags: ["petit-prix", "famille"],
    daysAgo: 126,
    characteristics: {
      Matière: "Papier de riz, armature en bambou",
      Hauteur: "40 cm",
      Diamètre: "26 cm",
      Éclairage: "Pour ampoule LED, 6 W au plus",
    },
  }),
  physical({
    slug: "savon-surgras-a-la-rose",
    name: "Savon surgras à la rose",
    description:
      "Saponifié à froid et enrichi au beurre de karité, ce savon nettoie sans tirailler les peaux sèches. Son parfum de rose ancienne reste discret. Posez-le sur un porte-savon bien égoutté : il durera deux fois plus longtemps.",
    priceCents: 750,
    categories: ["maison"],
    tags: ["bien-etre", "ecoresponsable", "france", "petit-prix"],
    daysAgo: null,
    characteristics: {
      Composition: "Huile d'olive, karité, huile essentielle de rose",
      Fabrication: "Saponification à froid",
      Poids: "110 g",
    },
  }),
  physical({
    slug: "ours-en-peluche-basile",
    name: "Ours en peluche Basile",
    description:
      "Basile a le poil court, les pattes rondes et un nez brodé qui ne se décolle pas. Il est cousu en coton biologique et rembourré de laine cardée, comme les ours d'autrefois. Il passe en machine à 30 degrés, ce que les parents apprécient.",
    priceCents: 2900,
    categories: ["maison"],
    tags: ["famille", "cadeau", "coup-de-coeur", "ecoresponsable"],
    daysAgo: 353,
    characteristics: {
      Matière: "Coton biologique, rembourrage en laine",
      Taille: "28 cm assis",
      "Âge conseillé": "Dès la naissance",
      Entretien: "Machine à 30 °C",
      Poids: "240 g",
    },
  }),
  physical({
    slug: "poupees-russes-peintes-a-la-main",
    name: "Poupées russes peintes à la main",
    description:
      "Trois poupées gigognes en bois de tilleul, emboîtées l'une dans l'autre et peintes au pinceau fin. Le vernis à l'eau est sans danger pour les petits doigts. La plus petite ne s'ouvre pas : c'est là qu'on cache un vœu.",
    priceCents: 3500,
    categories: ["maison"],
    tags: ["fait-main", "famille", "cadeau"],
    daysAgo: 88,
    characteristics: {
      Matière: "Bois de tilleul",
      Contenu: "3 poupées",
      Hauteur: "17 cm pour la plus grande",
      Finition: "Vernis à l'eau",
    },
  }),
  digital({
    slug: "affiche-a-imprimer-grande-maree",
    name: "Affiche à imprimer « Grande marée »",
    description:
      "Une vague graphique aux bleus francs, dessinée au retour d'un week-end à Saint-Malo. Le fichier contient quatre formats, du A4 au 50 × 70, prêts pour l'imprimante du bureau ou le tireur du coin. Usage privé, pour autant de murs que vous voudrez.",
    priceCents: 900,
    categories: ["maison", "arts"],
    tags: ["a-imprimer", "france"],
    daysAgo: 190,
    fileSizeKb: 42700,
    fileType: "PDF",
  }),
  digital({
    slug: "planches-botaniques-a-imprimer",
    name: "Planches botaniques à imprimer",
    description:
      "Six planches à la manière des herbiers anciens : olivier, sauge, romarin, laurier, verveine et thym. Les noms français et latins figurent sous chaque dessin. Imprimées sur un papier un peu crème, elles habillent à merveille une cuisine ou un couloir.",
    priceCents: 1200,
    categories: ["maison", "jardin"],
    tags: ["a-imprimer", "coup-de-coeur"],
    daysAgo: null,
    fileSizeKb: 61300,
    fileType: "PDF",
  }),

  // Cuisine et thé
  physical({
    slug: "theiere-en-fonte-emaillee",
    name: "Théière en fonte émaillée",
    description:
      "La fonte garde le thé brûlant jusqu'à la dernière tasse, et l'émail intérieur ne retient aucun parfum. Le filtre en acier s'enlève d'un geste pour arrêter l'infusion. Elle ne va ni sur le feu ni au lave-vaisselle : un simple rinçage lui suffit.",
    priceCents: 5400,
    categories: ["cuisine", "maison"],
    tags: ["cadeau", "coup-de-coeur"],
    daysAgo: 380,
    characteristics: {
      Matière: "Fonte émaillée, filtre en acier inoxydable",
      Contenance: "80 cl",
      Couleur: "Framboise",
      Poids: "1,4 kg",
      Entretien: "À la main, sans détergent",
    },
  }),
  physical({
    slug: "tasse-a-cafe-en-gres",
    name: "Tasse à café en grès",
    description:
      "Une tasse généreuse, aux parois épaisses, avec sa soucoupe assortie. L'émail gris perle est légèrement satiné et l'anse laisse passer deux doigts. Elle passe au micro-ondes et au lave-vaisselle sans perdre sa couleur.",
    priceCents: 1500,
    categories: ["cuisine"],
    tags: ["france", "fait-main"],
    daysAgo: 269,
    characteristics: {
      Matière: "Grès émaillé",
      Contenance: "22 cl",
      Diamètre: "8,5 cm",
      Poids: "390 g avec la soucoupe",
      Entretien: "Lave-vaisselle et micro-ondes",
    },
  }),
  physical({
    slug: "miel-de-lavande-de-provence",
    name: "Miel de lavande de Provence",
    description:
      "Un miel clair et onctueux, récolté en juillet sur le plateau de Valensole. Il fond sur une tartine, adoucit une infusion et se marie très bien avec un fromage de chèvre. Le pot en terre se garde ensuite pour le sucre ou les pinceaux.",
    priceCents: 980,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["cuisine"],
    tags: ["france", "cadeau", "petit-prix"],
    daysAgo: 110,
    characteristics: {
      Poids: "400 g",
      Origine: "Valensole, Alpes-de-Haute-Provence",
      Récolte: "Juillet",
      Conservation: "Dans un endroit sec, à l'abri de la lumière",
    },
  }),
  digital({
    slug: "le-pain-a-la-maison",
    name: "Le Pain à la maison",
    description:
      "Du levain qui démarre à la croûte qui chante, trente recettes pour faire son pain dans un four ordinaire. Les temps de pousse sont donnés pour une cuisine d'hiver comme pour une cuisine d'été. Un chapitre entier est consacré aux ratés, et à ce qu'ils nous apprennent.",
    priceCents: 999,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["cuisine", "livres"],
    tags: ["debuter", "famille"],
    daysAgo: 335,
    fileSizeKb: 21400,
    fileType: "EPUB",
  }),
  digital({
    slug: "tartes-salees-tartes-sucrees",
    name: "Tartes salées, tartes sucrées",
    description:
      "Quarante-deux tartes pour toute l'année, de la flamiche aux poireaux à la tarte aux mirabelles. Les pâtes se préparent à l'avance et se congèlent, les garnitures suivent le marché. Un livre numérique à garder sur la tablette, loin de la farine.",
    priceCents: 899,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["cuisine", "livres"],
    tags: ["famille", "petit-prix"],
    daysAgo: 181,
    fileSizeKb: 17800,
    fileType: "EPUB",
  }),
  digital({
    slug: "cours-video-la-patisserie-francaise",
    name: "Cours vidéo : la pâtisserie française",
    description:
      "Quinze classiques filmés en gros plan par un chef pâtissier patient : choux, éclairs, macarons, fraisier, mille-feuille. Chaque geste est répété sous deux angles, avec les températures affichées à l'écran. Le livret des recettes, à imprimer, est compris.",
    priceCents: 5500,
    categories: ["cuisine", "livres"],
    tags: ["nouveaute", "cadeau"],
    daysAgo: 21,
    fileSizeKb: 3240000,
    fileType: "MP4",
    downloadLink: "https://videos.mini-ecommerce.test/la-patisserie-francaise.mp4",
  }),

  // Jardin et balcon
  physical({
    slug: "ficus-en-pot-de-terre-cuite",
    name: "Ficus en pot de terre cuite",
    description:
      "Un jeune ficus facile à vivre, qui se contente d'une pièce claire et d'un arrosage par semaine. Il arrive dans un pot de terre cuite percé, avec sa soucoupe. Chaque plante voyage dans un carton sur mesure et repart bien droite en deux jours.",
    priceCents: 2690,
    vatRateBp: PLANTS_VAT,
    categories: ["jardin", "maison"],
    tags: ["debuter", "bien-etre"],
    daysAgo: 243,
    characteristics: {
      Hauteur: "35 à 40 cm",
      Pot: "Terre cuite, diamètre 14 cm",
      Exposition: "Lumière vive, sans soleil direct",
      Arrosage: "Une fois par semaine",
    },
  }),
  physical({
    slug: "cactus-cierge",
    name: "Cactus cierge",
    description:
      "Le cactus de dessin animé, avec ses deux bras levés, mais bien vivant. Il aime le plein soleil, un arrosage par mois en été et qu'on l'oublie tout l'hiver. Livré dans un petit pot de culture, avec des gants en papier pour le rempotage.",
    priceCents: 1990,
    vatRateBp: PLANTS_VAT,
    categories: ["jardin", "maison"],
    tags: ["debuter", "cadeau", "petit-prix"],
    daysAgo: 74,
    characteristics: {
      Hauteur: "25 cm",
      "Diamètre du pot": "10 cm",
      Exposition: "Plein soleil",
      Arrosage: "Une fois par mois en été",
    },
  }),
  physical({
    slug: "graines-de-tournesol-geant",
    name: "Graines de tournesol géant",
    description:
      "Une variété ancienne qui monte à trois mètres et suit vraiment le soleil. Semez en pleine terre à partir de la mi-avril, trois graines par trou, et arrosez sans excès. Les enfants mesurent la tige chaque dimanche, les mésanges se chargent de la récolte.",
    priceCents: 390,
    vatRateBp: PLANTS_VAT,
    categories: ["jardin"],
    tags: ["famille", "ecoresponsable", "petit-prix"],
    daysAgo: 163,
    characteristics: {
      Contenu: "25 graines",
      Semis: "De mi-avril à fin mai",
      Floraison: "De juillet à septembre",
      Hauteur: "Jusqu'à 3 m",
      Culture: "Semences biologiques reproductibles",
    },
  }),
  physical({
    slug: "chapeau-de-paille-a-ruban",
    name: "Chapeau de paille à ruban",
    description:
      "Une grande capeline souple, tressée à Caussade, dont le large bord protège la nuque autant que le visage. Le ruban rouge se dénoue et se remplace selon l'humeur. Elle se roule dans une valise et reprend sa forme d'un peu de vapeur.",
    priceCents: 3900,
    categories: ["jardin", "couture"],
    tags: ["france", "fait-main", "cadeau"],
    daysAgo: 47,
    characteristics: {
      Matière: "Paille de blé, ruban de coton",
      "Tour de tête": "56 à 58 cm, réglable",
      Bord: "11 cm",
      Poids: "140 g",
    },
  }),
  digital({
    slug: "un-potager-sur-le-balcon",
    name: "Un potager sur le balcon",
    description:
      "Tomates cerises, fraises grimpantes, salades à couper : tout ce qui pousse vraiment dans une jardinière, et ce qui n'y poussera jamais. Les plans de plantation tiennent sur deux, quatre ou six mètres carrés. L'autrice jardine au cinquième étage, plein nord, et le raconte avec humour.",
    priceCents: 999,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["jardin", "livres"],
    tags: ["debuter", "ecoresponsable", "coup-de-coeur"],
    daysAgo: 255,
    fileSizeKb: 15600,
    fileType: "EPUB",
  }),
  digital({
    slug: "reconnaitre-les-champignons",
    name: "Reconnaître les champignons",
    description:
      "Soixante espèces de nos forêts, dessinées sous tous les angles, avec leurs sosies dangereux toujours en regard. Les fiches se consultent hors connexion, par couleur, par odeur ou par saison. Le doute profite au panier vide : le livre le rappelle à chaque page.",
    priceCents: 1099,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["jardin", "livres"],
    tags: ["famille"],
    daysAgo: 66,
    fileSizeKb: 38900,
    fileType: "EPUB",
  }),

  // Musique et son
  physical({
    slug: "violon-d-etude-quatre-quarts",
    name: "Violon d'étude quatre-quarts",
    description:
      "Un violon entier en épicéa et érable massifs, réglé par un luthier avant l'envoi. Le son est chaleureux, les chevilles tiennent bien l'accord et la mentonnière convient aux débutants. L'étui, l'archet et la colophane sont compris.",
    priceCents: 18900,
    categories: ["musique"],
    tags: ["debuter", "cadeau"],
    daysAgo: 375,
    characteristics: {
      Taille: "4/4, adulte",
      Table: "Épicéa massif",
      "Fond et éclisses": "Érable massif",
      Cordes: "Acier à âme tressée",
      "Dans l'étui": "Archet, colophane, chiffon",
      Poids: "450 g",
    },
  }),
  physical({
    slug: "maracas-peintes-a-la-main",
    name: "Maracas peintes à la main",
    description:
      "Une paire de maracas en bois tourné, décorées de frises vives par un atelier coopératif. Les grains sont répartis pour un son clair et bien séparé à gauche et à droite. Solides, elles passent sans dommage du salon à la cour de récréation.",
    priceCents: 1750,
    categories: ["musique"],
    tags: ["famille", "fait-main", "petit-prix"],
    daysAgo: 209,
    characteristics: {
      Matière: "Bois tourné, graines naturelles",
      Longueur: "22 cm",
      "Âge conseillé": "Dès 3 ans",
      Poids: "2 × 95 g",
    },
  }),
  physical({
    slug: "casque-audio-a-arceau",
    name: "Casque audio à arceau",
    description:
      "Un casque fermé, confortable pour les longues écoutes, dont chaque pièce se démonte et se remplace. Le son est équilibré, sans basses gonflées. Il fonctionne en filaire comme sans fil, avec trente heures d'autonomie.",
    priceCents: 8900,
    categories: ["musique"],
    tags: ["ecoresponsable", "coup-de-coeur"],
    daysAgo: 136,
    characteristics: {
      Type: "Circum-aural, fermé",
      Liaison: "Bluetooth 5.3 ou câble jack de 3,5 mm",
      Autonomie: "30 h",
      Recharge: "USB-C",
      Poids: "265 g",
      Réparabilité: "Coussinets, batterie et câble remplaçables",
    },
  }),
  physical({
    slug: "poste-de-radio-retro",
    name: "Poste de radio rétro",
    description:
      "L'allure des transistors de nos grands-parents, la réception numérique en plus. Une seule molette pour les stations, une autre pour le volume, et une poignée pour l'emporter au jardin. La batterie tient une journée entière de bricolage.",
    priceCents: 11900,
    categories: ["musique", "maison"],
    tags: ["cadeau", "nouveaute"],
    daysAgo: 33,
    characteristics: {
      Réception: "FM et DAB+",
      Autonomie: "14 h",
      Puissance: "8 W",
      Dimensions: "26 × 17 × 9 cm",
      Poids: "1,6 kg",
    },
  }),
  digital({
    slug: "partitions-pour-accordeon-valses-musettes",
    name: "Partitions pour accordéon : valses musettes",
    description:
      "Vingt valses du répertoire musette, gravées avec soin et doigtées pour le clavier piano comme pour les boutons. Les accords de main gauche sont indiqués à la française. Chaque morceau est accompagné d'un enregistrement lent, pour travailler à l'oreille.",
    priceCents: 990,
    categories: ["musique"],
    tags: ["a-imprimer", "france"],
    daysAgo: 226,
    fileSizeKb: 28300,
    fileType: "PDF",
  }),
  digital({
    slug: "album-nuits-d-ete",
    name: "Album « Nuits d'été »",
    description:
      "Neuf morceaux pour piano et contrebasse, enregistrés en deux nuits dans une grange du Perche. On y entend les grillons, et c'est voulu. Le téléchargement réunit les fichiers en qualité studio, la pochette et les notes de pochette.",
    priceCents: 999,
    categories: ["musique"],
    tags: ["nouveaute", "coup-de-coeur", "france"],
    daysAgo: 6,
    fileSizeKb: 486000,
    fileType: "FLAC",
    downloadLink: "https://musique.mini-ecommerce.test/albums/nuits-d-ete.flac",
  }),
  digital({
    slug: "banque-de-sons-piano-a-queue",
    name: "Banque de sons : piano à queue",
    description:
      "Un piano de concert enregistré note par note, à douze niveaux de frappe et avec trois paires de micros. La résonance des cordes et le bruit feutré des pédales se dosent séparément. Utilisable dans tout échantillonneur du commerce, musique de film comprise.",
    priceCents: 3500,
    categories: ["musique"],
    tags: ["edition-limitee"],
    daysAgo: 305,
    fileSizeKb: 4820000,
    fileType: "WAV",
    downloadLink: "https://musique.mini-ecommerce.test/sons/piano-a-queue.wav",
  }),
  digital({
    slug: "sons-de-la-nature-pluie-et-foret",
    name: "Sons de la nature : pluie et forêt",
    description:
      "Trois heures de pluie fine, d'orage lointain et de sous-bois, captées en Chartreuse sans aucune voix ni musique. Idéal pour lire, travailler ou trouver le sommeil. Les pistes s'enchaînent sans coupure et peuvent tourner en boucle.",
    priceCents: 690,
    categories: ["musique", "maison"],
    tags: ["bien-etre", "petit-prix"],
    daysAgo: 148,
    fileSizeKb: 264000,
    fileType: "MP3",
  }),
  digital({
    slug: "cours-video-la-guitare-pas-a-pas",
    name: "Cours vidéo : la guitare pas à pas",
    description:
      "Vingt leçons pour jouer sa première chanson en un mois, sans solfège et sans se faire mal aux doigts. Les grilles d'accords s'affichent à l'écran, au ralenti si besoin. À la fin du parcours, dix chansons françaises à reprendre entre amis.",
    priceCents: 4900,
    categories: ["musique", "livres"],
    tags: ["debuter", "cadeau"],
    daysAgo: 349,
    fileSizeKb: 2790000,
    fileType: "MP4",
    downloadLink: "https://videos.mini-ecommerce.test/la-guitare-pas-a-pas.mp4",
  }),
  digital({
    slug: "logiciel-d-enregistrement-studio-mistral",
    name: "Logiciel d'enregistrement Studio Mistral",
    description:
      "Un studio complet pour maquettes, podcasts et fanfares de quartier : seize pistes, des effets simples et un mixage qui ne fait pas peur. Il s'installe en deux minutes et n'exige aucune connexion. Les mises à jour de la version 3 sont gratuites.",
    priceCents: 7900,
    categories: ["musique"],
    tags: ["debuter", "france"],
    daysAgo: 104,
    fileSizeKb: 638000,
    fileType: "ZIP",
    downloadLink: "https://logiciels.mini-ecommerce.test/studio-mistral/studio-mistral-3.zip",
  }),

  // Livres et cours
  digital({
    slug: "le-rouge-gorge-du-canal",
    name: "Le Rouge-gorge du canal",
    description:
      "À l'automne 1962, une éclusière recueille un oiseau blessé et, peu après, un inconnu qui ne dit pas son nom. Un roman tout en retenue, au rythme lent des péniches. Il se lit d'une traite, et l'on y repense longtemps.",
    priceCents: 799,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["livres"],
    tags: ["coup-de-coeur", "petit-prix"],
    daysAgo: 283,
    fileSizeKb: 1900,
    fileType: "EPUB",
  }),
  digital({
    slug: "contes-de-la-vieille-chouette",
    name: "Contes de la vieille chouette",
    description:
      "Douze histoires à lire le soir, où les bêtes de la forêt parlent bas et se jouent de bons tours. Chaque conte dure une dizaine de minutes, avec une grande illustration en tête. Une version lue par la conteuse est jointe, pour les soirs de grande fatigue.",
    priceCents: 699,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["livres"],
    tags: ["famille", "cadeau", "petit-prix"],
    daysAgo: 199,
    fileSizeKb: 44200,
    fileType: "EPUB",
  }),
  digital({
    slug: "les-echecs-pas-a-pas",
    name: "Les Échecs pas à pas",
    description:
      "Des règles du jeu aux premières combinaisons, une méthode progressive avec plus de deux cents exercices corrigés. Les diagrammes sont grands et les explications tiennent en peu de mots. Parfait pour apprendre avec un enfant, ou pour le battre enfin.",
    priceCents: 899,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["livres"],
    tags: ["debuter", "famille"],
    daysAgo: 238,
    fileSizeKb: 8700,
    fileType: "EPUB",
  }),
  digital({
    slug: "le-ciel-a-l-oeil-nu",
    name: "Le Ciel à l'œil nu",
    description:
      "Pas besoin de télescope pour trouver Saturne, suivre une planète ou dater une étoile filante. Ce guide propose une observation par semaine, d'un balcon de ville ou d'un champ noir. Les cartes du ciel passent en rouge la nuit, pour ne pas éblouir.",
    priceCents: 1299,
    vatRateBp: BOOKS_AND_FOOD_VAT,
    categories: ["livres", "jardin"],
    tags: ["nouveaute", "famille", "coup-de-coeur"],
    daysAgo: 17,
    fileSizeKb: 33500,
    fileType: "EPUB",
  }),
  digital({
    slug: "meditations-guidees-du-soir",
    name: "Méditations guidées du soir",
    description:
      "Sept séances de douze à vingt-cinq minutes pour relâcher les épaules, la mâchoire et la journée. La voix est calme, sans fond musical, avec de vrais silences. Aucune expérience n'est nécessaire : une chaise ou un tapis suffisent.",
    priceCents: 1200,
    categories: ["livres", "musique"],
    tags: ["bien-etre", "debuter", "nouveaute"],
    daysAgo: 28,
    fileSizeKb: 198000,
    fileType: "MP3",
  }),
];
