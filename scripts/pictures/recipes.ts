import sharp from "sharp";
import { book, type Print, photoPrints, player, programWindow, record, sheets } from "./mockups";
import type { Scene, ToneName } from "./scenery";
import { drawing, flatten, type Layer, type Look, lying, SIDE, standing } from "./studio";

/** An object of a still life: `x` is its middle, `y` its feet (the scene's ground if missing). */
interface Piece extends Look {
  emoji: string;
  x?: number;
  y?: number;
}

/** How a product's picture is made. */
export type Recipe = { tone: ToneName; scene: Scene } & (
  | { standing: readonly Piece[] }
  | { lying: readonly Piece[] }
  | { flat: () => Promise<Layer[]> }
);

const FULL = { width: SIDE, height: SIDE };

function bookRecipe(
  tone: ToneName,
  scene: Scene,
  cover: readonly [string, string, string],
  rotate: number,
  ...prints: Print[]
): Recipe {
  return { tone, scene, flat: async () => [await book({ cover, prints, rotate })] };
}

function playerRecipe(
  tone: ToneName,
  screen: readonly [string, string],
  accent: string,
  progress: number,
  ...prints: Print[]
): Recipe {
  return {
    tone,
    scene: "table",
    flat: async () => [await player({ screen, prints, progress, accent })],
  };
}

const line = (x: number, y: number, width: number, color = "#d4d0c8", height = 12) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}" fill="${color}"/>`;

/** Seven rows of a week, with ticked boxes. */
function weekPlan(): string {
  const colors = ["#f2a7b5", "#f6c089", "#f3dc7f", "#a9d6a0", "#93cfdc", "#a9bdf0", "#cdb4ee"];
  return `${line(150, 52, 330, "#3d4a63", 26)}${line(150, 96, 190)}${colors
    .map((color, i) => {
      const y = 165 + i * 72;
      return `<rect x="44" y="${y}" width="432" height="56" rx="12" fill="${color}" opacity="0.32"/>
        <rect x="44" y="${y}" width="92" height="56" rx="12" fill="${color}"/>
        <rect x="158" y="${y + 16}" width="24" height="24" rx="7" fill="#fff" stroke="${color}" stroke-width="4"/>
        ${i < 4 ? `<path d="M163 ${y + 28} l6 7 l11 -13" fill="none" stroke="#3d4a63" stroke-width="4" stroke-linecap="round"/>` : ""}
        ${line(200, y + 22, 150 + ((i * 53) % 100), "#8d93a1")}`;
    })
    .join("")}`;
}

/** Two columns of labels to cut out. */
function labelGrid(): string {
  const colors = ["#d9773d", "#5f9460", "#c6505f", "#3f7fa3", "#b58a2c", "#7a68b0"];
  return colors
    .map((color, i) => {
      const x = 46 + (i % 2) * 226;
      const y = 60 + Math.floor(i / 2) * 204;
      return `<rect x="${x}" y="${y}" width="202" height="172" rx="26" fill="none" stroke="${color}" stroke-width="6"/>
        <rect x="${x + 12}" y="${y + 12}" width="178" height="148" rx="18" fill="${color}" opacity="0.13"/>
        ${line(x + 46, y + 122, 110, color, 14)}`;
    })
    .join("");
}

/** A dressmaking pattern: the pieces of a dress with their grain lines, and a tape along the edge. */
function dressPattern(): string {
  const cut = 'fill="#eef4fb" stroke="#31558c" stroke-width="5" stroke-linejoin="round"';
  const seam = 'fill="none" stroke="#31558c" stroke-width="3" stroke-dasharray="12 9"';
  return `<path d="M60 70 C90 130 130 130 150 70 L196 84 C190 160 196 200 214 250 L40 250 C58 190 56 140 24 84 z" ${cut}/>
    <path d="M70 92 C98 146 124 146 142 92 L180 102 C176 164 182 200 194 236 L60 236 C74 186 72 148 46 102 z" ${seam}/>
    <path d="M34 300 L218 300 L250 640 C180 668 80 668 4 640 z" ${cut}/>
    <path d="M50 316 L202 316 L230 626 C172 648 90 648 24 626 z" ${seam}/>
    <path d="M126 370 v190 m-14 -170 l14 -20 l14 20 m-28 150 l14 20 l14 -20" fill="none" stroke="#31558c" stroke-width="4"/>`;
}

