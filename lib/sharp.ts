import sharp from "sharp";

// No picture is made twice: what the shop draws is kept by those who ask for it, and what Next.js resizes
// it keeps in its own cache. libvips would hold some 50 MiB of both in the hope of a second time.
sharp.cache(false);

export type { OverlayOptions, Sharp } from "sharp";
export { sharp };
