import { drawing, SIDE } from "./studio";

/** The colours of one background. */
export interface Tone {
  wall: readonly [light: string, dark: string];
  floor: readonly [light: string, dark: string];
  /** the shape behind the object */
  shape: string;
  shadow: string;
}

export const tones = {
  sky: {
    wall: ["#eaf2fb", "#cfe0f3"],
    floor: ["#dde9f6", "#c3d6ec"],
    shape: "#b9d2ee",
    shadow: "#1d3557",
  },
  lilac: {
    wall: ["#f2eefb", "#ddd5f3"],
    floor: ["#e8e1f7", "#d2c7ec"],
    shape: "#cdbff0",
    shadow: "#33265c",
  },
  rose: {
    wall: ["#fcf0f1", "#f6d9dd"],
    floor: ["#f9e4e7", "#efccd2"],
    shape: "#f2c1ca",
    shadow: "#5c2430",
  },
  peach: {
    wall: ["#fdf3ea", "#fae0cb"],
    floor: ["#fbe9d9", "#f3d3b8"],
    shape: "#f7cda9",
    shadow: "#5a3315",
  },
  sand: {
    wall: ["#f8f4ec", "#ebe1d0"],
    floor: ["#f1e9db", "#e0d3bd"],
    shape: "#e2d0b0",
    shadow: "#4a3a20",
  },
  butter: {
    wall: ["#fef8e6", "#fbecc0"],
    floor: ["#fcf1d2", "#f3e0aa"],
    shape: "#f8dd8f",
    shadow: "#57430d",
  },
  sage: {
    wall: ["#f0f5ec", "#d8e6d0"],
    floor: ["#e5eedd", "#cadcbf"],
    shape: "#c0d8b1",
    shadow: "#25402a",
  },
  mint: {
    wall: ["#eaf6f1", "#cce8dd"],
    floor: ["#dcf0e7", "#bddfd1"],
    shape: "#addccb",
    shadow: "#14453a",
  },
  aqua: {
    wall: ["#e8f6f8", "#c8e6ec"],
    floor: ["#d9eff3", "#b8dbe3"],
    shape: "#a6d9e3",
    shadow: "#123f4a",
  },
  mist: {
    wall: ["#f3f5f7", "#dde2e8"],
    floor: ["#e9edf1", "#cfd6de"],
    shape: "#cbd4de",
    shadow: "#232f3d",
  },
  night: {
    wall: ["#3b4a78", "#232c52"],
    floor: ["#33406b", "#1c2444"],
    shape: "#4d5f97",
    shadow: "#0a0f24",
  },
} as const satisfies Record<string, Tone>;

export type ToneName = keyof typeof tones;
export type Scene = "sun" | "arch" | "podium" | "steps" | "table" | "corner" | "hills";

/** Where the feet of an object stand, per scene (pixels from the top). */
export const GROUND: Record<Scene, number> = {
  sun: 812,
  arch: 815,
  podium: 742,
  steps: 740,
  table: 520,
  corner: 520,
  hills: 815,
};

const HORIZON = 705;

function base({ wall, floor }: Tone, withFloor: boolean): string {
  const ground = withFloor
    ? `<rect y="${HORIZON}" width="${SIDE}" height="${SIDE - HORIZON}" fill="url(#floor)"/>
       <rect y="${HORIZON}" width="${SIDE}" height="60" fill="url(#seam)"/>`
    : "";
  return `<defs>
    <radialGradient id="wall" cx="0.32" cy="0.22" r="1"><stop offset="0" stop-color="${wall[0]}"/><stop offset="1" stop-color="${wall[1]}"/></radialGradient>
    <linearGradient id="floor" x1="0" y1="0" x2="0.3" y2="1"><stop offset="0" stop-color="${floor[0]}"/><stop offset="1" stop-color="${floor[1]}"/></linearGradient>
    <linearGradient id="seam" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${floor[1]}" stop-opacity="0.75"/><stop offset="1" stop-color="${floor[1]}" stop-opacity="0"/></linearGradient>
  </defs><rect width="${SIDE}" height="${SIDE}" fill="url(#wall)"/>${ground}`;
}

