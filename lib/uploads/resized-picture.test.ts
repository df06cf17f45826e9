import { expect, test } from "@playwright/test";
import {
  isResizable,
  isResizedPictureQuery,
  pictureAttributes,
  resizedUrl,
} from "./resized-picture";

const queryOf = (url: string) => `?url=${encodeURIComponent(url)}&w=640&q=75`;

test("the pages' own URL of a resized picture is accepted", () => {
  for (const path of ["/images/carnet.webp", "/images/été à la mer (2).jpg", "/images/a/b.png"]) {
    expect(isResizable(path), path).toBe(true);
    expect(isResizedPictureQuery(queryOf(path)), path).toBe(true);
    const { search } = new URL(resizedUrl(path, 640), "http://shop.test");
    expect(isResizedPictureQuery(search), path).toBe(true);
  }
});

test("other spellings are refused", () => {
  for (const path of [
    "/images/%63arnet.webp",
    "/images/./carnet.webp",
    "/images/x/../carnet.webp",
    "/images/..",
    "/images//carnet.webp",
    "/images/",
    "/images",
    "/images/carnet.webp#1",
    "/images/carnet.webp?1",
    "/images/carnet.webp%00",
    "/images/carnet.webp\0",
    "/images/%E0%A4%A.webp",
    "/images\\carnet.webp",
    "/carnet.webp",
    "https://exemple.fr/images/carnet.webp",
  ]) {
    expect(isResizable(path), path).toBe(false);
    expect(isResizedPictureQuery(queryOf(path)), path).toBe(false);
  }
  for (const query of [
    "",
    "?url=/images/carnet.webp&w=640&q=75",
    "?url=%2fimages%2fcarnet.webp&w=640&q=75",
    "?url=%2Fimages%2F%63arnet.webp&w=640&q=75",
    "?url=%2Fimages%2Fcarnet.webp&w=0640&q=75",
    "?url=%2Fimages%2Fcarnet.webp&w=640&q=075",
    "?url=%2Fimages%2Fcarnet.webp&w=640&q=75&a=1",
    "?w=640&url=%2Fimages%2Fcarnet.webp&q=75",
    "?url=%2Fimages%2F%E0%A4%A.webp&w=640&q=75",
  ])
    expect(isResizedPictureQuery(query), query).toBe(false);
});

test("the browser gets the widths that its screen may need, and no others", () => {
  const src = "/images/carnet.webp";
  const widthsOf = (sizes: string, widest: number) => {
    const attributes = pictureAttributes({ src, sizes, widest });
    expect(attributes.src).toBe(resizedUrl(src, widest));
    return (attributes.srcSet ?? "")
      .split(", ")
      .map((candidate) => Number(/ (\d+)w$/.exec(candidate)?.[1]));
  };
  expect(widthsOf("(min-width: 1280px) 300px, 45vw", 640)).toEqual([192, 288, 360, 640]);
  expect(widthsOf("96px", 288)).toEqual([96, 192, 288]);
  expect(widthsOf("100vw", 1080)).toEqual([360, 640, 828, 1080]);
});

test("a picture of another site has its own URL only", () => {
  const src = "https://exemple.fr/carnet.webp";
  expect(pictureAttributes({ src, sizes: "96px", widest: 288 })).toEqual({ src });
});
