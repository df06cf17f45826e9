import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { createUser } from "@/db/factories/people";
import { mailOutbox } from "@/db/schema/mail";
import { newAdmin } from "../admin";
import type { Api } from "../api-client";
import { expect, type Shop, test } from "../fixtures";

// Folders that cannot be written to: full, or not usable at all. A picture is refused with a message and
// leaves no file behind; a mail waits. Both work again as soon as there is room.

const STORAGE_UNAVAILABLE =
  "L'image n'a pas pu être enregistrée\u00a0: le stockage de la boutique ne répond pas ou est plein. Réessayez plus tard.";

async function upload({ api, token, color }: { api: Api; token: string; color: string }) {
  const pixels = sharp({ create: { width: 300, height: 300, channels: 3, background: color } });
  const form = new FormData();
  form.set("file", new File([new Uint8Array(await pixels.png().toBuffer())], "photo.png"));
  const request = new Request("http://localhost/", { method: "POST", body: form });
  return api.post<{ url: string; error: string }>("/api/upload", {
    token,
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { "Content-Type": String(request.headers.get("content-type")) },
    mayFail: true,
  });
}

/** Requests a mail, runs the outbox, and returns the mail's row. */
async function sendMail({ shop, email }: { shop: Shop; email: string }) {
  const { api, database: db, env } = shop;
  const [asked] = await db.select().from(mailOutbox).where(eq(mailOutbox.recipient, email));
  if (!asked) expect((await api.post("/api/reset-password", { json: { email } })).status).toBe(200);
  await db
    .update(mailOutbox)
    .set({ nextAttemptAt: new Date(0) })
    .where(eq(mailOutbox.recipient, email));
  expect((await api.post("/api/cron/outbox", { token: env.CRON_SECRET })).status).toBe(200);
  const [mail] = await db.select().from(mailOutbox).where(eq(mailOutbox.recipient, email));
  return mail;
}

async function expectNothingStored({ shop, email }: { shop: Shop; email: string }): Promise<void> {
  const { token } = await newAdmin(shop.database);
  const refused = await upload({ api: shop.api, token, color: "#336699" });
  expect(refused.status).toBe(503);
  expect(refused.json.error).toBe(STORAGE_UNAVAILABLE);
  await expect
    .poll(() => sendMail({ shop, email }))
    .toMatchObject({ status: "pending", lastError: expect.stringMatching(/./) });
}

async function expectAllStored({ shop, email }: { shop: Shop; email: string }): Promise<void> {
  const { token } = await newAdmin(shop.database);
  const kept = await upload({ api: shop.api, token, color: "#336699" });
  expect(kept.status, kept.text).toBe(201);
  expect((await shop.api.get(kept.json.url)).status).toBe(200);
  await expect.poll(() => sendMail({ shop, email })).toMatchObject({ status: "sent" });
  expect(readdirSync(String(shop.env.UPLOADS_DIR))).toHaveLength(1);
}

test("on a full disk uploads are refused and mails wait for space", async ({ shopWith }) => {
  test.skip(spawnSync("prlimit", ["--version"]).error !== undefined, "needs Linux's prlimit");
  const shop = await shopWith();
  const { email } = await createUser({ db: shop.database });
  // Limits the size of files, as a full disk does.
  const limit = (bytes: string) =>
    execFileSync("prlimit", ["--pid", String(shop.pid), `--fsize=${bytes}:`]);
  limit("100");
  await expectNothingStored({ shop, email });
  for (const folder of [shop.env.UPLOADS_DIR, shop.env.MAIL_DIR])
    await expect.poll(() => readdirSync(String(folder)), "half a file").toEqual([]);
  limit("1000000000");
  await expectAllStored({ shop, email });
});

test("with unusable folders uploads are refused and mails wait", async ({ shopWith }) => {
  const shop = await shopWith();
  const { email } = await createUser({ db: shop.database });
  const folders = [String(shop.env.UPLOADS_DIR), String(shop.env.MAIL_DIR)];
  // A file takes the place of the folder. This stops even an administrator of the machine.
  for (const folder of folders) {
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, "");
  }
  await expectNothingStored({ shop, email });
  expect((await shop.api.get("/images/none.png")).status).toBe(404);
  for (const folder of folders) {
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
  }
  await expectAllStored({ shop, email });
});