/** Music: staves, notes, a title. */
function score(): string {
  const staves = [0, 1, 2, 3].map((i) => {
    const y = 330 + i * 92;
    const lines = [0, 1, 2, 3, 4]
      .map((k) => `<path d="M40 ${y + k * 11} h440" stroke="#8b8577" stroke-width="2"/>`)
      .join("");
    const notes = [0, 1, 2, 3, 4, 5]
      .map((k) => {
        const nx = 92 + k * 68 + ((i * 17) % 23);
        const ny = y + 5 + ((k * 3 + i * 5) % 7) * 6;
        return `<ellipse cx="${nx}" cy="${ny}" rx="10" ry="7.5" transform="rotate(-20 ${nx} ${ny})" fill="#2c2a26"/><path d="M${nx + 9} ${ny} v-36" stroke="#2c2a26" stroke-width="3"/>${k % 2 === 0 ? `<path d="M${nx + 9} ${ny - 36} q16 8 10 24" fill="none" stroke="#2c2a26" stroke-width="4"/>` : ""}`;
      })
      .join("");
    return lines + notes;
  });
  return `${line(130, 52, 260, "#7d3b4a", 26)}${line(185, 96, 150)}${staves.join("")}`;
}

/** Drawn letters with round ends, since no font of the machine may decide how a picture looks. */
function letters(): string {
  const stroke = (color: string) =>
    `fill="none" stroke="${color}" stroke-width="50" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g ${stroke("#7c3f98")}><path d="M100 440 L205 130 L310 440"/><path d="M140 340 H270"/></g>
    <g ${stroke("#e0a021")}><circle cx="480" cy="345" r="98"/><path d="M578 247 V443"/></g>
    <g ${stroke("#c2475f")}><path d="M80 745 H262 A98 98 0 1 0 232 822"/><path d="M165 590 l62 -58"/></g>
    <g ${stroke("#3d7f63")}><path d="M560 690 A88 88 0 1 0 560 818"/><path d="M500 842 q34 20 6 50" stroke-width="26"/></g>`;
}

