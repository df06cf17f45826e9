import { ask } from "../answers";
import { expect, test } from "../fixtures";

const urlOf = (picture: string) => `/_next/image?url=${picture}&w=640&q=75`;
const PICTURE = "%2Fimages%2Fcarnet-a-pages-pointillees.webp";
/** All others: lib/uploads/resized-picture.test.ts. */
const OTHER_SPELLINGS = [
  "%2Fimages%2F.%2Fcarnet-a-pages-pointillees.webp",
  "%2Fimages%2F%25E0%25A4%25A.webp",
];

test("a resized picture has one path: detours are refused", async ({ shop }) => {
  const before = shop.log().length;
  expect((await ask(shop.baseURL, { path: urlOf(PICTURE) })).status).toBe(200);
  for (const spelling of OTHER_SPELLINGS) {
    const { status, body } = await ask(shop.baseURL, { path: urlOf(spelling) });
    expect(status, spelling).toBe(400);
    expect(String(body)).toBe("L'adresse de cette image n'est pas valable.");
  }
  expect((await ask(shop.baseURL, { path: urlOf("%2Fimages%2Frien.webp") })).status).toBe(404);
  expect(shop.log().slice(before)).toBe("");
});

test("many pictures at once are all resized", async ({ shop }) => {
  const widths = [96, 192, 288, 360, 640, 828, 1080];
  const names = ["cactus-cierge", "bougie-a-la-cire-d-abeille", "appareil-photo-argentique"];
  const statuses = await Promise.all(
    names.flatMap((name) =>
      widths.map(async (width) => {
        const path = `/_next/image?url=%2Fimages%2F${name}.webp&w=${width}&q=75`;
        const { status, body } = await ask(shop.baseURL, { path });
        return body.byteLength > 0 && status;
      }),
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});
