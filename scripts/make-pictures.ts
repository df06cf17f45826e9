// Makes the shop's pictures and icons from the MIT-licensed Fluent Emoji set: the same input gives
// the same bytes. Run by hand (`npx tsx scripts/make-pictures.ts [slug …]`); the output is committed.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { productSeeds } from "@/db/seed/catalogue";
import { stillLifePicture } from "./pictures/banner";
import { brandIcons, placeholderPicture } from "./pictures/brand";
import { layersOf, recipes } from "./pictures/recipes";
import { backdrop, GROUND, tones } from "./pictures/scenery";
import { compose, type Layer, withDropShadow, withGroundShadow } from "./pictures/studio";

const PUBLIC = join(import.meta.dirname, "../public");

async function productPicture(slug: string): Promise<Buffer> {
  const recipe = recipes[slug];
  if (!recipe) throw new Error(`No recipe for the picture of ${slug}.`);
  const tone = tones[recipe.tone];
  const shadowed: Layer[] = [];
  for (const layer of await layersOf(recipe, GROUND[recipe.scene])) {
    const shade = "standing" in recipe ? withGroundShadow : withDropShadow;
    shadowed.push(...(await shade(layer, tone.shadow)));
  }
  const picture = await compose(backdrop(tone, recipe.scene), shadowed);
  return picture.removeAlpha().webp({ quality: 82, effort: 6, smartSubsample: true }).toBuffer();
}

async function save(folder: "images" | "icons", name: string, bytes: Buffer): Promise<number> {
  await mkdir(join(PUBLIC, folder), { recursive: true });
  await writeFile(join(PUBLIC, folder, name), bytes);
  console.log(`${folder}/${name} ${Math.round(bytes.length / 100) / 10} kB`);
  return bytes.length;
}

const wanted = process.argv.slice(2);
let total = 0;
for (const { slug, image } of productSeeds) {
  if (wanted.length > 0 && !wanted.includes(slug)) continue;
  total += await save("images", image, await productPicture(slug));
}
if (wanted.length === 0 || wanted.includes("shop")) {
  total += await save("images", "home-still-life.webp", await stillLifePicture());
  total += await save("images", "placeholder.webp", await placeholderPicture());
  for (const [name, bytes] of Object.entries(await brandIcons())) {
    total += await save("icons", name, bytes);
  }
}
console.log(`${Math.round(total / 1000)} kB in all`);
