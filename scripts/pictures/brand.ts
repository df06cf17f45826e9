import sharp from "sharp";

const GREEN = "#14594a";
const LEAF = "#0c4337";
const PAPER = "#ffffff";

/** The mark: a shopping bag that carries an m; 512 × 512, drawn within the middle 320. */
const BAG = `
  <path d="M196 196 v-22 a60 60 0 0 1 120 0 v22" fill="none" stroke="${PAPER}" stroke-width="26" stroke-linecap="round"/>
  <path d="M142 186 h228 a18 18 0 0 1 18 16.600 l15 178 a40 40 0 0 1 -40 43.400 h-214 a40 40 0 0 1 -40 -43.400 l15 -178 a18 18 0 0 1 18 -16.600 z" fill="${PAPER}"/>
  <path d="M186 372 v-84 m0 32 a35 35 0 0 1 70 0 v52 m0 -52 a35 35 0 0 1 70 0 v52" fill="none" stroke="${GREEN}" stroke-width="30" stroke-linecap="round" stroke-linejoin="round"/>`;

function markSvg({ radius, scale = 1 }: { radius: number; scale?: number }): string {
  const shift = 256 - 256 * scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512">
  <defs><linearGradient id="green" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#1c6d5b"/><stop offset="0.55" stop-color="${GREEN}"/><stop offset="1" stop-color="${LEAF}"/></linearGradient></defs>
  <rect width="512" height="512" rx="${radius}" fill="url(#green)"/>
  <g transform="translate(${shift} ${shift - 10}) scale(${scale})">${BAG}
  </g>
</svg>
`;
}

async function png(svg: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: 288 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: false })
    .toBuffer();
}

/** The ICO container: a header, one directory entry per picture, then the PNG files themselves. */
function ico(pictures: readonly { size: number; bytes: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [i, { size, bytes }] of pictures.entries()) {
    const entry = 6 + 16 * i;
    header.writeUInt8(size, entry);
    header.writeUInt8(size, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(bytes.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += bytes.length;
  }
  return Buffer.concat([header, ...pictures.map(({ bytes }) => bytes)]);
}

/** File name and bytes of every icon. */
export async function brandIcons(): Promise<Record<string, Buffer>> {
  const rounded = markSvg({ radius: 112, scale: 1.1 });
  // Systems that cut the picture to a circle keep its middle 80 %; the iPhone rounds it itself.
  const fullBleed = markSvg({ radius: 0, scale: 0.98 });
  const small = [16, 32, 48];
  return {
    "icon.svg": Buffer.from(rounded),
    "icon-192.png": await png(rounded, 192),
    "icon-512.png": await png(rounded, 512),
    "icon-maskable-192.png": await png(fullBleed, 192),
    "icon-maskable-512.png": await png(fullBleed, 512),
    "apple-touch-icon.png": await png(markSvg({ radius: 0, scale: 1.1 }), 180),
    "favicon.ico": ico(
      await Promise.all(small.map(async (size) => ({ size, bytes: await png(rounded, size) }))),
    ),
  };
}

/** What stands for a product without a picture: the mark, pale, on a neutral ground. */
export async function placeholderPicture(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000" width="1000" height="1000">
    <defs><radialGradient id="ground" cx="0.35" cy="0.25" r="1"><stop offset="0" stop-color="#f7f8f5"/><stop offset="1" stop-color="#e6eae4"/></radialGradient></defs>
    <rect width="1000" height="1000" fill="url(#ground)"/>
    <circle cx="500" cy="500" r="290" fill="#dfe5de"/>
    <g transform="translate(244 226)" opacity="0.95">${BAG.replaceAll(GREEN, "#b9c5bd")}</g>
  </svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().webp({ quality: 82, effort: 6 }).toBuffer();
}
