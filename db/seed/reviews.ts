/** A review: 1 to 5 stars, then the text. */
export type ReviewSeed = readonly [rating: number, content: string];

/** Reviews about one product, by its slug. */
export const productReviews: Readonly<Record<string, readonly ReviewSeed[]>> = {
  "carnet-a-pages-pointillees": [
    [
      5,
      "Le papier ne boit pas l'encre et le carnet s'ouvre vraiment à plat. J'en suis au troisième.",
    ],
    [5, "Une couverture qui met de bonne humeur. Ma fille me l'a déjà emprunté, et pas rendu."],
    [4, "Très joli et bien relié. Il manque juste un marque-page en tissu pour être parfait."],
  ],
  "stylo-plume-bleu-de-prusse": [
    [5, "La plume glisse toute seule, même de la main gauche. Le bleu est superbe."],
    [4, "Beau stylo, bien équilibré. Le convertisseur demande un petit coup de main au début."],
    [3, "L'objet est beau, mais la plume était un peu sèche à la réception. Un nettoyage a suffi."],
  ],
  "regle-et-equerre-graduees": [
    [5, "Gravure nette, bords bien droits : enfin une équerre qui ne triche pas."],
    [4, "Solides et précises. Elles vivent dans la boîte à couture et n'en sortent plus."],
  ],
  "cartes-de-voeux-mille-coeurs": [
    [5, "Le relief est délicat, le papier très épais. Mes amies les ont toutes gardées."],
    [4, "Jolies cartes, on sent le travail de l'imprimeur. J'aurais aimé un paquet de dix."],
  ],
  "marque-pages-en-cuir-rouge": [
    [5, "Petit cadeau parfait. L'odeur du cuir accompagne la lecture."],
    [4, "Il est beau et ne glisse pas. Un peu raide les premiers jours."],
  ],
  "planificateur-hebdomadaire-a-imprimer": [
    [5, "Aimanté sur le frigo, il a mis fin aux disputes sur qui fait quoi. Merci !"],
    [4, "Clair et agréable à remplir. La version noir et blanc économise vraiment l'encre."],
  ],
  "etiquettes-de-cuisine-a-imprimer": [
    [
      5,
      "Toutes mes épices ont enfin un nom. Les champs à remplir à l'écran fonctionnent très bien.",
    ],
    [3, "Jolies, mais j'ai dû régler les marges de l'imprimante pour tomber juste sur la planche."],
  ],
  "faire-part-de-naissance-fleur-de-cerisier": [
    [5, "Personnalisé pendant une sieste, imprimé le lendemain. Toute la famille a adoré."],
    [4, "Très doux, facile à modifier. La version sobre a plu aux grands-parents."],
  ],
  "pelotes-de-laine-merinos": [
    [5, "Une laine d'une douceur incroyable, et les coloris sont exactement ceux de la photo."],
    [5, "Tricotée en bonnet pour mon fils, qui refuse pourtant tout ce qui gratte. Il le porte !"],
    [4, "Belle qualité. Attention à commander assez : les bains de teinture varient un peu."],
    [2, "La laine est douce mais une de mes pelotes avait deux nœuds en plein milieu."],
  ],
  "bobines-de-fil-a-coudre": [
    [
      4,
      "Fil solide qui ne peluche pas dans la machine. Les trois couleurs me servent tout le temps.",
    ],
    [5, "Rapport qualité-prix imbattable, et l'aiguille offerte est fine comme il faut."],
  ],
  "ciseaux-de-couturiere": [
    [
      5,
      "Ils coupent quatre épaisseurs de coton comme du beurre. On comprend la réputation de Thiers.",
    ],
    [4, "Excellents ciseaux, un peu lourds pour ma main mais d'une précision remarquable."],
  ],
  "echarpe-tricotee-main": [
    [5, "Reçue avec un petit mot d'Odile. Elle est chaude, légère, et le rouge est magnifique."],
    [4, "Très belle pièce. Trois semaines d'attente, mais c'était annoncé et cela les valait."],
  ],
  "patron-de-couture-robe-clemence": [
    [5, "Ma première robe ! Les explications sont si claires que je l'ai finie en deux soirées."],
    [4, "La coupe tombe très bien. J'ai seulement rallongé les bretelles de deux centimètres."],
    [3, "Beau modèle, mais l'assemblage des feuilles A4 est long. Je passerai par un imprimeur."],
  ],
  "patron-de-crochet-renard-anatole": [
    [
      5,
      "Anatole dort avec ma nièce depuis trois semaines. Les vidéos aident vraiment pour les oreilles.",
    ],
    [
      4,
      "Patron bien écrit. L'assemblage des pattes m'a donné du fil à retordre, mais le résultat est là.",
    ],
  ],
  "cours-video-apprendre-a-tricoter": [
    [5, "Marianne est d'une patience d'ange. J'ai fini mon bonnet, et il a une forme de bonnet."],
    [4, "Les gros plans changent tout. Une leçon sur les torsades aurait été la bienvenue."],
    [
      5,
      "À soixante-huit ans, il n'est pas trop tard : je tricote tous les soirs, grâce à ce cours.",
    ],
  ],
  "coffret-de-gouaches-et-palette": [
    [4, "Couleurs denses et faciles à mélanger. La palette en bois est vraiment agréable à tenir."],
    [5, "Offert à mon neveu de dix ans, qui a recouvert la moitié du salon. Succès total."],
  ],
  "craies-grasses-multicolores": [
    [5, "Elles ne cassent pas, elles ne tachent pas, et les enfants s'en servent tous les jours."],
    [3, "Belles couleurs, mais un peu grasses pour le papier fin. Prévoir des feuilles épaisses."],
  ],
  "appareil-photo-argentique": [
    [5, "Ma première pellicule est sortie presque sans raté. L'appareil semble neuf."],
    [4, "Très bien révisé, et conseils précieux au téléphone. Le flash est un peu lent à charger."],
    [2, "Charmant, mais l'entraînement du film s'est bloqué. Échange accepté sans discuter."],
  ],
  "police-de-caracteres-mirabelle": [
    [
      5,
      "Les accents sont magnifiques, ce qui est rare. Toute la carte du restaurant est passée en Mirabelle.",
    ],
    [4, "Une rondeur pleine de personnalité. J'attends l'italique avec impatience."],
  ],
  "prereglages-photo-lumiere-d-automne": [
    [4, "Des tons chauds sans excès. Le guide explique bien quand ne pas les employer."],
    [5, "Mes photos de forêt ont enfin la lumière dont je me souvenais."],
  ],
  "pinceaux-numeriques-aquarelle": [
    [5, "Les bavures sont bluffantes de naturel. On oublie que l'on peint sur du verre."],
    [4, "Très bons pinceaux. Quelques-uns ralentissent un peu sur une tablette ancienne."],
  ],
  "logiciel-de-retouche-atelier-photo": [
    [5, "Pas d'abonnement et une prise en main immédiate : exactement ce que je cherchais."],
    [3, "Efficace pour l'essentiel, mais il manque encore le traitement par lots."],
  ],
  "cours-video-premiers-pas-a-l-aquarelle": [
    [
      5,
      "J'avais peur de l'eau, je la laisse enfin couler. La leçon sur le ciel d'orage est un bijou.",
    ],
    [
      4,
      "Un rythme doux, des sujets simples et jolis. La liste de matériel évite les achats inutiles.",
    ],
  ],
  "bougie-a-la-cire-d-abeille": [
    [5, "Une odeur de miel très légère, une flamme haute et aucune fumée. J'en reprends."],
    [4, "Belle bougie, elle dure longtemps. Un petit creux s'est formé, mais rien de grave."],
  ],
  "vase-a-deux-anses": [
    [5, "Une pièce qui a de la présence. Le mien porte l'empreinte du pouce du potier, j'adore."],
    [4, "Superbe avec des herbes sèches. Il est lourd, ce qui est plutôt rassurant."],
  ],
  "miroir-dore-petale": [
    [5, "Encore plus beau en vrai. Il a transformé notre entrée sombre."],
    [
      3,
      "Très joli, mais le verre avait une petite trace sous le biseau. Je l'ai gardé malgré tout.",
    ],
  ],
  "panier-en-osier-tresse": [
    [5, "Il m'accompagne au marché tous les samedis et ne bouge pas d'un brin."],
    [4, "Du vrai travail de vannier. L'anse pourrait être un peu plus large."],
  ],
  "lanterne-en-papier-de-riz": [
    [4, "Lumière très douce sur la terrasse. Elle se replie facilement après la fête."],
    [3, "Jolie, mais fragile : une averse a eu raison de la première. J'en ai racheté une."],
  ],
  "savon-surgras-a-la-rose": [
    [5, "Ma peau ne tire plus, et le parfum reste discret. Toute la famille l'a adopté."],
    [4, "Très agréable. Il fond un peu vite si l'on oublie le porte-savon."],
  ],
  "ours-en-peluche-basile": [
    [5, "Basile a déjà fait deux machines et trois siestes par jour. Il est comme neuf."],
    [5, "Coutures impeccables, poil très doux. Cadeau de naissance réussi."],
    [4, "Adorable, un peu plus petit que je ne l'imaginais. Bébé, lui, le trouve parfait."],
  ],
  "poupees-russes-peintes-a-la-main": [
    [5, "Les détails du pinceau sont ravissants. Ma grand-mère, qui s'y connaît, a approuvé."],
    [4, "Très jolies. L'emboîtement est un peu serré, cela se fera avec le temps."],
  ],
  "affiche-a-imprimer-grande-maree": [
    [5, "Tirée en 50 × 70 sur papier mat : des bleus profonds, un résultat digne d'une galerie."],
    [4, "Très bon fichier. J'ai hésité entre les formats, puis j'ai imprimé les deux."],
  ],
  "planches-botaniques-a-imprimer": [
    [5, "Imprimées sur papier crème, on les croirait sorties d'un vieil herbier."],
    [4, "Très élégantes dans la cuisine. J'espère une série sur les fleurs des champs."],
  ],
  "theiere-en-fonte-emaillee": [
    [5, "Le thé reste chaud plus d'une heure. Et cette couleur met de la joie sur la table."],
    [5, "Lourde, stable, increvable. Le filtre est assez fin pour le rooibos."],
    [4, "Magnifique, mais l'anse chauffe un peu : pensez au torchon."],
  ],
  "tasse-a-cafe-en-gres": [
    [4, "La bonne taille, la bonne épaisseur, et elle passe au lave-vaisselle sans broncher."],
    [5, "Le grès garde le café chaud et l'anse est confortable. J'en ai pris quatre."],
  ],
  "miel-de-lavande-de-provence": [
    [5, "Un parfum de vacances. Le pot a tenu huit jours, c'est dire."],
    [4, "Très bon miel, bien crémeux. J'aurais voulu un pot plus grand."],
  ],
  "le-pain-a-la-maison": [
    [
      5,
      "Mon premier levain a pris du premier coup. Le chapitre sur les ratés est précieux et drôle.",
    ],
    [4, "Recettes fiables, temps réalistes. Quelques photos des pâtes crues auraient aidé."],
  ],
  "tartes-salees-tartes-sucrees": [
    [4, "La flamiche est devenue le plat du dimanche soir. Un livre simple et généreux."],
    [5, "Enfin des pâtes qui ne se rétractent pas ! Tout est expliqué sans chichis."],
  ],
  "cours-video-la-patisserie-francaise": [
    [
      5,
      "Mes éclairs sont droits et brillants. Les deux angles de caméra font toute la différence.",
    ],
    [4, "Cours très complet. Il faut aimer peser au gramme près, mais le résultat suit."],
  ],
  "ficus-en-pot-de-terre-cuite": [
    [5, "Arrivé sans une feuille abîmée. Il a déjà fait trois nouvelles pousses."],
    [4, "Belle plante, emballage impressionnant. Le pot est plus clair que sur la photo."],
  ],
  "cactus-cierge": [
    [5, "On dirait un dessin animé. Il trône sur le bureau et ne demande rien à personne."],
    [3, "Joli mais plus petit que prévu. Il faudra être patient pour les bras levés."],
  ],
  "graines-de-tournesol-geant": [
    [5, "Deux mètres quatre-vingts en août ! Les enfants en parlent encore."],
    [4, "Très bonne levée, vingt-deux graines sur vingt-cinq. Les limaces ont eu les autres."],
  ],
  "chapeau-de-paille-a-ruban": [
    [5, "Élégant, léger, et il protège vraiment la nuque. Il a survécu à la valise."],
    [4, "Très beau tressage. Le ruban se dénoue un peu trop facilement au vent."],
  ],
  "un-potager-sur-le-balcon": [
    [5, "Drôle, concret, et mes tomates cerises ont donné jusqu'en octobre."],
    [4, "Enfin un livre qui admet qu'un balcon plein nord existe. Les plans sont très pratiques."],
  ],
  "reconnaitre-les-champignons": [
    [5, "Les sosies dangereux en regard de chaque espèce : c'est exactement ce qu'il fallait."],
    [4, "Dessins superbes, recherche par couleur bien pensée. Reste à trouver les cèpes."],
  ],
  "violon-d-etude-quatre-quarts": [
    [5, "Mon professeur a été surpris par le son. Prêt à jouer dès l'ouverture de l'étui."],
    [4, "Très bon violon pour commencer. J'ai seulement remplacé l'archet au bout de six mois."],
  ],
  "maracas-peintes-a-la-main": [
    [4, "Le son est net et les couleurs font envie. L'école de musique en a repris six paires."],
    [5, "Solides, belles, joyeuses. Le voisin du dessous est moins convaincu."],
  ],
  "casque-audio-a-arceau": [
    [5, "Un son juste, et je peux changer les coussinets moi-même. Bravo pour la démarche."],
    [4, "Très confortable pendant des heures. Il serre un peu les premiers jours."],
    [2, "Le son est bon mais la connexion sans fil décroche quand je change de pièce."],
  ],
  "poste-de-radio-retro": [
    [
      5,
      "Deux molettes et c'est tout : mon père de quatre-vingts ans s'en sert sans mode d'emploi.",
    ],
    [4, "Beau, bon son, grosse autonomie. La poignée grince très légèrement."],
  ],
  "partitions-pour-accordeon-valses-musettes": [
    [
      5,
      "Gravure soignée et doigtés intelligents. Les enregistrements lents sont une excellente idée.",
    ],
    [4, "Un beau choix de valses. Deux ou trois sont ardues pour un débutant."],
  ],
  "album-nuits-d-ete": [
    [5, "Les grillons, le piano, la contrebasse : je l'écoute fenêtre ouverte, tous les soirs."],
    [5, "Une prise de son d'une intimité rare. Les notes de pochette sont passionnantes."],
  ],
  "banque-de-sons-piano-a-queue": [
    [
      5,
      "La résonance des cordes est d'un réalisme saisissant. Elle a remplacé toutes mes autres banques.",
    ],
    [3, "Très beau son, mais près de cinq gigaoctets : prévoyez une bonne connexion."],
  ],
  "sons-de-la-nature-pluie-et-foret": [
    [5, "Je m'endors avant la deuxième piste. Aucune coupure, aucun bruit parasite."],
    [4, "Très bel enregistrement. L'orage lointain est mon préféré pour travailler."],
  ],
  "cours-video-la-guitare-pas-a-pas": [
    [5, "Une vraie chanson au bout de trois semaines, promesse tenue. Mes doigts vont bien."],
    [4, "Progression bien pensée, bonne humeur communicative. Le barré reste le barré."],
    [3, "De bonnes leçons, mais j'aurais préféré moins d'accords et plus de rythme au début."],
  ],
  "logiciel-d-enregistrement-studio-mistral": [
    [
      4,
      "Maquette enregistrée en une soirée sans lire la notice. Les effets sont simples et propres.",
    ],
    [5, "Notre fanfare mixe enfin ses répétitions. Léger, stable, et en français."],
  ],
  "le-rouge-gorge-du-canal": [
    [5, "Une écriture d'une délicatesse rare. J'ai relu la dernière page trois fois."],
    [4, "Un beau roman lent. Les cent premières pages demandent un peu de patience."],
  ],
  "contes-de-la-vieille-chouette": [
    [5, "Le conte du hérisson est réclamé tous les soirs. La version lue nous sauve parfois."],
    [
      4,
      "De belles histoires, ni mièvres ni effrayantes. Les illustrations sont superbes sur tablette.",
    ],
  ],
  "les-echecs-pas-a-pas": [
    [
      5,
      "Mon fils de neuf ans m'a battu au bout d'un mois. Je ne sais pas s'il faut remercier l'auteur.",
    ],
    [
      4,
      "Progression impeccable et exercices bien choisis. Il manque un chapitre sur les ouvertures.",
    ],
  ],
  "le-ciel-a-l-oeil-nu": [
    [
      5,
      "Saturne trouvée dès le premier soir, depuis un balcon en ville. Les cartes rouges sont géniales.",
    ],
    [4, "Un guide clair et poétique. Il donne envie de se coucher tard."],
  ],
  "meditations-guidees-du-soir": [
    [5, "Une voix posée, de vrais silences, pas de musique d'ascenseur. Enfin !"],
    [3, "Les séances sont bonnes, mais j'aurais aimé qu'elles soient un peu plus longues."],
  ],
};

