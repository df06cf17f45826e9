import { expect, test } from "../fixtures";
import { startNextAlone } from "../shop-process";

const urlOf = (picture: string) => `/_next/image?url=${picture}&w=640&q=75`;
const PICTURE = "%2Fimages%2Fcarnet-a-pages-pointillees.webp";
const OTHER_SPELLINGS = [
  "%2Fimages%2F%2563arnet-a-pages-pointillees.webp",
  "%2Fimages%2F.%2Fcarnet-a-pages-pointillees.webp",
  "%2Fimages%2Fx%2F..%2Fcarnet-a-pages-pointillees.webp",
  `${PICTURE}%231`,
  `${PICTURE}%2500`,
  "%2Fimages%2F%25E0%25A4%25A.webp",
  "%2Fimages%2F",
];

test("only the canonical URL of a resized picture is accepted, and other URLs are not logged", async ({
  shop,
}) => {
  const before = shop.log().length;
  const alone = await startNextAlone(shop.env);
  try {
    for (const { baseURL } of [shop, alone]) {
      const resized = await fetch(baseURL + urlOf(PICTURE));
      expect(resized.status).toBe(200);
      expect(resized.headers.get("content-type")).toMatch(/^image\//);
      for (const spelling of OTHER_SPELLINGS) {
        const answer = await fetch(baseURL + urlOf(spelling));
        expect(answer.status, spelling).toBe(400);
        expect(await answer.text()).toBe("L'adresse de cette image n'est pas valable.");
      }
      expect((await fetch(baseURL + urlOf("%2Fimages%2Frien.webp"))).status).toBe(404);
    }
  } finally {
    await alone.stop();
  }
  expect(shop.log().slice(before)).toBe("");
});

test("many pictures at once wait for their turn", async ({ shop }) => {
  const widths = [96, 192, 288, 360, 640, 828, 1080];
  const names = ["cactus-cierge", "bougie-a-la-cire-d-abeille", "appareil-photo-argentique"];
  const statuses = await Promise.all(
    names.flatMap((name) =>
      widths.map(async (width) => {
        const path = `/_next/image?url=%2Fimages%2F${name}.webp&w=${width}&q=75`;
        const answer = await fetch(shop.baseURL + path);
        return (await answer.arrayBuffer()).byteLength > 0 && answer.status;
      }),
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});
