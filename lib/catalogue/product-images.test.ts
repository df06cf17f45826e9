import { expect, test } from "@playwright/test";
import { columnsOfImages, imagesAfter, imagesOf } from "./product-images";

const front = { url: "face.webp", alt: "De face" };
const side = { url: "cote.webp", alt: "De côté" };
const used = { url: "usage.webp", alt: "" };
const before = [front, side];

test("the first picture alone is replaced, and the others stay behind it", () => {
  expect(imagesAfter({ before, image: "usage.webp" })).toEqual([used, side]);
  expect(imagesAfter({ before, image: "cote.webp" })).toEqual([side]);
  expect(imagesAfter({ before: [], image: "usage.webp" })).toEqual([used]);
});

test("without the first picture the next one is first", () => {
  expect(imagesAfter({ before, image: null })).toEqual([side]);
  expect(imagesAfter({ before: [front], image: null })).toEqual([]);
});

test("what is not sent, or sent back as it was, stays", () => {
  expect(imagesAfter({ before })).toBeUndefined();
  expect(imagesAfter({ before, image: "face.webp" })).toBeUndefined();
  expect(imagesAfter({ before, image: "face.webp", images: [front, side] })).toBeUndefined();
  expect(imagesAfter({ before: [], image: null })).toBeUndefined();
});

test("a changed list takes precedence over the first picture", () => {
  expect(imagesAfter({ before, images: [side, front] })).toEqual([side, front]);
  expect(imagesAfter({ before, image: "face.webp", images: [used] })).toEqual([used]);
  expect(imagesAfter({ before, image: "usage.webp", images: [side] })).toEqual([side]);
  expect(imagesAfter({ before, images: [] })).toEqual([]);
});

test("a client that sends back what it read may change the first picture alone", () => {
  expect(imagesAfter({ before, image: "usage.webp", images: [front, side] })).toEqual([used, side]);
});

test("pictures are read from the columns that they are written to", () => {
  for (const images of [[], [front], [front, side, used]])
    expect(imagesOf(columnsOfImages(images))).toEqual(images);
});
