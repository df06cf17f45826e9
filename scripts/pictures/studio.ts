import { existsSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";

/** Side of a square product picture, in pixels. */
export const SIDE = 1000;

const ASSETS = join(import.meta.dirname, "../../node_modules/@lobehub/fluent-emoji-3d/assets");
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

/** A drawn thing with a transparent background, and where its top left corner stands. */
export interface Layer {
  png: Buffer;
  left: number;
  top: number;
}

/** How one object of the picture set is shown. */
export interface Look {
  /** pixels of its visible part; the other dimension follows */
  height?: number;
  width?: number;
  /** degrees, clockwise */
  rotate?: number;
  flip?: boolean;
  /** degrees on the colour wheel */
  hue?: number;
  saturation?: number;
  brightness?: number;
}

function assetPath(emoji: string): string {
  const code = Array.from(emoji, (c) => (c.codePointAt(0) ?? 0).toString(16)).join("-");
  const bare = code.replaceAll("-fe0f", "");
  const path = [code, bare, `${bare}-fe0f`]
    .map((name) => join(ASSETS, `${name}.webp`))
    .find((candidate) => existsSync(candidate));
  if (!path) throw new Error(`The picture set has no ${emoji} (${code}).`);
  return path;
}

/**
 * One object of the set, cut to its visible part. The originals are 256 px wide: enlarged, their
 * outline blurs while their surfaces stay smooth, so it is the transparency that is made steeper.
 */
async function loadObject(emoji: string, look: Look = {}): Promise<Sharp> {
  const trimmed = await sharp(assetPath(emoji)).trim({ threshold: 8 }).png().toBuffer();
  let image = sharp(trimmed);
  if (look.flip) image = image.flop();
  if (look.hue || look.saturation || look.brightness) {
    image = image.modulate({
      hue: look.hue ?? 0,
      saturation: look.saturation ?? 1,
      brightness: look.brightness ?? 1,
    });
  }
  const enlarged = await image
    .resize({ width: look.width, height: look.height, kernel: "lanczos3" })
    .sharpen({ sigma: 1, m1: 0.3, m2: 0.6 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = enlarged.data;
  for (let i = 3; i < pixels.length; i += 4) {
    const alpha = pixels[i] ?? 0;
    pixels[i] = Math.max(0, Math.min(255, Math.round((alpha - 138) * 1.9 + 128)));
  }
  const { width, height } = enlarged.info;
  const steep = sharp(pixels, { raw: { width, height, channels: 4 } });
  if (!look.rotate) return steep;
  const turned = await steep.rotate(look.rotate, { background: TRANSPARENT }).png().toBuffer();
  return sharp(turned).trim({ threshold: 4 });
}

/** An object whose middle of the lower edge stands at (x, y). */
export async function standing(emoji: string, x: number, y: number, look: Look): Promise<Layer> {
  const { data, info } = await (await loadObject(emoji, look))
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, left: Math.round(x - info.width / 2), top: Math.round(y - info.height) };
}

/** An object whose centre lies at (x, y). */
export async function lying(emoji: string, x: number, y: number, look: Look): Promise<Layer> {
  const { data, info } = await (await loadObject(emoji, look))
    .png()
    .toBuffer({ resolveWithObject: true });
  return {
    png: data,
    left: Math.round(x - info.width / 2),
    top: Math.round(y - info.height / 2),
  };
}

/** Several layers on one transparent sheet, turned as a whole around its centre. */
export async function flatten(
  layers: readonly Layer[],
  size: { width: number; height: number },
  rotate = 0,
): Promise<Layer> {
  const sheet = await sharp({
    create: { ...size, channels: 4, background: TRANSPARENT },
  })
    .composite(layers.map(({ png, left, top }) => ({ input: png, left, top })))
    .png()
    .toBuffer();
  if (rotate === 0) return { png: sheet, left: 0, top: 0 };
  const turned = await sharp(sheet).rotate(rotate, { background: TRANSPARENT }).png().toBuffer();
  const { width, height } = await sharp(turned).metadata();
  const png = await sharp(turned)
    .extract({
      left: Math.round((width - size.width) / 2),
      top: Math.round((height - size.height) / 2),
      ...size,
    })
    .png()
    .toBuffer();
  return { png, left: 0, top: 0 };
}

export function drawing(body: string, width = SIDE, height = SIDE): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`,
  );
}

interface Shade {
  dx?: number;
  dy: number;
  blur: number;
  opacity: number;
  color: string;
}

/** The blurred silhouette of a layer. */
async function shadeOf(
  layer: Layer,
  size: { width: number; height: number },
  { dx = 0, dy, blur, opacity, color }: Shade,
): Promise<Layer> {
  const { png } = await flatten([layer], size);
  // In two steps: in one, sharp would apply the factor before it takes the channel out, to colours.
  const shape = await sharp(png).extractChannel(3).raw().toBuffer();
  const alpha = await sharp(shape, { raw: { ...size, channels: 1 } })
    .linear(opacity, 0)
    .blur(blur)
    .extractChannel(0)
    .raw()
    .toBuffer();
  const silhouette = await sharp({
    create: { ...size, channels: 3, background: color },
  })
    .joinChannel(alpha, { raw: { ...size, channels: 1 } })
    .png()
    .toBuffer();
  return { png: silhouette, left: dx, top: dy };
}

/** A flat thing seen from above: a wide soft shadow and a narrow dark one. */
export async function withDropShadow(
  layer: Layer,
  color: string,
  size = { width: SIDE, height: SIDE },
): Promise<Layer[]> {
  return [
    await shadeOf(layer, size, { dx: 6, dy: 34, blur: 30, opacity: 0.5, color }),
    await shadeOf(layer, size, { dx: 2, dy: 8, blur: 7, opacity: 0.34, color }),
    layer,
  ];
}

/** A thing that stands: its weight darkens the ground below it, the light comes from the left. */
export async function withGroundShadow(
  layer: Layer,
  color: string,
  size = { width: SIDE, height: SIDE },
): Promise<Layer[]> {
  const { width, height } = await sharp(layer.png).metadata();
  const x = layer.left + width / 2;
  const y = layer.top + height;
  const ground = (rx: number, ry: number, dx: number, opacity: number, blur: number) =>
    sharp(
      drawing(
        `<ellipse cx="${x + dx}" cy="${y - ry * 0.55}" rx="${rx}" ry="${ry}" fill="${color}" opacity="${opacity}"/>`,
        size.width,
        size.height,
      ),
    )
      .blur(blur)
      .png()
      .toBuffer();
  return [
    {
      png: await ground(width * 0.52, Math.max(16, width * 0.085), width * 0.1, 0.3, 20),
      left: 0,
      top: 0,
    },
    {
      png: await ground(width * 0.36, Math.max(9, width * 0.04), width * 0.02, 0.42, 8),
      left: 0,
      top: 0,
    },
    await shadeOf(layer, size, { dx: 30, dy: 16, blur: 34, opacity: 0.2, color }),
    layer,
  ];
}

/** All layers over a background. */
export async function compose(background: Buffer, layers: readonly Layer[]): Promise<Sharp> {
  const png = await sharp(background)
    .composite(layers.map(({ png, left, top }) => ({ input: png, left, top })))
    .png()
    .toBuffer();
  return sharp(png);
}
