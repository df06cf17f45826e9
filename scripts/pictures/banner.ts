import sharp from "sharp";
import { plinth, tones } from "./scenery";
import { drawing, type Layer, standing, withGroundShadow } from "./studio";

const TONE = {
  ...tones.mint,
  wall: ["#f3faf6", "#d9ece3"],
  floor: ["#e2f0e9", "#c3ddd1"],
  shape: "#a9cfbf",
} as const;

/** The still life's own size; its feet stand 60 pixels above the lower edge. */
const STAGE = { width: 1240, height: 800 };

async function stillLife(): Promise<Layer[]> {
  const { width, height } = STAGE;
  const scenery = await sharp(
    drawing(
      `<defs><linearGradient id="niche" x1="0" y1="0" x2="0.8" y2="1"><stop offset="0" stop-color="#a9d2c1"/><stop offset="1" stop-color="#dcefe6"/></linearGradient></defs>
      <path d="M400 690 V300 a235 235 0 0 1 470 0 V690 z" fill="url(#niche)"/>
      <circle cx="985" cy="190" r="105" fill="#f6c98f" opacity="0.75"/>
      <circle cx="245" cy="235" r="70" fill="#f2b8bd" opacity="0.6"/>
      ${plinth(TONE, 275, 480, 165, 230)}
      ${plinth(TONE, 975, 420, 165, 285)}
      ${plinth(TONE, 630, 590, 265, 130)}`,
      width,
      height,
    ),
  )
    .png()
    .toBuffer();
  const objects = [
    await standing("🪴", 630, 600, { height: 400 }),
    await standing("📷", 275, 500, { height: 178 }),
    await standing("🎻", 975, 440, { height: 320, rotate: -22 }),
    await standing("🫖", 490, 655, { height: 215 }),
    await standing("📔", 790, 655, { height: 225, rotate: 8 }),
    await standing("🧶", 975, 755, { height: 195, hue: 160 }),
    await standing("🧸", 270, 758, { height: 240 }),
    await standing("🎧", 655, 765, { height: 165 }),
  ];
  const layers: Layer[] = [{ png: scenery, left: 0, top: 0 }];
  for (const object of objects)
    layers.push(...(await withGroundShadow(object, TONE.shadow, STAGE)));
  return layers;
}

/** The home page's banner picture: transparent around, to lay on any light background. */
export async function stillLifePicture(): Promise<Buffer> {
  const layers = await stillLife();
  const picture = await sharp({
    create: { ...STAGE, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .composite(layers.map(({ png, left, top }) => ({ input: png, left, top })))
    .png()
    .toBuffer();
  return sharp(picture).webp({ quality: 82, alphaQuality: 90, effort: 6 }).toBuffer();
}
