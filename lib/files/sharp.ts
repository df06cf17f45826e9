import sharp from "sharp";

// libvips's cache would take some 50 MiB without use. No picture is made twice: callers keep what the shop
// draws, and Next.js keeps what it resizes in its own cache.
sharp.cache(false);

export type { OverlayOptions, Sharp } from "sharp";
export { sharp };
