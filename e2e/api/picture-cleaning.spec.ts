import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq, type SQL, sql } from "drizzle-orm";
import sharp from "sharp";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCheckout, createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { cartItems, carts } from "@/db/schema/cart";
import { checkouts } from "@/db/schema/checkout";
import { uploadedPictures } from "@/db/schema/uploads";
import { uploadedPictureIn, uploadedPicturesIn } from "@/db/uploaded-picture";
import { type S3Server, startS3 } from "@/e2e/services/s3";
import type { CleaningReport } from "@/lib/uploads/cleaning";
import { newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { expect, type Shop, test } from "../fixtures";
import { startShop } from "../shop-process";
import { countLockWaits } from "../table-lock";

// Uploaded pictures that are no longer used are removed from the folder and from the bucket. Nothing else
// is removed, whatever happens at the same moment.

const CLEANUP_PATH = "/api/cron/pictures";

let lastColor = 0;

/** The body of an upload; each call makes a different picture. */
async function newForm(): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  lastColor += 1;
  const background = { r: lastColor % 256, g: lastColor >> 8, b: 77 };
  const picture = sharp({ create: { width: 20, height: 20, channels: 3, background } });
  const form = new FormData();
  form.set("file", new File([new Uint8Array(await picture.png().toBuffer())], "photo.png"));
  const request = new Request("http://localhost/", { method: "POST", body: form });
  return {
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { "Content-Type": String(request.headers.get("content-type")) },
  };
}

type Form = Awaited<ReturnType<typeof newForm>>;

