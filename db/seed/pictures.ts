import { typeset } from "./typography";

/** A picture of a product: a bare file name below `public/images`, and what it shows. */
export interface PictureSeed {
  file: string;
  /** Empty where the product's name says enough. */
  alt: string;
}

/** What the pictures `{slug}-2.webp`, `{slug}-3.webp`… show, by the product's slug. */
const FURTHER_VIEWS: Readonly<Record<string, readonly string[]>> = {
  "planificateur-hebdomadaire-a-imprimer": [
    "Une page entière : la semaine, les menus et les courses",
  ],
  "etiquettes-de-cuisine-a-imprimer": ["Une planche entière de douze étiquettes"],
  "faire-part-de-naissance-fleur-de-cerisier": [
    "Le faire-part en entier, avec un exemple de texte",
  ],
  "patron-de-couture-robe-clemence": ["Une planche du patron : le devant et la jupe"],
  "patron-de-crochet-renard-anatole": ["La couverture du patron en entier"],
  "cours-video-apprendre-a-tricoter": ["Une image du cours : un rang de mailles sur les aiguilles"],
  "police-de-caracteres-mirabelle": ["Le spécimen en entier : lettres, accents et chiffres"],
  "prereglages-photo-lumiere-d-automne": ["Un sous-bois avec le préréglage doré"],
  "pinceaux-numeriques-aquarelle": ["La planche d'essai de six pinceaux"],
  "logiciel-de-retouche-atelier-photo": ["La fenêtre du logiciel et ses réglages de lumière"],
  "cours-video-premiers-pas-a-l-aquarelle": ["Une image du cours : une poire à l'aquarelle"],
  "affiche-a-imprimer-grande-maree": ["L'affiche en entier"],
  "planches-botaniques-a-imprimer": ["La planche de l'olivier en entier"],
  "le-pain-a-la-maison": ["La couverture en entier"],
  "tartes-salees-tartes-sucrees": ["La couverture en entier"],
  "cours-video-la-patisserie-francaise": ["Une image du cours : un fraisier"],
  "un-potager-sur-le-balcon": ["La couverture en entier"],
  "reconnaitre-les-champignons": ["La couverture en entier"],
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
