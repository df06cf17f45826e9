import { typeset } from "./typography";

/** A picture of a product: a bare file name below `public/images`, and what it shows. */
export interface PictureSeed {
  file: string;
  /** Empty where the product's name says enough. */
  alt: string;
}

/** What the pictures `{slug}-2.webp`, `{slug}-3.webp`… show, by the product's slug. */
const FURTHER_VIEWS: Readonly<Record<string, readonly string[]>> = {
  "carnet-a-pages-pointillees": ["La couverture mouchetée et la tranche du carnet, de près"],
  "regle-et-equerre-graduees": ["Les graduations gravées, de près"],
  "cartes-de-voeux-mille-coeurs": ["Les cœurs imprimés sur le papier coton, de près"],
  "marque-pages-en-cuir-rouge": ["Le grain du cuir et ses filets dorés, de près"],
  "planificateur-hebdomadaire-a-imprimer": [
    "Une page entière : la semaine, les menus et les courses",
  ],
  "etiquettes-de-cuisine-a-imprimer": ["Une planche entière de douze étiquettes"],
  "faire-part-de-naissance-fleur-de-cerisier": [
    "Le faire-part en entier, avec un exemple de texte",
  ],
  "pelotes-de-laine-merinos": ["Les brins de laine, de près"],
  "bobines-de-fil-a-coudre": ["Le fil enroulé sur sa bobine de bois, de près"],
  "ciseaux-de-couturiere": ["La vis et les lames, de près"],
  "echarpe-tricotee-main": ["Le point de riz, de près"],
  "patron-de-couture-robe-clemence": ["Une planche du patron : le devant et la jupe"],
  "patron-de-crochet-renard-anatole": ["La couverture du patron en entier"],
  "cours-video-apprendre-a-tricoter": ["Une image du cours : un rang de mailles sur les aiguilles"],
  "coffret-de-gouaches-et-palette": ["Les couleurs sur la palette, de près"],
  "craies-grasses-multicolores": ["Les pointes des craies, de près"],
  "appareil-photo-argentique": ["L'objectif, de près"],
  "police-de-caracteres-mirabelle": ["Le spécimen en entier : lettres, accents et chiffres"],
  "prereglages-photo-lumiere-d-automne": ["Un sous-bois avec le préréglage doré"],
  "pinceaux-numeriques-aquarelle": ["La planche d'essai de six pinceaux"],
  "logiciel-de-retouche-atelier-photo": ["La fenêtre du logiciel et ses réglages de lumière"],
  "cours-video-premiers-pas-a-l-aquarelle": ["Une image du cours : une poire à l'aquarelle"],
  "bougie-a-la-cire-d-abeille": ["La mèche et les coulures de cire, de près"],
  "vase-a-deux-anses": ["La frise gravée, de près"],
  "miroir-dore-petale": ["Les festons dorés du cadre, de près"],
  "panier-en-osier-tresse": ["Le tressage de l'osier, de près"],
  "lanterne-en-papier-de-riz": ["Les plis du papier et les cerclages dorés, de près"],
  "savon-surgras-a-la-rose": ["Le savon et son bandeau de papier, de près"],
  "ours-en-peluche-basile": ["Le museau brodé et le nœud vert, de près"],
  "poupees-russes-peintes-a-la-main": ["Le visage peint de la plus grande poupée, de près"],
  "affiche-a-imprimer-grande-maree": ["L'affiche en entier"],
  "planches-botaniques-a-imprimer": ["La planche de l'olivier en entier"],
  "theiere-en-fonte-emaillee": ["Le relief de la fonte et le bouton du couvercle, de près"],
  "tasse-a-cafe-en-gres": ["Le bord de la tasse et l'émail, de près"],
  "miel-de-lavande-de-provence": ["L'étiquette du pot, de près"],
  "le-pain-a-la-maison": ["La couverture en entier"],
  "tartes-salees-tartes-sucrees": ["La couverture en entier"],
  "cours-video-la-patisserie-francaise": ["Une image du cours : un fraisier"],
  "ficus-en-pot-de-terre-cuite": ["Les feuilles, de près"],
  "cactus-cierge": ["Les côtes et les épines, de près"],
  "graines-de-tournesol-geant": ["Le sachet, de près"],
  "chapeau-de-paille-a-ruban": ["La tresse de paille et le ruban, de près"],
  "un-potager-sur-le-balcon": ["La couverture en entier"],
  "reconnaitre-les-champignons": ["La couverture en entier"],
  "violon-d-etude-quatre-quarts": ["Les cordes, une ouïe et l'archet, de près"],
  "maracas-peintes-a-la-main": ["Les frises peintes, de près"],
  "poste-de-radio-retro": ["Le cadran, de près"],
  "partitions-pour-accordeon-valses-musettes": ["Une page entière : La Valse des marronniers"],
  "album-nuits-d-ete": ["La pochette en entier"],
  "banque-de-sons-piano-a-queue": ["La fenêtre de l'instrument : l'onde et les réglages"],
  "sons-de-la-nature-pluie-et-foret": ["La piste « Pluie en forêt » sur un téléphone"],
  "cours-video-la-guitare-pas-a-pas": ["Une image du cours : la grille de l'accord de do"],
  "logiciel-d-enregistrement-studio-mistral": ["La fenêtre du logiciel : six pistes"],
  "le-rouge-gorge-du-canal": ["La couverture en entier"],
  "contes-de-la-vieille-chouette": ["La couverture en entier"],
  "les-echecs-pas-a-pas": ["La couverture en entier"],
  "le-ciel-a-l-oeil-nu": ["La couverture en entier"],
  "meditations-guidees-du-soir": ["La séance « Le corps posé » sur un téléphone"],
};

/** The pictures of a product, the first one first. */
export const picturesOf = (slug: string): readonly [PictureSeed, ...PictureSeed[]] => [
  { file: `${slug}.webp`, alt: "" },
  ...(FURTHER_VIEWS[slug] ?? []).map((alt, index) => ({
    file: `${slug}-${index + 2}.webp`,
    alt: typeset(alt),
  })),
];
