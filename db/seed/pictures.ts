import { typeset } from "./typography";

/** A picture of a product: a bare file name below `public/images`, and what it shows. */
export interface PictureSeed {
  file: string;
  /** Empty where the product's name says enough. */
  alt: string;
}

/** The pictures after the first one, by the product's slug: `{slug}-{view}.webp`. */
const FURTHER_VIEWS: Readonly<Record<string, readonly { view: string; alt: string }[]>> = {};

/** The pictures of a product, the first one first. */
export const picturesOf = (slug: string): readonly [PictureSeed, ...PictureSeed[]] => [
  { file: `${slug}.webp`, alt: "" },
  ...(FURTHER_VIEWS[slug] ?? []).map(({ view, alt }) => ({
    file: `${slug}-${view}.webp`,
    alt: typeset(alt),
  })),
];
