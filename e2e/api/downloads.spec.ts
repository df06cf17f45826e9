import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { downloadLinkFor, LINK_LIFETIME } from "@/lib/downloads/link";
import { type Refusal, tokenOf } from "../accounts";
import type { Api } from "../api-client";
import { sessionCookieOf } from "../browser-session";
import { expect, test } from "../fixtures";
import { expectResumable } from "../partial-download";

const CONTENT = "Le contenu du guide, que seuls ses acheteurs lisent.";

let lastFile = 0;

/** A buyer of a file that the shop serves. */
async function buyer({ db, folder }: { db: Database; folder: string | undefined }) {
  lastFile += 1;
  const name = `guide été ${process.pid} ${lastFile}.pdf`;
  const file = path.join(String(folder), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, CONTENT);
  const user = await createUser({ db });
  const product = await createProduct({ db, type: "digital", downloadLink: `/downloads/${name}` });
  const { order, lines } = await createOrder({ db, user, items: [{ product }] });
  return { user, product, order, lineId: Number(lines[0]?.id), name, file };
}

async function linkOf({
  api,
  user,
  order,
}: {
  api: Api;
  user: Parameters<typeof tokenOf>[0];
  order: { id: number };
}): Promise<string> {
  const { json } = await api.get<{ items: { product: { downloadLink: string } }[] }>(
    `/api/orders_details/${order.id}`,
    { token: await tokenOf(user) },
  );
  return String(json.items[0]?.product.downloadLink);
}

test("a buyer's link opens the file without a session", async ({ api, shop, database: db }) => {
  const { user, order, name, file } = await buyer({ db, folder: shop.env.DOWNLOADS_DIR });
  const link = await linkOf({ api, user, order });
  expect(link).toMatch(/^\/downloads\/\d+\/guide%20/);
  const answer = await api.get(link);
  expect([answer.status, answer.text]).toEqual([200, CONTENT]);
  expect(answer.headers).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="${name.replaceAll("é", "e")}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    "content-length": String(Buffer.byteLength(CONTENT)),
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
  });
  const head = await api.request("HEAD", link);
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers["content-length"]).toBe(answer.headers["content-length"]);
  for (const { headers } of [answer, head]) expect(headers).not.toHaveProperty("x-body-length");
  // The link also works with the buyer's own token. Administrators have links of their own.
  expect((await api.get(link, { token: await tokenOf(user) })).status).toBe(200);
  const ofAdmin = await linkOf({ api, user: await createAdmin({ db }), order });
  expect(ofAdmin).not.toBe(link);
  expect((await api.get(ofAdmin)).status).toBe(200);

  const replace = (content: string) => writeFile(file, content);
  await test.step("an interrupted download resumes", () =>
    expectResumable({ api, link, content: CONTENT, replace }));
  await test.step("a missing file is reported as missing", async () => {
    await rm(file);
    const missing = await api.get<Refusal>(link);
    expect([missing.status, missing.json.error]).toEqual([
      404,
      "Ce fichier n'est pas disponible pour le moment. Contactez-nous.",
    ]);
    const browser = await api.get(link, { accept: "text/html" });
    expect([browser.status, browser.headers.location]).toEqual([303, "/orders?lien=indisponible"]);
  });
});

test("no link opens another's file", async ({ api, shop, database: db }) => {
  const { user, order, lineId } = await buyer({ db, folder: shop.env.DOWNLOADS_DIR });
  const other = await buyer({ db, folder: shop.env.DOWNLOADS_DIR });
  const link = await linkOf({ api, user, order });
  const change = (edit: (url: URL) => void) => {
    const url = new URL(link, "http://shop");
    edit(url);
    return url.pathname + url.search;
  };
  const forged = [
    change((url) => url.searchParams.set("user", String(other.user.id))),
    change((url) => url.searchParams.set("expires", "9999999999")),
    change((url) => url.searchParams.delete("signature")),
    change((url) => url.searchParams.set("user", "abc")),
    change((url) => {
      url.pathname = url.pathname.replace(String(lineId), String(other.lineId));
    }),
    "/downloads/guide.pdf",
    // A signed link whose viewer did not buy the line. The shop never signs such a link.
    String(downloadLinkFor({ link: "/downloads/x.pdf", lineId, viewer: other.user })),
  ];
  for (const url of forged) {
    const refused = await api.get(url);
    expect(refused.status, url).toBe(404);
    expect(refused.text).not.toContain(CONTENT);
  }
  for (const caller of [
    { token: await tokenOf(other.user) },
    { headers: { Cookie: await sessionCookieOf(other.user) } },
  ]) {
    const stranger = await api.get<Refusal>(link, caller);
    expect([stranger.status, stranger.json.error]).toEqual([
      404,
      "Ce lien de téléchargement n'est pas valable.",
    ]);
  }
});

test("a link ends after an hour, and with the sessions", async ({ api, shop, database: db }) => {
  const { user, lineId, product } = await buyer({ db, folder: shop.env.DOWNLOADS_DIR });
  const made = (secondsAgo: number, viewer = user) => {
    const now = Date.now() - secondsAgo * 1000;
    return String(downloadLinkFor({ link: product.downloadLink, lineId, viewer, now }));
  };
  const expectExpiredPage = async (link: string) => {
    const { status, headers } = await api.get(link, { accept: "text/html,*/*" });
    expect([status, headers.location]).toEqual([303, "/orders?lien=expire"]);
  };
  expect((await api.get(made(LINK_LIFETIME - 30))).status).toBe(200);
  const old = made(LINK_LIFETIME + 1);
  const expired = await api.get<Refusal>(old);
  expect([expired.status, expired.json.error]).toEqual([
    409,
    "Ce lien de téléchargement a expiré. Ouvrez votre commande pour en obtenir un nouveau.",
  ]);
  await expectExpiredPage(old);

  const link = made(0);
  await db.update(users).set({ sessionVersion: 2 }).where(eq(users.id, user.id));
  expect((await api.get(link)).status).toBe(404);
  await expectExpiredPage(link);
  const renewed = made(0, { ...user, sessionVersion: 2 });
  expect((await api.get(renewed)).status).toBe(200);
  await db.update(users).set({ isDeleted: true }).where(eq(users.id, user.id));
  expect((await api.get(renewed)).status).toBe(404);
});
