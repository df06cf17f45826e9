import sharp from "sharp";
import { drawing, flatten, type Layer, type Look, lying, SIDE } from "./studio";

/** An object printed on something: its centre, relative to the thing it is printed on. */
export interface Print extends Look {
  emoji: string;
  x: number;
  y: number;
}

const FULL = { width: SIDE, height: SIDE };

async function printed(prints: readonly Print[], left: number, top: number): Promise<Layer[]> {
  return Promise.all(
    prints.map(({ emoji, x, y, ...look }) => lying(emoji, left + x, top + y, look)),
  );
}

async function drawn(body: string): Promise<Layer> {
  return { png: await sharp(drawing(body)).png().toBuffer(), left: 0, top: 0 };
}

/** Keeps what lies inside a rounded rectangle. */
async function clipped(
  layer: Layer,
  box: { x: number; y: number; width: number; height: number; radius: number },
): Promise<Layer> {
  const mask = drawing(
    `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="${box.radius}" fill="#fff"/>`,
  );
  const png = await sharp(layer.png)
    .composite([{ input: mask, blend: "dest-in" }])
    .png()
    .toBuffer();
  return { ...layer, png };
}

/** A book, 500 × 680, for the electronic ones too: a cover is what readers look for. */
export async function book({
  cover,
  prints,
  rotate = 0,
}: {
  cover: readonly [string, string, string];
  prints: readonly Print[];
  rotate?: number;
}): Promise<Layer> {
  const [light, dark, band] = cover;
  const x = 250;
  const y = 155;
  const body = await drawn(`
    <defs>
      <linearGradient id="cover" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient>
      <linearGradient id="spine" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#000" stop-opacity="0.28"/><stop offset="0.35" stop-color="#fff" stop-opacity="0.22"/><stop offset="0.7" stop-color="#000" stop-opacity="0.16"/><stop offset="1" stop-color="#000" stop-opacity="0"/></linearGradient>
      <linearGradient id="pages" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#f4efe4"/><stop offset="1" stop-color="#d9d0bd"/></linearGradient>
    </defs>
    <rect x="${x + 8}" y="${y + 10}" width="510" height="684" rx="10" fill="${dark}"/>
    <rect x="${x + 8}" y="${y + 6}" width="503" height="680" rx="6" fill="url(#pages)"/>
    ${[0, 1, 2].map((i) => `<path d="M${x + 502 + i * 3} ${y + 12} v668" stroke="#b8ad97" stroke-width="1" opacity="0.5"/>`).join("")}
    <rect x="${x}" y="${y}" width="500" height="680" rx="10" fill="url(#cover)"/>
    <rect x="${x}" y="${y}" width="62" height="680" rx="10" fill="url(#spine)"/>
    <rect x="${x + 92}" y="${y + 38}" width="370" height="604" rx="8" fill="none" stroke="${band}" stroke-width="4" opacity="0.85"/>
    <rect x="${x + 177}" y="${y + 92}" width="200" height="18" rx="9" fill="${band}"/>
    <rect x="${x + 137}" y="${y + 132}" width="280" height="18" rx="9" fill="${band}"/>
    <rect x="${x + 207}" y="${y + 584}" width="140" height="12" rx="6" fill="${band}" opacity="0.85"/>`);
  const front = await flatten([body, ...(await printed(prints, x + 277, y + 365))], FULL, rotate);
  return front;
}

/** A sheet of paper, 520 × 700, with what its drawing says, over two turned ones. */
export async function sheets({
  content,
  prints,
  rotate = 0,
  under = "#ffffff",
}: {
  content: string;
  prints: readonly Print[];
  rotate?: number;
  under?: string;
}): Promise<Layer[]> {
  const x = 240;
  const y = 150;
  const paper = (fill: string) => `
    <defs><linearGradient id="paper" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="${fill}"/></linearGradient></defs>
    <rect x="${x}" y="${y}" width="520" height="700" rx="8" fill="url(#paper)"/>`;
  const back = await flatten([await drawn(paper(under))], FULL, rotate + 7);
  const front = await flatten(
    [
      await drawn(`${paper("#f7f5f1")}<g transform="translate(${x} ${y})">${content}</g>`),
      ...(await printed(prints, x, y)),
    ],
    FULL,
    rotate,
  );
  return [back, front];
}