/** Uploads a picture; returns its name. */
async function upload(api: Api, token: string, form?: Form): Promise<string> {
  const body = form ?? (await newForm());
  const answer = await api.post<{ url: string }>("/api/upload", { token, ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.url.replace("/images/", "");
}

/** Uploads a picture for each purpose; returns their names. */
async function uploadFor<Purpose extends string>(
  { api, database: db }: Pick<Shop, "api" | "database">,
  ...purposes: Purpose[]
) {
  const { token } = await newAdmin(db);
  const names = await Promise.all(
    purposes.map(async (purpose) => [purpose, await upload(api, token)] as const),
  );
  return { token, names: Object.fromEntries(names) as Record<Purpose, string> };
}

async function runCleanup({ api, env }: Pick<Shop, "api" | "env">): Promise<CleaningReport> {
  const answer = await api.post<CleaningReport>(CLEANUP_PATH, { token: String(env.CRON_SECRET) });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

async function ageByADay(db: Database): Promise<void> {
  await db.update(uploadedPictures).set({
    uploadedAt: sql`${uploadedPictures.uploadedAt} - interval '1 day'`,
    unusedSince: sql`${uploadedPictures.unusedSince} - interval '1 day'`,
    nextLookAt: sql`${uploadedPictures.nextLookAt} - interval '1 day'`,
  });
}

/** Lets two days pass, with a cleanup each day. */
async function cleanUpForTwoDays(shop: Shop): Promise<CleaningReport> {
  await ageByADay(shop.database);
  await runCleanup(shop);
  await ageByADay(shop.database);
  return runCleanup(shop);
}

const knownNames = async (db: Database) =>
  (await db.select().from(uploadedPictures)).map(({ name }) => name).sort();

const NOTHING_DONE: CleaningReport = { used: 0, unused: 0, removed: 0, failed: 0 };

test("pictures unreferenced for a day are removed, everything else stays", async ({ shopWith }) => {
  const shop = await shopWith();
  const { api, database: db } = shop;
  const folder = String(shop.env.UPLOADS_DIR);
  const { token, names } = await uploadFor(
    shop,
    ...(["abandoned", "replaced", "deleted"] as const),
    ...(["shown", "ofPath", "ofUrl", "further", "inCart", "ordered", "beingPaid"] as const),
  );
  const { abandoned, replaced, deleted, ...used } = names;

  const product = await createProduct({ db, image: replaced });
  const show = async (...urls: string[]) => {
    const json = { images: urls.map((url) => ({ url, alt: "" })) };
    const answer = await api.put(`/api/physical_products/${product.id}`, { token, json });
    expect(answer.status, answer.text).toBe(200);
  };
  await show(used.shown, `/images/${used.further}`);
  const gone = await createProduct({ db, image: deleted });
  expect((await api.delete(`/api/products/${gone.id}`, { token })).status).toBe(204);
  await createProduct({ db, image: `/images/${used.ofPath}` });
  await createProduct({ db, image: `https://boutique.exemple.fr/images/${used.ofUrl}?v=2` });
  const user = await createUser({ db });
  const [cart] = await db.insert(carts).values({ userId: user.id }).returning();
  await db.insert(cartItems).values({
    cartId: Number(cart?.id),
    productId: null,
    quantity: 1,
    addedName: "Une lampe",
    addedImage: used.inCart,
    addedPriceCents: 100,
  });
  const bought = await createProduct({ db, image: used.ordered });
  await createOrder({ db, user, items: [{ product: bought }] });
  await db.execute(sql`delete from products where id = ${bought.id}`);
  await createCheckout({
    db,
    user,
    lines: [
      {
        cartItemId: 1,
        productId: 1,
        productType: "physical",
        name: "Une lampe",
        image: `/images/${used.beingPaid}`,
        unitPriceCents: 100,
        vatRateBp: 2000,
        quantity: 1,
        downloadLink: null,
      },
    ],
    totalCents: 100,
  });
  // Pictures that were not uploaded, whatever their names.
  const own = ["tasse.webp", `${"0".repeat(40)}.webp`];
  for (const name of own) writeFileSync(path.join(folder, name), "a picture");

  const kept = Object.values(used).sort();
  expect(await runCleanup(shop), "recent ones are not looked at").toEqual(NOTHING_DONE);
  await ageByADay(db);
  expect(await runCleanup(shop)).toEqual({ used: 7, unused: 3, removed: 0, failed: 0 });
  expect(await runCleanup(shop), "each once a day").toEqual(NOTHING_DONE);
  expect(readdirSync(folder).sort()).toEqual([...Object.values(names), ...own].sort());
  await ageByADay(db);
  expect(await runCleanup(shop)).toEqual({ used: 7, unused: 0, removed: 3, failed: 0 });
  expect(readdirSync(folder).sort()).toEqual([...kept, ...own].sort());
  expect(await knownNames(db)).toEqual(kept);
  expect((await api.get(`/images/${abandoned}`)).status).toBe(404);
  expect((await api.get(`/images/${used.shown}`)).status).toBe(200);

  // A closed checkout no longer uses its picture, nor does a product that shows another.
  await db.delete(cartItems).where(eq(cartItems.addedImage, used.inCart));
  await db.update(checkouts).set({ status: "cancelled" }).where(eq(checkouts.userId, user.id));
  await show(`/images/${used.further}`);
  expect(await cleanUpForTwoDays(shop)).toEqual({ used: 4, unused: 0, removed: 3, failed: 0 });
});

test("using a picture again restarts its grace period", async ({ shopWith }) => {
  const shop = await shopWith();
  const { api, database: db } = shop;
  const { token, names } = await uploadFor(shop, "used", "gone");
  const { used, gone } = names;
  const form = await newForm();
  const again = await upload(api, token, form);
  const product = await createProduct({ db, image: null });
  const put = (json: object) =>
    api.put(`/api/physical_products/${product.id}`, { token, json, mayFail: true });
  await ageByADay(db);
  expect(await runCleanup(shop)).toMatchObject({ unused: 3 });
  await ageByADay(db);
  expect(await upload(api, token, form)).toBe(again);
  expect((await put({ image: used })).status).toBe(200);
  expect(await runCleanup(shop)).toEqual({ ...NOTHING_DONE, removed: 1 });
  expect(readdirSync(String(shop.env.UPLOADS_DIR)).sort()).toEqual([again, used].sort());

  const sentence =
    "Cette image n'est plus dans la boutique, qui ne l'utilisait pas. Envoyez-la de nouveau.";
  expect(sentencesOf(await put({ image: gone }))).toEqual({ image: sentence });
  expect(sentencesOf(await put({ image: `/images/${gone}` }))).toEqual({ image: sentence });
  const images = [used, gone].map((url) => ({ url, alt: "" }));
  expect(sentencesOf(await put({ images }))).toEqual({ "images[1].url": sentence });
  const defaultCategory = product.defaultCategoryId;
  const json = { name: "N", description: "D", price: 1, defaultCategory, image: gone };
  const created = await api.post("/api/physical_products", { token, json });
  expect(sentencesOf(created)).toEqual({ image: sentence });
  // Pictures on other sites are not checked, and neither is an unchanged picture.
  expect((await put({ image: `https://exemple.fr/images/${gone}` })).status).toBe(200);
  await db.execute(sql`update products set image = ${gone} where id = ${product.id}`);
  expect((await put({ image: gone, name: "Autre nom" })).status).toBe(200);
});

test.describe("in a bucket", () => {
  let s3: S3Server;
  test.beforeEach(async () => {
    s3 = await startS3();
  });
  test.afterEach(() => s3.stop());

  const stored = () => [...s3.objects.keys()].map((key) => key.replace("boutique/", "")).sort();

  /** Uploads this many unused pictures, and makes them due for removal. */
  async function uploadUnusedPictures(shop: Shop, count: number): Promise<string[]> {
    const { token } = await newAdmin(shop.database);
    const names = await Promise.all(Array.from({ length: count }, () => upload(shop.api, token)));
    await ageByADay(shop.database);
    expect(await runCleanup(shop)).toMatchObject({ unused: count });
    await ageByADay(shop.database);
    return names.sort();
  }

  test("a cleanup survives outages, company and interruption", async ({ shopWith }) => {
    const shop = await shopWith({ env: s3.env });
    await test.step("files for sale stay, and a bucket outage is retried", async () => {
      const names = await uploadUnusedPictures(shop, 3);
      const sold = { bytes: Buffer.from("x"), contentType: undefined, cacheControl: undefined };
      s3.objects.set(`boutique/downloads/${names[0]}`, sold);
      s3.failNext(1);
      expect(await runCleanup(shop)).toEqual({ ...NOTHING_DONE, removed: 2, failed: 1 });
      await expect.poll(() => shop.log()).toContain("unused picture not removed");
      await ageByADay(shop.database);
      expect(await runCleanup(shop)).toEqual({ ...NOTHING_DONE, removed: 1 });
      expect(stored()).toEqual([`downloads/${names[0]}`]);
      expect(await knownNames(shop.database)).toEqual([]);
      s3.objects.clear();
    });

    await test.step("concurrent cleanups share the work", async () => {
      await uploadUnusedPictures(shop, 60);
      const before = s3.requests.length;
      const reports = await Promise.all([runCleanup(shop), runCleanup(shop), runCleanup(shop)]);
      expect(reports.reduce((sum, { removed }) => sum + removed, 0)).toBe(60);
      expect(stored()).toEqual([]);
      const deletions = s3.requests.slice(before).filter((request) => request.startsWith("DELETE"));
      expect(new Set(deletions).size).toBe(60);
      expect(deletions).toHaveLength(60);
    });

    const names = await uploadUnusedPictures(shop, 5);
    // Two objects are gone already. The requests to delete the others never get a response.
    for (const name of names.slice(0, 2)) s3.objects.delete(`boutique/${name}`);
    const deletion = s3.hold("DELETE");
    const broken = runCleanup(shop).catch(() => "broken off");
    await expect.poll(() => deletion.count()).toBe(5);
    await shop.stop();
    deletion.release();
    expect(await broken).toBe("broken off");
    await expect.poll(() => knownNames(shop.database)).toEqual(names);
    const next = await startShop(shop.env);
    try {
      const answer = () =>
        fetch(next.baseURL + CLEANUP_PATH, {
          method: "POST",
          headers: { Authorization: `Bearer ${shop.env.CRON_SECRET}` },
        }).then((response) => response.json());
      // The database frees the rows once it notices that the killed shop is gone.
      let removed = 0;
      await expect
        .poll(async () => {
          removed += (await answer()).removed;
          return removed;
        })
        .toBe(5);
      expect(stored()).toEqual([]);
    } finally {
      await next.stop();
    }
  });

  test("a picture may be saved, uploaded and removed at the same moment", async ({ shopWith }) => {
    const shop = await shopWith({ env: s3.env });
    const { api, database: db } = shop;
    const { token } = await newAdmin(db);
    const product = await createProduct({ db, image: null });
    const save = (image: string | undefined) =>
      api.put(`/api/physical_products/${product.id}`, { token, json: { image } });

    await test.step("saving or uploading waits for the outcome of the removal", async () => {
      const form = await newForm();
      const sent = await upload(api, token, form);
      const saved = await upload(api, token);
      await ageByADay(db);
      await runCleanup(shop);
      await ageByADay(db);
      const deletion = s3.hold("DELETE");
      const cleaning = runCleanup(shop);
      await expect.poll(() => deletion.count()).toBe(2);
      const sending = upload(api, token, form);
      const saving = save(saved);
      await expect.poll(() => countLockWaits(db)).toBe(2);
      deletion.release();
      expect(await cleaning).toEqual({ ...NOTHING_DONE, removed: 2 });
      expect(await sending).toBe(sent);
      expect(sentencesOf(await saving)).toHaveProperty("image");
      expect(stored()).toEqual([sent]);
      expect(await knownNames(db)).toEqual([sent]);
      expect(await cleanUpForTwoDays(shop)).toMatchObject({ removed: 1 });
    });

    await test.step("the cleanup skips a picture that is being saved with a product", async () => {
      const [name = ""] = await uploadUnusedPictures(shop, 1);
      await db.transaction(async (tx) => {
        await tx.execute(
          sql`update uploaded_pictures set unused_since = null where name = ${name}`,
        );
        expect(await runCleanup(shop)).toEqual(NOTHING_DONE);
        await createProduct({ db: tx, image: name });
      });
      expect(await runCleanup(shop)).toEqual({ ...NOTHING_DONE, used: 1 });
      expect(stored()).toEqual([name]);
      await db.delete(uploadedPictures);
      s3.objects.clear();
    });

    await test.step("no product is locked while the bucket is queried for its picture", async () => {
      const [name] = await uploadUnusedPictures(shop, 1);
      const look = s3.hold("HEAD");
      const saving = save(name);
      await expect.poll(() => look.count()).toBe(1);
      await db.execute(sql`select from products where id = ${product.id} for update nowait`);
      await db.execute(sql`select from uploaded_pictures where name = ${name} for update nowait`);
      expect(await runCleanup(shop), "it is not removed meanwhile").toEqual(NOTHING_DONE);
      look.release();
      expect((await saving).status).toBe(200);
      expect(stored()).toEqual([name]);
    });
  });
});

test("finding a picture's references makes no sequential scan", async ({ database: db }) => {
  const names = sql`${sql.param([`${"a".repeat(40)}.png`])}::text[]`;
  const planOf = (condition: SQL) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return JSON.stringify(
        await tx.execute(sql`explain select id from products where ${condition}`),
      );
    });
  expect(await planOf(sql`${uploadedPictureIn('"image"')} = any(${names})`)).toContain(
    "products_picture_idx",
  );
  const more = uploadedPicturesIn('"more_images"');
  expect(await planOf(sql`more_images <> '[]'::jsonb and ${more} && ${names}`)).toContain(
    "products_more_pictures_idx",
  );
});

test("leftovers of interruptions are removed or refused", async ({ shopWith }) => {
  const shop = await shopWith();
  const { api, database: db } = shop;
  const folder = String(shop.env.UPLOADS_DIR);
  const { token, names } = await uploadFor(shop, "gone", "there");
  const { gone, there } = names;
  const yesterday = Date.now() / 1000 - 90_000;
  const put = (name: string, time?: number) => {
    writeFileSync(path.join(folder, name), "half a pict");
    if (time) utimesSync(path.join(folder, name), time, time);
    return name;
  };
  put(`.${randomUUID()}.tmp`, yesterday);
  const current = put(`.${randomUUID()}.tmp`);
  const others = [put(".notes.tmp", yesterday), put("tasse.tmp", yesterday)];
  expect(await runCleanup(shop)).toEqual(NOTHING_DONE);
  expect(readdirSync(folder).sort()).toEqual([gone, there, current, ...others].sort());

  // The removal of a picture is interrupted after that of its file.
  await ageByADay(db);
  expect((await runCleanup(shop)).unused).toBe(2);
  rmSync(path.join(folder, gone));
  const product = await createProduct({ db });
  const save = (image: string) =>
    api.put(`/api/physical_products/${product.id}`, { token, json: { image } });
  for (const _ of ["once", "again"])
    expect(Object.keys(sentencesOf(await save(gone)))).toEqual(["image"]);
  expect((await save(there)).status).toBe(200);
});