/** A tablet with strokes of watery colour. */
async function drawingTablet(): Promise<Layer[]> {
  const wash = (color: string, path: string, width: number) =>
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" opacity="0.28"/>
     <path d="${path}" fill="none" stroke="${color}" stroke-width="${width * 0.72}" stroke-linecap="round" opacity="0.4"/>
     <path d="${path}" fill="none" stroke="${color}" stroke-width="${width * 0.34}" stroke-linecap="round" opacity="0.28"/>`;
  const tablet = await flatten(
    [
      {
        png: await sharp(
          drawing(`<rect x="110" y="210" width="780" height="580" rx="46" fill="#262b36"/>
            <rect x="146" y="246" width="708" height="508" rx="16" fill="#fffdf8"/>
            ${wash("#3d7ec9", "M230 360 C340 290 450 420 600 340", 74)}
            ${wash("#e2607a", "M225 500 C330 440 430 560 560 480", 74)}
            ${wash("#f0a83a", "M235 640 C330 590 420 700 540 620", 74)}
            ${wash("#3fa57f", "M690 350 C740 400 700 450 760 500", 62)}`),
        )
          .png()
          .toBuffer(),
        left: 0,
        top: 0,
      },
    ],
    FULL,
    -5,
  );
  return [tablet, await lying("🖌️", 655, 595, { height: 390, rotate: 8 })];
}

export const recipes: Readonly<Record<string, Recipe>> = {
  // Papeterie
  "carnet-a-pages-pointillees": {
    tone: "lilac",
    scene: "corner",
    lying: [
      {
        emoji: "📔",
        x: 590,
        y: 470,
        height: 520,
        rotate: 12,
        hue: 320,
        saturation: 1.1,
        brightness: 1.7,
      },
      { emoji: "📔", x: 420, y: 540, height: 560, rotate: -9 },
    ],
  },
  "stylo-plume-bleu-de-prusse": {
    tone: "sky",
    scene: "table",
    lying: [{ emoji: "🖋️", height: 640 }],
  },
  "regle-et-equerre-graduees": {
    tone: "mist",
    scene: "corner",
    lying: [
      { emoji: "📐", x: 430, y: 560, height: 500, rotate: -4 },
      { emoji: "📏", x: 640, y: 390, height: 480, rotate: 4, hue: 10 },
    ],
  },
  "cartes-de-voeux-mille-coeurs": {
    tone: "rose",
    scene: "table",
    lying: [
      { emoji: "✉️", x: 640, y: 365, width: 440, rotate: 14 },
      { emoji: "✉️", x: 380, y: 420, width: 440, rotate: -16 },
      { emoji: "💌", x: 500, y: 590, width: 560, rotate: -4 },
    ],
  },
  "marque-pages-en-cuir-rouge": {
    tone: "sand",
    scene: "corner",
    lying: [
      { emoji: "📖", x: 480, y: 560, width: 700, rotate: -5 },
      { emoji: "🔖", x: 640, y: 430, height: 400, rotate: 4 },
    ],
  },
  "planificateur-hebdomadaire-a-imprimer": {
    tone: "butter",
    scene: "table",
    flat: () =>
      sheets({
        content: weekPlan(),
        prints: [{ emoji: "🗓️", x: 90, y: 86, width: 96 }],
        rotate: -4,
      }),
  },
  "etiquettes-de-cuisine-a-imprimer": {
    tone: "mint",
    scene: "table",
    flat: async () => [
      ...(await sheets({
        content: labelGrid(),
        prints: ["🍓", "🌿", "🍅", "🫐", "🍯", "🍇"].map((emoji, i) => ({
          emoji,
          x: 147 + (i % 2) * 226,
          y: 128 + Math.floor(i / 2) * 204,
          height: 82,
        })),
        rotate: 4,
      })),
      await lying("🏷️", 735, 745, { height: 250, rotate: -8 }),
    ],
  },
  "faire-part-de-naissance-fleur-de-cerisier": {
    tone: "rose",
    scene: "corner",
    flat: () =>
      sheets({
        content: `<rect x="34" y="34" width="452" height="632" rx="18" fill="#fff6f7" stroke="#eab4c0" stroke-width="4"/>
          <circle cx="260" cy="330" r="140" fill="#fbe1e6"/>
          ${line(140, 520, 240, "#c5728a", 26)}${line(175, 566, 170, "#e3b8c2")}${line(200, 598, 120, "#e3b8c2")}`,
        prints: [
          { emoji: "🍼", x: 260, y: 330, height: 190, rotate: -6 },
          { emoji: "🌸", x: 92, y: 96, width: 130, rotate: -12 },
          { emoji: "🌸", x: 190, y: 66, width: 74, rotate: 20 },
          { emoji: "🌸", x: 432, y: 612, width: 128, rotate: 15 },
          { emoji: "🌸", x: 446, y: 500, width: 66, rotate: -18 },
        ],
        rotate: 3,
        under: "#f6cdd6",
      }),
  },

  // Couture et tricot
  "pelotes-de-laine-merinos": {
    tone: "sand",
    scene: "sun",
    standing: [
      { emoji: "🧶", x: 690, y: 770, height: 360, hue: 190, saturation: 0.85, flip: true },
      { emoji: "🧶", x: 315, y: 775, height: 370, hue: 130, saturation: 0.85 },
      { emoji: "🧶", x: 500, y: 865, height: 430 },
    ],
  },
  "bobines-de-fil-a-coudre": {
    tone: "mint",
    scene: "steps",
    standing: [
      { emoji: "🧵", x: 735, y: 655, height: 330, hue: 120 },
      { emoji: "🧵", x: 300, y: 745, height: 330, hue: 310 },
      { emoji: "🧵", x: 490, y: 778, height: 390 },
    ],
  },
  "ciseaux-de-couturiere": {
    tone: "peach",
    scene: "corner",
    lying: [{ emoji: "✂️", height: 620, rotate: 24 }],
  },
  "echarpe-tricotee-main": {
    tone: "mist",
    scene: "arch",
    standing: [{ emoji: "🧣", height: 560, y: 820 }],
  },
  "patron-de-couture-robe-clemence": {
    tone: "sky",
    scene: "corner",
    flat: async () => [
      ...(await sheets({ content: dressPattern(), prints: [], rotate: -6, under: "#dfe9f5" })),
      await lying("👗", 660, 520, { height: 560, rotate: 5 }),
    ],
  },
  "patron-de-crochet-renard-anatole": {
    tone: "peach",
    scene: "table",
    flat: async () => [
      ...(await sheets({
        content: `<rect x="34" y="34" width="452" height="410" rx="20" fill="#fdeede"/>${line(70, 492, 260, "#8a4b20", 26)}${[0, 1, 2, 3].map((i) => line(70, 548 + i * 34, [380, 340, 370, 220][i] ?? 300)).join("")}`,
        prints: [{ emoji: "🦊", x: 260, y: 240, height: 330 }],
        rotate: -5,
      })),
      await lying("🧶", 745, 740, { height: 260, hue: 175, saturation: 1.1 }),
    ],
  },
  "cours-video-apprendre-a-tricoter": playerRecipe(
    "lilac",
    ["#f6e3ea", "#c98fa8"],
    "#be185d",
    0.38,
    { emoji: "🧶", x: -205, y: 30, height: 270, hue: 110 },
    { emoji: "🧣", x: 215, y: 20, height: 300 },
  ),

  // Arts graphiques et photo
  "coffret-de-gouaches-et-palette": {
    tone: "sky",
    scene: "corner",
    lying: [
      { emoji: "🎨", x: 480, y: 520, width: 640, rotate: -6 },
      { emoji: "🖌️", x: 720, y: 640, height: 430, rotate: 10, hue: 215 },
    ],
  },
  "craies-grasses-multicolores": {
    tone: "butter",
    scene: "table",
    lying: [
      { emoji: "🖍️", x: 300, y: 420, height: 400, hue: 260, rotate: -18 },
      { emoji: "🖍️", x: 430, y: 500, height: 400, hue: 315, rotate: -6 },
      { emoji: "🖍️", x: 560, y: 530, height: 400, rotate: 4 },
      { emoji: "🖍️", x: 690, y: 580, height: 400, hue: 110, rotate: 16 },
    ],
  },
  "appareil-photo-argentique": {
    tone: "sand",
    scene: "podium",
    standing: [
      { emoji: "📷", height: 430, y: 785 },
      { emoji: "🎞️", x: 770, y: 905, height: 190 },
    ],
  },
  "police-de-caracteres-mirabelle": {
    tone: "butter",
    scene: "table",
    flat: async () => {
      const specimen = await sharp(
        drawing(`<rect x="200" y="125" width="600" height="750" rx="12" fill="#fffdf8"/>
          <g transform="translate(226 98) scale(0.85)">${letters()}</g>`),
      )
        .png()
        .toBuffer();
      return [await flatten([{ png: specimen, left: 0, top: 0 }], FULL, -4)];
    },
  },
  "prereglages-photo-lumiere-d-automne": {
    tone: "peach",
    scene: "table",
    flat: () =>
      photoPrints([
        {
          x: 350,
          y: 430,
          rotate: -14,
          sky: ["#cfd8dc", "#9fb0b8"],
          content: `<path d="M0 250 C90 190 220 250 360 200 V345 H0 z" fill="#7d8c8a"/>`,
          prints: [{ emoji: "🌲", x: 40, y: 30, height: 210, saturation: 0.25 }],
        },
        {
          x: 640,
          y: 470,
          rotate: 11,
          sky: ["#ffe3b0", "#f0a45c"],
          content: `<circle cx="250" cy="110" r="46" fill="#fff4d6"/><path d="M0 260 C110 200 230 270 360 215 V345 H0 z" fill="#b9632c"/>`,
          prints: [{ emoji: "🌳", x: -40, y: 30, height: 220, hue: 285, saturation: 1.2 }],
        },
        {
          x: 490,
          y: 610,
          rotate: -3,
          sky: ["#fdeccb", "#f3b770"],
          content: `<path d="M0 290 C120 250 240 310 360 270 V345 H0 z" fill="#d98a3d"/>`,
          prints: [{ emoji: "🍂", x: 0, y: 0, height: 270 }],
        },
      ]),
  },
  "pinceaux-numeriques-aquarelle": { tone: "mist", scene: "corner", flat: drawingTablet },
  "logiciel-de-retouche-atelier-photo": {
    tone: "sky",
    scene: "table",
    flat: async () => [
      await programWindow({
        dark: true,
        content: `<rect x="24" y="26" width="540" height="460" rx="12" fill="#171b24"/>
          ${[0, 1, 2, 3, 4]
            .map((i) => {
              const y = 60 + i * 84;
              const at = [60, 120, 86, 30, 140][i] ?? 60;
              return `${line(596, y, 90, "#6d788f", 10)}<rect x="596" y="${y + 34}" width="174" height="8" rx="4" fill="#4a556c"/><rect x="596" y="${y + 34}" width="${at}" height="8" rx="4" fill="#7fb0ff"/><circle cx="${596 + at}" cy="${y + 38}" r="13" fill="#fff"/>`;
            })
            .join("")}`,
        prints: [{ emoji: "🏞️", x: 294, y: 256, width: 420 }],
      }),
    ],
  },
  "cours-video-premiers-pas-a-l-aquarelle": playerRecipe(
    "aqua",
    ["#eaf6fb", "#8fc3d8"],
    "#0e7490",
    0.22,
    { emoji: "🎨", x: -215, y: 20, height: 270 },
    { emoji: "🍐", x: 220, y: 30, height: 260 },
  ),

  // Maison et décoration
  "bougie-a-la-cire-d-abeille": {
    tone: "butter",
    scene: "podium",
    standing: [
      { emoji: "🕯️", x: 500, y: 775, height: 560 },
      { emoji: "🐝", x: 735, y: 470, height: 110, flip: true },
    ],
  },
  "vase-a-deux-anses": {
    tone: "peach",
    scene: "arch",
    standing: [{ emoji: "🏺", height: 600, y: 825 }],
  },
  "miroir-dore-petale": {
    tone: "lilac",
    scene: "arch",
    standing: [{ emoji: "🪞", height: 580, y: 815 }],
  },
  "panier-en-osier-tresse": {
    tone: "sage",
    scene: "sun",
    standing: [
      { emoji: "🧺", x: 480, y: 820, height: 520 },
      { emoji: "🍎", x: 745, y: 850, height: 150 },
      { emoji: "🍐", x: 845, y: 820, height: 165 },
    ],
  },
  "lanterne-en-papier-de-riz": {
    tone: "night",
    scene: "hills",
    standing: [
      { emoji: "🏮", x: 250, y: 560, height: 300 },
      { emoji: "🏮", x: 770, y: 500, height: 240 },
      { emoji: "🏮", x: 510, y: 850, height: 540 },
    ],
  },
  "savon-surgras-a-la-rose": {
    tone: "rose",
    scene: "podium",
    standing: [
      { emoji: "🧼", x: 480, y: 785, height: 430 },
      { emoji: "🌹", x: 760, y: 895, height: 290, rotate: 24 },
    ],
  },
  "ours-en-peluche-basile": {
    tone: "aqua",
    scene: "sun",
    standing: [{ emoji: "🧸", height: 570, y: 835 }],
  },
  "poupees-russes-peintes-a-la-main": {
    tone: "butter",
    scene: "sun",
    standing: [
      { emoji: "🪆", x: 340, y: 800, height: 520 },
      { emoji: "🪆", x: 610, y: 835, height: 380, hue: 190, saturation: 0.9 },
      { emoji: "🪆", x: 800, y: 860, height: 250, hue: 130, saturation: 0.8 },
    ],
  },
  "affiche-a-imprimer-grande-maree": {
    tone: "sand",
    scene: "corner",
    flat: async () => {
      const art = await sharp(
        drawing(`<defs><linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fdf3df"/><stop offset="1" stop-color="#f7cfa8"/></linearGradient></defs>
          <rect x="225" y="90" width="550" height="820" rx="4" fill="#6d4a2f"/>
          <rect x="245" y="110" width="510" height="780" fill="#fffdf8"/>
          <rect x="285" y="150" width="430" height="640" fill="url(#dusk)"/>
          <circle cx="585" cy="300" r="78" fill="#ee7b52"/>
          <path d="M285 640 C340 600 390 670 450 640 S560 600 715 650 V790 H285 z" fill="#2f6f9f"/>
          <path d="M285 700 C350 665 410 720 480 700 S620 670 715 710 V790 H285 z" fill="#1f4e79"/>
          ${line(400, 824, 200, "#1f4e79", 16)}${line(440, 854, 120, "#9fb3c4", 10)}`),
      )
        .png()
        .toBuffer();
      return [
        await flatten(
          [{ png: art, left: 0, top: 0 }, await lying("🌊", 470, 550, { height: 300 })],
          FULL,
          0,
        ),
      ];
    },
  },
  "planches-botaniques-a-imprimer": {
    tone: "sage",
    scene: "table",
    flat: () =>
      sheets({
        content: `<rect x="30" y="30" width="460" height="640" rx="4" fill="#fbf6e8" stroke="#d8c9a3" stroke-width="3"/>${line(160, 592, 200, "#4a5f3a", 18)}${line(190, 624, 140, "#b5ae93", 10)}`,
        prints: [
          { emoji: "🌿", x: 260, y: 310, height: 430, rotate: -8 },
          { emoji: "🫒", x: 372, y: 480, height: 92 },
        ],
        rotate: -3,
        under: "#f1e8d0",
      }),
  },

  // Cuisine et thé
  "theiere-en-fonte-emaillee": {
    tone: "mint",
    scene: "podium",
    standing: [{ emoji: "🫖", height: 470, y: 790 }],
  },
  "tasse-a-cafe-en-gres": {
    tone: "peach",
    scene: "table",
    lying: [
      { emoji: "☕", x: 490, y: 500, width: 600 },
      { emoji: "🫘", x: 790, y: 780, height: 150, rotate: 20, hue: 345, saturation: 0.8 },
    ],
  },
  "miel-de-lavande-de-provence": {
    tone: "lilac",
    scene: "podium",
    standing: [
      { emoji: "🪻", x: 745, y: 800, height: 330, rotate: 14 },
      { emoji: "🍯", x: 470, y: 785, height: 460 },
    ],
  },
  "le-pain-a-la-maison": bookRecipe("sand", "corner", ["#c9803a", "#a15a1f", "#fbe6c4"], -5, {
    emoji: "🥖",
    x: 0,
    y: 20,
    width: 330,
    rotate: -8,
  }),
  "tartes-salees-tartes-sucrees": bookRecipe(
    "rose",
    "table",
    ["#d8586a", "#a93349", "#ffe3dc"],
    4,
    { emoji: "🥧", x: 0, y: 20, width: 310 },
  ),
  "cours-video-la-patisserie-francaise": playerRecipe(
    "peach",
    ["#fff0e3", "#eeb58f"],
    "#c2410c",
    0.64,
    { emoji: "🍰", x: -215, y: 30, height: 240 },
    { emoji: "🧁", x: 215, y: 20, height: 270 },
  ),

  // Jardin et balcon
  "ficus-en-pot-de-terre-cuite": {
    tone: "sage",
    scene: "arch",
    standing: [{ emoji: "🪴", height: 590, y: 825 }],
  },
  "cactus-cierge": {
    tone: "sand",
    scene: "hills",
    standing: [
      { emoji: "🪨", x: 770, y: 855, height: 130 },
      { emoji: "🌵", x: 480, y: 850, height: 610 },
    ],
  },
  "graines-de-tournesol-geant": {
    tone: "sage",
    scene: "hills",
    standing: [
      { emoji: "🌻", x: 240, y: 790, height: 360 },
      { emoji: "🌻", x: 775, y: 800, height: 420 },
      { emoji: "🌻", x: 500, y: 900, height: 620 },
    ],
  },
  "chapeau-de-paille-a-ruban": {
    tone: "aqua",
    scene: "podium",
    standing: [{ emoji: "👒", height: 400, y: 790 }],
  },
  "un-potager-sur-le-balcon": bookRecipe(
    "mint",
    "table",
    ["#4b9a5b", "#256b3c", "#fff3d1"],
    -4,
    { emoji: "🥕", x: 70, y: -45, width: 180 },
    { emoji: "🍅", x: -50, y: 65, width: 200 },
  ),
  "reconnaitre-les-champignons": bookRecipe(
    "peach",
    "corner",
    ["#3f5a4a", "#22392d", "#f4dfb8"],
    5,
    { emoji: "🍄", x: 0, y: 20, height: 320 },
  ),

  // Musique et son
  "violon-d-etude-quatre-quarts": {
    tone: "peach",
    scene: "arch",
    standing: [{ emoji: "🎻", height: 600, y: 830 }],
  },
  "maracas-peintes-a-la-main": {
    tone: "aqua",
    scene: "sun",
    standing: [{ emoji: "🪇", height: 540, y: 810 }],
  },
  "casque-audio-a-arceau": {
    tone: "mist",
    scene: "podium",
    standing: [{ emoji: "🎧", height: 500, y: 790 }],
  },
  "poste-de-radio-retro": {
    tone: "butter",
    scene: "podium",
    standing: [{ emoji: "📻", height: 470, y: 785, hue: 200, saturation: 1.2 }],
  },
  "partitions-pour-accordeon-valses-musettes": {
    tone: "rose",
    scene: "corner",
    flat: () =>
      sheets({
        content: score(),
        prints: [{ emoji: "🪗", x: 260, y: 215, height: 165 }],
        rotate: 4,
      }),
  },
  "album-nuits-d-ete": {
    tone: "lilac",
    scene: "table",
    flat: () =>
      record({
        sleeve: ["#2b2f63", "#7a5c9e"],
        label: "#f0c95a",
        content: `${[
          [70, 90, 4],
          [170, 60, 3],
          [300, 120, 4],
          [450, 80, 3],
          [400, 220, 4],
          [90, 230, 3],
          [220, 190, 3],
        ]
          .map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="#fff6d8"/>`)
          .join("")}
          <path d="M0 400 C120 340 220 420 340 370 S460 380 520 350 V520 H0 z" fill="#191b3d"/>`,
        prints: [{ emoji: "🌙", x: 20, y: -50, height: 250 }],
      }),
  },
  "banque-de-sons-piano-a-queue": {
    tone: "mist",
    scene: "corner",
    flat: () =>
      record({
        sleeve: ["#f6efe2", "#e4d3b5"],
        label: "#b5762f",
        content: line(150, 452, 220, "#3a3128", 18),
        prints: [{ emoji: "🎹", x: 0, y: -30, width: 360 }],
      }),
  },
  "sons-de-la-nature-pluie-et-foret": {
    tone: "sage",
    scene: "table",
    flat: () =>
      record({
        sleeve: ["#cfe6e0", "#5d9484"],
        label: "#d8ecdf",
        content: `<path d="M0 430 C140 380 330 440 520 390 V520 H0 z" fill="#2f5f4d"/>`,
        prints: [
          { emoji: "🌲", x: -150, y: 95, height: 210 },
          { emoji: "🌲", x: 165, y: 85, height: 230 },
          { emoji: "🌲", x: -20, y: 130, height: 190 },
          { emoji: "🌧️", x: 10, y: -100, width: 250 },
        ],
      }),
  },
  "cours-video-la-guitare-pas-a-pas": playerRecipe(
    "butter",
    ["#fdf0cf", "#e6b862"],
    "#9a3412",
    0.5,
    { emoji: "🎸", x: -190, y: 15, height: 350 },
    { emoji: "🎶", x: 220, y: -10, height: 210 },
  ),
  "logiciel-d-enregistrement-studio-mistral": {
    tone: "aqua",
    scene: "table",
    flat: async () => [
      await programWindow({
        dark: true,
        content: [0, 1, 2, 3]
          .map((row) => {
            const y = 26 + row * 118;
            const color = ["#f28b82", "#fbc65f", "#7fd6a3", "#83b8ff"][row] ?? "#fff";
            const wave = Array.from({ length: 62 }, (_, k) => {
              const h =
                10 + Math.round(Math.abs(Math.sin(k * 0.55 + row * 1.9) * Math.cos(k * 0.13)) * 66);
              return `<rect x="${136 + k * 10.2}" y="${y + 50 - h / 2}" width="6" height="${h}" rx="3" fill="${color}"/>`;
            }).join("");
            return `<rect x="24" y="${y}" width="752" height="100" rx="12" fill="#191e29"/><circle cx="72" cy="${y + 50}" r="26" fill="none" stroke="${color}" stroke-width="7"/><path d="M72 ${y + 50} l12 -18" stroke="${color}" stroke-width="7" stroke-linecap="round"/>${wave}`;
          })
          .join(""),
        prints: [],
      }),
      await lying("🎙️", 800, 700, { height: 330 }),
    ],
  },

  // Livres et cours
  "le-rouge-gorge-du-canal": bookRecipe("sky", "corner", ["#f0e6d2", "#d9c6a2", "#8c3b33"], -5, {
    emoji: "🐦",
    x: 0,
    y: 10,
    height: 290,
  }),
  "contes-de-la-vieille-chouette": bookRecipe(
    "night",
    "table",
    ["#6a58a8", "#3f3175", "#ffe08a"],
    4,
    { emoji: "🦉", x: 0, y: 30, height: 310 },
    { emoji: "⭐", x: -132, y: -150, height: 52 },
    { emoji: "⭐", x: 126, y: -164, height: 38 },
  ),
  "les-echecs-pas-a-pas": bookRecipe("sage", "corner", ["#e9e4d8", "#c9c0ab", "#2b2f38"], -4, {
    emoji: "♟️",
    x: 0,
    y: 15,
    height: 320,
  }),
  "le-ciel-a-l-oeil-nu": bookRecipe(
    "lilac",
    "corner",
    ["#27356b", "#131b40", "#f5c86a"],
    5,
    { emoji: "🪐", x: 0, y: 30, width: 310 },
    { emoji: "✨", x: 110, y: -130, height: 80 },
  ),
  "meditations-guidees-du-soir": {
    tone: "rose",
    scene: "table",
    flat: () =>
      record({
        sleeve: ["#fbe9ee", "#c9a3cf"],
        label: "#e59ab4",
        content: `<circle cx="260" cy="230" r="170" fill="#fff4e3" opacity="0.7"/>${line(170, 452, 180, "#7b4f86", 16)}`,
        prints: [{ emoji: "🪷", x: 0, y: -20, width: 290 }],
      }),
  },
};

/** The objects of a recipe, in drawing order. */
export async function layersOf(recipe: Recipe, ground: number): Promise<Layer[]> {
  if ("flat" in recipe) return recipe.flat();
  if ("lying" in recipe) {
    return Promise.all(
      recipe.lying.map(({ emoji, x = 500, y = 500, ...look }) => lying(emoji, x, y, look)),
    );
  }
  return Promise.all(
    recipe.standing.map(({ emoji, x = 500, y = ground, ...look }) => standing(emoji, x, y, look)),
  );
}