/** A round plinth whose upper face's centre is (x, y). */
export function plinth(tone: Tone, x: number, y: number, rx: number, height: number): string {
  const ry = rx * 0.2;
  const id = `plinth${x}`;
  return `<defs>
    <linearGradient id="${id}" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="${tone.floor[0]}"/><stop offset="0.3" stop-color="${tone.wall[0]}"/><stop offset="1" stop-color="${tone.shape}"/></linearGradient>
    <linearGradient id="${id}top" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="${tone.wall[0]}"/></linearGradient>
    <radialGradient id="${id}ground"><stop offset="0.7" stop-color="${tone.shadow}" stop-opacity="0.2"/><stop offset="1" stop-color="${tone.shadow}" stop-opacity="0"/></radialGradient>
  </defs>
  <ellipse cx="${x + 22}" cy="${y + height + 8}" rx="${rx * 1.17}" ry="${ry * 1.45}" fill="url(#${id}ground)"/>
  <path d="M${x - rx} ${y} v${height} a${rx} ${ry} 0 0 0 ${rx * 2} 0 v${-height} z" fill="url(#${id})"/>
  <ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="url(#${id}top)"/>`;
}

export function backdrop(tone: Tone, scene: Scene): Buffer {
  const { shape, wall, floor } = tone;
  switch (scene) {
    case "sun":
      return drawing(`${base(tone, true)}
        <clipPath id="above"><rect width="${SIDE}" height="${HORIZON}"/></clipPath>
        <circle cx="500" cy="500" r="345" fill="${shape}" opacity="0.62" clip-path="url(#above)"/>`);
    case "arch":
      return drawing(`${base(tone, true)}
        <defs><linearGradient id="niche" x1="0" y1="0" x2="1" y2="0.6"><stop offset="0" stop-color="${shape}"/><stop offset="1" stop-color="${floor[0]}"/></linearGradient></defs>
        <path d="M205 ${HORIZON} V420 a295 295 0 0 1 590 0 V${HORIZON} z" fill="url(#niche)" opacity="0.85"/>
        <path d="M205 ${HORIZON} V420 a295 295 0 0 1 590 0" fill="none" stroke="${wall[0]}" stroke-width="10" opacity="0.8"/>`);
    case "podium":
      return drawing(`${base(tone, true)}
        <clipPath id="above"><rect width="${SIDE}" height="${HORIZON}"/></clipPath>
        <circle cx="640" cy="395" r="285" fill="${shape}" opacity="0.5" clip-path="url(#above)"/>
        ${plinth(tone, 500, 745, 345, 95)}`);
    case "steps":
      return drawing(`${base(tone, true)}
        <clipPath id="above"><rect width="${SIDE}" height="${HORIZON}"/></clipPath>
        <circle cx="300" cy="330" r="190" fill="${shape}" opacity="0.5" clip-path="url(#above)"/>
        ${plinth(tone, 730, 640, 170, 190)}${plinth(tone, 395, 745, 275, 95)}`);
    case "hills":
      return drawing(`${base(tone, false)}
        <circle cx="735" cy="270" r="120" fill="#ffffff" opacity="0.55"/>
        <path d="M0 600 C180 500 330 520 520 620 S850 640 1000 540 V1000 H0 z" fill="${shape}" opacity="0.55"/>
        <path d="M0 715 C260 640 480 690 700 725 S920 720 1000 690 V1000 H0 z" fill="url(#floor)"/>`);
    case "table":
      return drawing(`${base(tone, false)}
        <circle cx="170" cy="850" r="330" fill="${shape}" opacity="0.42"/>
        <circle cx="900" cy="120" r="230" fill="${shape}" opacity="0.34"/>`);
    case "corner":
      return drawing(`${base(tone, false)}
        <path d="M0 640 L1000 300 V1000 H0 z" fill="${shape}" opacity="0.42"/>
        <path d="M0 640 L1000 300" stroke="#ffffff" stroke-width="6" opacity="0.6"/>`);
  }
}