/** A video lesson: a player of 780 × 500 showing a subject. */
export async function player({
  screen,
  prints,
  progress,
  accent,
}: {
  screen: readonly [string, string];
  prints: readonly Print[];
  /** 0 to 1 */
  progress: number;
  accent: string;
}): Promise<Layer> {
  const box = { x: 110, y: 225, width: 780, height: 500, radius: 22 };
  const film = await drawn(`
    <defs><radialGradient id="screen" cx="0.35" cy="0.25" r="1"><stop offset="0" stop-color="${screen[0]}"/><stop offset="1" stop-color="${screen[1]}"/></radialGradient></defs>
    <rect x="110" y="225" width="780" height="500" fill="url(#screen)"/>
    <ellipse cx="500" cy="705" rx="520" ry="120" fill="#ffffff" opacity="0.22"/>`);
  const bar = 110 + 40;
  const controls = await drawn(`
    <defs><linearGradient id="veil" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0b1220" stop-opacity="0"/><stop offset="1" stop-color="#0b1220" stop-opacity="0.72"/></linearGradient></defs>
    <rect x="110" y="585" width="780" height="140" fill="url(#veil)"/>
    <rect x="${bar}" y="676" width="700" height="10" rx="5" fill="#ffffff" opacity="0.45"/>
    <rect x="${bar}" y="676" width="${Math.round(700 * progress)}" height="10" rx="5" fill="${accent}"/>
    <circle cx="${bar + Math.round(700 * progress)}" cy="681" r="14" fill="#ffffff"/>
    <circle cx="500" cy="475" r="78" fill="#ffffff" opacity="0.94"/>
    <path d="M477 431 v88 a6 6 0 0 0 9 5 l70 -44 a6 6 0 0 0 0 -10 l-70 -44 a6 6 0 0 0 -9 5 z" fill="${accent}"/>`);
  const inside = await flatten([film, ...(await printed(prints, 500, 475)), controls], FULL);
  const frame = await drawn(
    `<rect x="94" y="209" width="812" height="532" rx="34" fill="#1c2430"/>`,
  );
  return flatten([frame, await clipped(inside, box)], FULL);
}

/** A record sleeve of 520 × 520 with the disc half out. */
export async function record({
  sleeve,
  label,
  content,
  prints,
}: {
  sleeve: readonly [string, string];
  label: string;
  content: string;
  prints: readonly Print[];
}): Promise<Layer[]> {
  const disc = await drawn(`
    <defs><linearGradient id="vinyl" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#3a3d45"/><stop offset="0.5" stop-color="#15171c"/><stop offset="1" stop-color="#2b2e35"/></linearGradient></defs>
    <circle cx="640" cy="500" r="245" fill="url(#vinyl)"/>
    ${[225, 205, 185, 165, 145, 125].map((r) => `<circle cx="640" cy="500" r="${r}" fill="none" stroke="#5a5e68" stroke-width="1.5" opacity="0.5"/>`).join("")}
    <circle cx="640" cy="500" r="86" fill="${label}"/><circle cx="640" cy="500" r="13" fill="#f5f1ea"/>`);
  const box = { x: 110, y: 240, width: 520, height: 520, radius: 10 };
  const art = await flatten(
    [
      await drawn(`
        <defs><linearGradient id="art" x1="0" y1="0" x2="0.4" y2="1"><stop offset="0" stop-color="${sleeve[0]}"/><stop offset="1" stop-color="${sleeve[1]}"/></linearGradient></defs>
        <rect x="110" y="240" width="520" height="520" fill="url(#art)"/><g transform="translate(110 240)">${content}</g>`),
      ...(await printed(prints, 370, 500)),
    ],
    FULL,
  );
  return [disc, await clipped(art, box)];
}

/** A program's window of 800 × 560: title bar, then what its drawing and prints show. */
export async function programWindow({
  content,
  prints,
  dark = false,
}: {
  content: string;
  prints: readonly Print[];
  dark?: boolean;
}): Promise<Layer> {
  const box = { x: 100, y: 215, width: 800, height: 570, radius: 22 };
  const [pane, bar] = dark ? ["#232936", "#2f3747"] : ["#fbfbfc", "#e6e9ee"];
  const inside = await flatten(
    [
      await drawn(`
        <rect x="100" y="215" width="800" height="570" fill="${pane}"/>
        <rect x="100" y="215" width="800" height="58" fill="${bar}"/>
        <circle cx="138" cy="244" r="11" fill="#f2645a"/><circle cx="174" cy="244" r="11" fill="#f6bd4b"/><circle cx="210" cy="244" r="11" fill="#57c267"/>
        <g transform="translate(100 273)">${content}</g>`),
      ...(await printed(prints, 100, 273)),
    ],
    FULL,
  );
  return clipped(inside, box);
}

/** Instant prints lying on each other, 300 × 350 each, the last one on top. */
export async function photoPrints(
  photos: readonly {
    x: number;
    y: number;
    rotate: number;
    sky: readonly [string, string];
    content?: string;
    prints: readonly Print[];
  }[],
): Promise<Layer[]> {
  const layers: Layer[] = [];
  for (const { x, y, rotate, sky, content = "", prints } of photos) {
    const box = { x: 320, y: 280, width: 360, height: 345, radius: 4 };
    const picture = await clipped(
      await flatten(
        [
          await drawn(`
            <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>
            <rect x="320" y="280" width="360" height="345" fill="url(#sky)"/><g transform="translate(320 280)">${content}</g>`),
          ...(await printed(prints, 500, 452)),
        ],
        FULL,
      ),
      box,
    );
    const card = await drawn(
      `<rect x="296" y="256" width="408" height="480" rx="8" fill="#fffdfa"/>`,
    );
    const turned = await flatten([card, picture], FULL, rotate);
    layers.push({ ...turned, left: x - 500, top: y - 500 });
  }
  return layers;
}
