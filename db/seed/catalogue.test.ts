import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { categorySeeds, productSeeds, tagSeeds } from "@/db/seed/catalogue";
import { picturesOf } from "@/db/seed/pictures";
import { typeset } from "@/db/seed/typography";

/** The pictures below `public/images` that show no product. */
const SHOP_PICTURES = new Set(["home-still-life.webp", "placeholder.webp"]);
const IMAGES = join(import.meta.dirname, "../../public/images");

const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

test("the shop has sixty products of both kinds, in eight categories, with twelve tags", () => {
  expect(productSeeds).toHaveLength(60);
  expect(categorySeeds).toHaveLength(8);
  expect(tagSeeds).toHaveLength(12);
  const physical = productSeeds.filter(({ type }) => type === "physical").length;
  expect(physical).toBeGreaterThanOrEqual(27);
  expect(physical).toBeLessThanOrEqual(33);
});

test("names, slugs, pictures and descriptions are unique", () => {
  expect(repeated(productSeeds.map(({ slug }) => slug))).toEqual([]);
  expect(repeated(productSeeds.map(({ name }) => name.toLowerCase()))).toEqual([]);
  expect(repeated(productSeeds.map(({ image }) => image))).toEqual([]);
  expect(repeated(productSeeds.map(({ description }) => description))).toEqual([]);
  expect(repeated([...categorySeeds, ...tagSeeds].map(({ name }) => name))).toEqual([]);
});

test("every product has one to three known categories and one to four known tags", () => {
  const categories = new Set<string>(categorySeeds.map(({ key }) => key));
  const tags = new Set<string>(tagSeeds.map(({ key }) => key));
  for (const product of productSeeds) {
    expect(product.categories.length, product.slug).toBeLessThanOrEqual(3);
    expect(product.tags.length, product.slug).toBeLessThanOrEqual(4);
    expect(repeated(product.categories), product.slug).toEqual([]);
    expect(repeated(product.tags), product.slug).toEqual([]);
    expect(product.categories.filter((key) => !categories.has(key))).toEqual([]);
    expect(product.tags.filter((key) => !tags.has(key))).toEqual([]);
  }
});

test("both kinds stand in every category, and every tag is used", () => {
  for (const { key } of categorySeeds) {
    const kinds = new Set(
      productSeeds.filter(({ categories }) => categories.includes(key)).map(({ type }) => type),
    );
    expect([...kinds].sort(), key).toEqual(["digital", "physical"]);
  }
  for (const { key } of tagSeeds) {
    const tagged = productSeeds.filter(({ tags }) => tags.includes(key));
    expect(tagged.length, key).toBeGreaterThanOrEqual(3);
  }
});

test("prices are whole cents as a shop writes them, with a French rate of VAT", () => {
  for (const { slug, priceCents, vatRateBp } of productSeeds) {
    expect(Number.isInteger(priceCents), slug).toBe(true);
    expect(priceCents, slug).toBeGreaterThanOrEqual(200);
    expect(priceCents, slug).toBeLessThanOrEqual(30_000);
    expect([2000, 1000, 550, 210], slug).toContain(vatRateBp);
  }
});

test("digital products have a file, books the reduced rate; physical ones have characteristics", () => {
  for (const product of productSeeds) {
    if (product.type === "digital") {
      expect(product.fileSizeKb, product.slug).toBeGreaterThan(0);
      expect(product.fileType, product.slug).toMatch(/^[A-Z0-9]{3,4}$/);
      expect(product.downloadLink, product.slug).toMatch(
        /^(\/downloads\/|https:\/\/).+\.[a-z0-9]+$/,
      );
      expect(product.vatRateBp, product.slug).toBe(product.fileType === "EPUB" ? 550 : 2000);
      expect(product).not.toHaveProperty("characteristics");
    } else {
      expect(product.characteristics.length, product.slug).toBeGreaterThanOrEqual(3);
      expect(repeated(product.characteristics.map(({ name }) => name)), product.slug).toEqual([]);
      for (const { name, value } of product.characteristics) {
        expect(`${name} ${value}`, product.slug).toMatch(/\S+ \S+/);
      }
      expect(product).not.toHaveProperty("downloadLink");
    }
  }
});

test("creation dates spread over a year, two are unknown", () => {
  const ages = productSeeds.flatMap(({ daysAgo }) => (daysAgo === null ? [] : [daysAgo]));
  expect(productSeeds.length - ages.length).toBe(2);
  expect(Math.min(...ages)).toBeLessThan(14);
  expect(Math.max(...ages)).toBeGreaterThan(360);
  expect(new Set(ages).size).toBe(ages.length);
});

test("texts are two to four sentences in correct typography", () => {
  for (const { slug, name, description } of productSeeds) {
    const sentences = description.split(/(?<=[.!?])\s/u);
    expect(sentences.length, slug).toBeGreaterThanOrEqual(2);
    expect(sentences.length, slug).toBeLessThanOrEqual(4);
    // No ordinary space before : ; ! ? or within « », no straight apostrophe.
    expect(`${name} ${description}`, slug).not.toMatch(/ [:;!?»]|« |'| {2}/);
  }
});

test("typeset puts the right spaces where French wants them", () => {
  expect(typeset("C'est « beau » : vraiment ! Oui ; non ?")).toBe(
    "C’est «\u00a0beau\u00a0»\u00a0: vraiment\u202f! Oui\u202f; non\u202f?",
  );
  expect(typeset("192 pages de 100 g, 14 × 21 cm, 3 garçons, 20 % de 5 mètres")).toBe(
    "192 pages de 100\u00a0g, 14\u00a0×\u00a021\u00a0cm, 3 garçons, 20\u00a0% de 5 mètres",
  );
});

test("white text is readable on every colour", () => {
  for (const { name, color } of [...categorySeeds, ...tagSeeds]) {
    expect(color, name).toMatch(/^#[0-9a-f]{6}$/);
    expect(contrastWithWhite(color), name).toBeGreaterThanOrEqual(4.5);
  }
});

/** WCAG 2.2 contrast ratio. */
function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

test("every product has its own picture, at least 800 pixels wide and light enough", async () => {
  for (const { image, slug } of productSeeds) {
    const path = join(IMAGES, image);
    expect(existsSync(path), slug).toBe(true);
    const { format, width, height } = await sharp(path).metadata();
    expect(format, slug).toBe("webp");
    expect(Math.min(width, height), slug).toBeGreaterThanOrEqual(800);
    expect(statSync(path).size, slug).toBeLessThan(60_000);
  }
});

test("a further picture has a file and a text, and a file has a product", () => {
  const files = readdirSync(IMAGES).filter((name) => !SHOP_PICTURES.has(name));
  const pictures = productSeeds.flatMap(({ slug }) => picturesOf(slug));
  expect(pictures.map(({ file }) => file).sort()).toEqual(files.sort());
  for (const { slug } of productSeeds) {
    const further = picturesOf(slug).slice(1);
    expect(repeated(further.map(({ alt }) => alt)), slug).toEqual([]);
    for (const { file, alt } of further) {
      expect(alt, slug).toMatch(/^\p{Lu}.{10,}[^.]$/u);
      expect(alt, slug).not.toMatch(/ [:;!?»]|« |'| {2}/);
      expect(statSync(join(IMAGES, file)).size, file).toBeLessThan(80_000);
    }
  }
});

test("all pictures together stay light", () => {
  const total = readdirSync(IMAGES)
    .map((name) => statSync(join(IMAGES, name)).size)
    .reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(6_000_000);
});
