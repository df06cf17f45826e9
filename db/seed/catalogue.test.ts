import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { chipColor } from "@/components/ui/chip-color";
import { categorySeeds, productSeeds, tagSeeds } from "@/db/seed/catalogue";
import { picturesOf } from "@/db/seed/pictures";
import { referencesOf } from "@/db/seed/references";
import { typeset } from "@/db/seed/typography";
import { isGtin } from "@/lib/catalogue/gtin";

/** The pictures below `public/images` that show no product. */
const SHOP_PICTURES = new Set(["home-still-life.webp", "placeholder.webp"]);
const IMAGES = join(import.meta.dirname, "../../public/images");

/** An ordinary space before : ; ! ? or within « », a straight apostrophe, two spaces. */
const WRONG_TYPOGRAPHY = / [:;!?»]|« |'| {2}/;

const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

const ofProducts = <Value>(read: (product: (typeof productSeeds)[number]) => readonly Value[]) =>
  productSeeds.flatMap((product) => read(product));

test("the shop has sixty products of both kinds, in eight categories, with twelve tags", () => {
  expect(productSeeds).toHaveLength(60);
  expect(categorySeeds).toHaveLength(8);
  expect(tagSeeds).toHaveLength(12);
  const physical = productSeeds.filter(({ type }) => type === "physical").length;
  expect(Math.abs(physical - 30)).toBeLessThanOrEqual(3);
  for (const { key } of categorySeeds) {
    const own = productSeeds.filter(({ categories }) => categories.includes(key));
    expect(new Set(own.map(({ type }) => type)).size, key).toBe(2);
  }
  for (const { key } of tagSeeds)
    expect(productSeeds.filter(({ tags }) => tags.includes(key)).length, key).toBeGreaterThan(2);
});

test("names, slugs, pictures, descriptions, references and barcodes are unique", () => {
  const references = productSeeds.map(({ categories, type }, place) =>
    referencesOf({ category: categories[0], type, place }),
  );
  const gtins = references.flatMap(({ gtin }) => gtin ?? []);
  for (const texts of [
    ofProducts(({ slug }) => [slug]),
    ofProducts(({ name }) => [name.toLowerCase()]),
    ofProducts(({ pictures }) => pictures.map(({ file }) => file)),
    ofProducts(({ description }) => [description]),
    [...categorySeeds, ...tagSeeds].map(({ name }) => name),
    references.map(({ sku }) => sku),
    gtins,
  ])
    expect(repeated(texts)).toEqual([]);
  // No company owns these barcodes.
  expect(gtins.filter((gtin) => !isGtin(gtin) || !gtin.startsWith("200"))).toEqual([]);
  expect(gtins).toHaveLength(productSeeds.filter(({ type }) => type === "physical").length);
});

test("labels, prices and texts of every product are as a French shop writes them", () => {
  for (const { slug, name, description, categories, tags, ...product } of productSeeds) {
    expect(categories.length, slug).toBeLessThanOrEqual(3);
    expect(tags.length, slug).toBeLessThanOrEqual(4);
    expect(repeated([...categories, ...tags]), slug).toEqual([]);
    expect(Number.isInteger(product.priceCents), slug).toBe(true);
    expect(product.priceCents, slug).toBeGreaterThanOrEqual(200);
    expect(product.priceCents, slug).toBeLessThanOrEqual(30_000);
    expect([2000, 1000, 550, 210], slug).toContain(product.vatRateBp);
    const sentences = description.split(/(?<=[.!?])\s/u);
    expect(sentences.length, slug).toBeGreaterThanOrEqual(2);
    expect(sentences.length, slug).toBeLessThanOrEqual(4);
    expect(`${name} ${description}`, slug).not.toMatch(WRONG_TYPOGRAPHY);
  }
});

test("digital products have a file, books the reduced rate; physical ones have characteristics", () => {
  for (const product of productSeeds)
    if (product.type === "digital") {
      expect(product.fileSizeKb, product.slug).toBeGreaterThan(0);
      expect(product.fileType, product.slug).toMatch(/^[A-Z0-9]{3,4}$/);
      expect(product.downloadLink, product.slug).toMatch(
        /^(\/downloads\/|https:\/\/).+\.[a-z0-9]+$/,
      );
      expect(product.vatRateBp, product.slug).toBe(product.fileType === "EPUB" ? 550 : 2000);
    } else {
      expect(product.characteristics.length, product.slug).toBeGreaterThanOrEqual(3);
      expect(repeated(product.characteristics.map(({ name }) => name)), product.slug).toEqual([]);
      for (const { name, value } of product.characteristics)
        expect(`${name} ${value}`, product.slug).toMatch(/\S+ \S+/);
    }
});

test("creation dates spread over a year, two are unknown", () => {
  const ages = ofProducts(({ daysAgo }) => (daysAgo === null ? [] : [daysAgo]));
  expect(productSeeds.length - ages.length).toBe(2);
  expect(Math.min(...ages)).toBeLessThan(14);
  expect(Math.max(...ages)).toBeGreaterThan(360);
  expect(new Set(ages).size).toBe(ages.length);
});

test("typeset puts the right spaces where French wants them", () => {
  expect(typeset("C'est « beau » : vraiment ! Oui ; non ?")).toBe(
    "C’est «\u00a0beau\u00a0»\u00a0: vraiment\u202f! Oui\u202f; non\u202f?",
  );
  expect(typeset("192 pages de 100 g, 14 × 21 cm, 3 garçons, 20 % de 5 mètres")).toBe(
    "192 pages de 100\u00a0g, 14\u00a0×\u00a021\u00a0cm, 3 garçons, 20\u00a0% de 5 mètres",
  );
});

test("white text is readable on every colour, so that chips keep it", () => {
  for (const { name, color } of [...categorySeeds, ...tagSeeds]) {
    const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    expect(chipColor(color), name).toBe(`rgb(${parts.join(" ")})`);
  }
});

test("every picture has its product, at least 800 pixels and a text, and is light", async () => {
  const files = readdirSync(IMAGES).filter((name) => !SHOP_PICTURES.has(name));
  const pictures = ofProducts(({ slug }) => picturesOf(slug));
  expect(pictures.map(({ file }) => file).sort()).toEqual(files.sort());
  const sizeOf = (file: string) => statSync(join(IMAGES, file)).size;
  for (const { slug } of productSeeds) {
    const [first, ...further] = picturesOf(slug);
    const { format, width, height } = await sharp(join(IMAGES, first.file)).metadata();
    expect(format, slug).toBe("webp");
    expect(Math.min(width, height), slug).toBeGreaterThanOrEqual(800);
    expect(sizeOf(first.file), slug).toBeLessThan(60_000);
    expect(repeated(further.map(({ alt }) => alt)), slug).toEqual([]);
    for (const { file, alt } of further) {
      expect(alt, slug).toMatch(/^\p{Lu}.{10,}[^.]$/u);
      expect(alt, slug).not.toMatch(WRONG_TYPOGRAPHY);
      expect(sizeOf(file), file).toBeLessThan(80_000);
    }
  }
  const sizes = readdirSync(IMAGES).map(sizeOf);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000);
});