/** Reviews that fit any product of a kind; each is used once. */
export const kindReviews = {
  physical: [
    [5, "Très belle qualité, emballage soigné et livraison rapide. Je recommande les yeux fermés."],
    [5, "Encore plus joli en vrai que sur la photo. Merci pour le petit mot dans le colis !"],
    [5, "Acheté pour offrir, j'ai fini par le garder. J'en ai donc recommandé un."],
    [5, "Rien à redire : c'est beau, c'est solide et cela fait plaisir."],
    [5, "Un colis préparé avec soin, sans plastique. On sent des gens attentifs derrière."],
    [5, "Exactement conforme à la description. Le vendeur a répondu à ma question dans l'heure."],
    [5, "Troisième commande ici et toujours la même satisfaction."],
    [5, "Offert à ma mère pour ses soixante-dix ans. Elle en parle à toutes ses amies."],
    [5, "Fabriqué avec soin, cela se voit dans les détails. Bravo."],
    [4, "Très bon achat. La livraison a pris deux jours de plus qu'annoncé, sans conséquence."],
    [4, "Beau et bien fini. La couleur est légèrement plus soutenue que sur mon écran."],
    [4, "Conforme à mes attentes. Le prix est un peu élevé, mais la qualité est là."],
    [4, "Un mois d'usage quotidien, et toujours aucun regret."],
    [4, "Joli objet, bien emballé. Une petite notice n'aurait pas été de trop."],
    [4, "Très bel achat, il ne manque qu'un emballage cadeau en option."],
    [4, "Bonne surprise, je ne connaissais pas cette boutique. Je reviendrai."],
    [3, "Correct, sans plus. Je m'attendais à quelque chose d'un peu plus grand."],
    [3, "Le produit est bien, mais le carton est arrivé enfoncé. Heureusement, rien de cassé."],
    [3, "Joli, mais la finition pourrait être meilleure à ce prix."],
    [3, "La couleur déçoit un peu, je l'imaginais plus vive. Pour le reste, rien à dire."],
    [2, "Arrivé avec une rayure. Le service client a proposé un échange, j'attends."],
    [2, "Pas tout à fait ce que j'imaginais en voyant la photo."],
    [1, "Reçu abîmé, et c'était un cadeau. Remboursé vite, certes, mais trop tard pour la fête."],
  ],
  book: [
    [5, "Lu en deux soirées. La mise en page est soignée, même sur une petite liseuse."],
    [5, "Un livre que je conseille à tout le monde autour de moi."],
    [5, "Clair, vivant, sans jargon. On sent que l'auteur aime son sujet."],
    [5, "Je cherchais exactement cela. Le fichier s'ouvre sans difficulté sur ma tablette."],
    [4, "Très bonne lecture. Quelques coquilles, mais rien de gênant."],
    [4, "Contenu riche et bien organisé, avec un sommaire cliquable bien pratique."],
    [4, "Beau travail. J'aurais volontiers pris cinquante pages de plus."],
    [3, "Intéressant, mais certains chapitres se répètent un peu."],
    [2, "Les images sont trop petites sur ma liseuse, dommage pour un livre illustré."],
  ],
  printable: [
    [5, "Imprimé, découpé, adopté. Le fichier est d'une netteté parfaite."],
    [5, "Simple, joli et bien expliqué. Le reste de la série me tente beaucoup."],
    [5, "Téléchargement immédiat et rendu superbe sur papier épais."],
    [4, "Très pratique. Pensez à imprimer à 100 % et non à ajuster à la page."],
    [4, "Bon fichier, bien préparé. Une version pour petit format serait un plus."],
    [4, "Joli et utile, pour le prix d'un café."],
    [3, "Le résultat est bien, mais il consomme beaucoup d'encre."],
    [2, "Mon imprimante coupe les bords, il aurait fallu une marge plus large."],
  ],
  course: [
    [5, "Pédagogie exemplaire : on avance à son rythme et l'on a envie de continuer."],
    [5, "Les vidéos sont nettes, bien filmées, et tout est téléchargeable. Parfait pour le train."],
    [5, "Beaucoup mieux que les vidéos éparpillées que je regardais jusqu'ici."],
    [4, "Excellent cours. Des sous-titres seraient utiles pour regarder le soir sans le son."],
    [4, "Très bien construit, même si les deux dernières leçons vont un peu vite."],
    [4, "Je ne regrette pas mon achat : on sent l'expérience du professeur."],
    [3, "Bon contenu, mais le téléchargement est long avec ma connexion."],
    [2, "Trop facile pour moi, qui avais déjà quelques bases. Il aurait fallu le préciser."],
  ],
  audio: [
    [5, "Un son d'une pureté remarquable. Je l'écoute tous les jours."],
    [5, "Fichiers bien étiquetés, qualité irréprochable."],
    [4, "Très beau travail de prise de son, à écouter au casque."],
    [4, "J'aime beaucoup. J'espère une suite."],
    [3, "Agréable, quoique un peu court à mon goût."],
  ],
  software: [
    [5, "Installé en deux minutes, fonctionne du premier coup. Cela devient rare."],
    [5, "Exactement la description, et une assistance qui répond vite et bien."],
    [4, "Très bon outil. La documentation mériterait quelques exemples de plus."],
    [4, "Je m'en sers chaque semaine pour mon travail, sans mauvaise surprise."],
    [3, "Bien fait, mais je n'exploite pas la moitié des possibilités."],
    [1, "Impossible à ouvrir sur mon ordinateur, trop ancien. J'aurais dû lire les conditions."],
  ],
} as const satisfies Record<string, readonly ReviewSeed[]>;

/** Rejected reviews, with the moderator's reason. */
export const rejectedReviews: readonly { rating: number; content: string; reason: string }[] = [
  {
    rating: 5,
    content:
      "Super ! Et pour des réductions sur tout, venez voir ma boutique, lien dans mon profil.",
    reason: "Les messages publicitaires ne sont pas publiés.",
  },
  {
    rating: 1,
    content:
      "Le livreur est passé en mon absence, alors une étoile. Je n'ai pas encore ouvert le colis.",
    reason: "L'avis ne porte pas sur le produit.",
  },
  {
    rating: 2,
    content: "Si vous voulez en parler, appelez-moi au numéro que je laisse en commentaire.",
    reason: "Les coordonnées personnelles ne peuvent pas être publiées.",
  },
  {
    rating: 3,
    content: "azertyuiop je teste si les avis fonctionnent ici",
    reason: "Le texte ne décrit pas le produit.",
  },
  {
    rating: 1,
    content: "Ceux qui achètent cela sont vraiment des imbéciles, il faut être naïf pour y croire.",
    reason: "Les propos injurieux ne sont pas publiés.",
  },
];
