import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { hasRedis, startRedis } from "@/e2e/services/redis";
import { isVarnishInstalled, startVarnish, type Varnish } from "@/e2e/services/varnish";
import { downloadLinkFor } from "@/lib/downloads/link";
import { freePort } from "@/sandbox/ports";
import { tokenOf } from "../accounts";
import { newAdmin } from "../admin";
import { type Api, type ApiAnswer, createApi } from "../api-client";
import { type BlockableProxy, startBlockableProxy } from "../blockable-proxy";
import { test as base, expect } from "../fixtures";
import { type ShopProcess, startShop } from "../shop-process";

// Two instances of the shop, each behind a real Varnish with the rules of deploy/varnish.

const SECRET = "a-secret-of-the-tests-for-the-caches";

interface Front {
  /** The first instance. */
  shop: ShopProcess;
  /** Each instance through its Varnish. */
  fronts: readonly [Api, Api];
  /** From the second Varnish to its instance. */
  toShop: BlockableProxy;
  /** From the instances to the second Varnish. */
  toVarnish: BlockableProxy;
}

const test = base.extend<object, { front: Front }>({
  front: [
    async ({ shopEnv }, use) => {
      const stops: (() => Promise<void>)[] = [];
      const opened = async <T extends { stop(): Promise<void> }>(opening: Promise<T>) => {
        const it = await opening;
        stops.unshift(it.stop);
        return it;
      };
      const toShop = await opened(startBlockableProxy());
      const toVarnish = await opened(startBlockableProxy());
      const direct = await opened(startBlockableProxy());
      const before = async (backend: BlockableProxy) => {
        const port = await freePort();
        return opened(startVarnish({ port, backends: [backend.port], secret: SECRET }));
      };
      const [one, two] = [await before(direct), await before(toShop)];
      toVarnish.setTarget(Number(new URL(two.origin).port));
      const redis = await opened(startRedis());
      const start = async (gate: BlockableProxy) => {
        const shop = await opened(
          startShop({
            ...shopEnv,
            // Pages contain this URL. All instances have the same one, as behind one load balancer.
            SITE_URL: "http://127.0.0.1:3000",
            REDIS_URL: redis.url,
            CACHE_PURGE_URL: `${one.origin} http://127.0.0.1:${toVarnish.port}`,
            CACHE_PURGE_SECRET: SECRET,
          }),
        );
        // The shop listens a moment before it is ready.
        const tagsOf = async () => (await createApi(shop).get("/contact")).headers["cache-tag"];
        await expect.poll(tagsOf).toContain("pages");
        gate.setTarget(Number(new URL(shop.baseURL).port));
        return shop;
      };
      const [shop] = [await start(direct), await start(toShop)];
      const through = ({ origin }: Varnish) => createApi({ ...shop, baseURL: origin });
      await use({ shop, fronts: [through(one), through(two)], toShop, toVarnish });
      for (const stop of stops) await stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

// On CI it has to be there: .ci/run installs it.
test.skip(
  !process.env.CI && !(isVarnishInstalled() && hasRedis()),
  "varnishd or redis-server is not installed",
);

const cacheOf = ({ headers }: ApiAnswer<unknown>) => headers["x-cache"];

/** Repeats the request until the cache answers: purges of earlier changes are still being repeated. */
async function fetchUntilCached(
  ask: () => Promise<ApiAnswer<unknown>>,
): Promise<ApiAnswer<unknown>> {
  for (;;) {
    const answer = await ask();
    if (cacheOf(answer) === "HIT") return answer;
  }
}

/** Repeats a check of what is cached: a repeated purge may fall into it. */
async function unlessPurged(check: (attempt: number) => Promise<void>): Promise<void> {
  let attempt = 0;
  await expect(() => check(++attempt)).toPass({ timeout: 20_000 });
}

/** The headers of the router's requests. */
const ROUTER_HEADERS = {
  data: { RSC: "1" },
  segment: { RSC: "1", "Next-Router-Prefetch": "1", "Next-Router-Segment-Prefetch": "/_tree" },
};

/** Requests a path as the router does: the shop redirects to the URL for the router's headers. */
async function getAsRouter(api: Api, path: string, headers: Record<string, string>) {
  const answer = await api.get(path, { headers });
  if (answer.status !== 307) return answer;
  return api.get(String(answer.headers.location), { headers });
}

/** Matches an amount in a page or in its RSC payload. */
const euros = (cents: number) => new RegExp((cents / 100).toFixed(2).replace(".", "[,.]"));

/** A product with a unique price, and functions that change it in the back office. */
async function createPricedProduct({ database, api }: { database: Database; api: Api }) {
  const { token } = await newAdmin(database);
  const { id } = await createProduct({ db: database, type: "physical", priceCents: 71_317 });
  const item = `/api/physical_products/${id}`;
  return {
    path: `/product/${id}`,
    setPrice: async (cents: number) => {
      const answer = await api.put(item, { token, json: { price: cents / 100 } });
      expect(answer.status, answer.text).toBe(200);
    },
    remove: async () => expect((await api.delete(item, { token })).status).toBe(204),
  };
}

test("public pages are cached once for all visitors", async ({ front: { fronts, shop } }) => {
  const [api] = fronts;
  for (const path of ["/", "/products?page=2", "/contact"])
    await unlessPurged(async (attempt) => {
      const anonymous = await fetchUntilCached(() => api.get(path));
      const headers = { Cookie: "next-auth.session-token=a-session; checkout=1" };
      const tracked = `${path}${path.includes("?") ? "&" : "?"}utm_source=${attempt}&gclid=abc`;
      const known = await api.get(tracked, { token: "a-token", headers });
      expect([cacheOf(known), known.text], path).toEqual(["HIT", anonymous.text]);
      for (const hidden of ["cache-tag", "x-page-key", "x-varnish", "set-cookie"])
        expect(known.headers).not.toHaveProperty(hidden);
      expect(known.headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
      const packed = await api.get(path, { headers: { "Accept-Encoding": "gzip" } });
      expect([cacheOf(packed), packed.headers["content-encoding"]]).toEqual(["HIT", "gzip"]);
    });
  // Whoever asked first: Strict-Transport-Security follows the visitor's scheme.
  for (const scheme of ["http", "https"]) {
    const headers = { "X-Forwarded-Proto": scheme };
    const cached = await fetchUntilCached(() => api.get("/contact", { headers }));
    expect("strict-transport-security" in cached.headers, scheme).toBe(scheme === "https");
  }
  // The `stock:` tags belong to the counted products on the page.
  const inside = await createApi(shop).get("/");
  const tags = new Set(String(inside.headers["cache-tag"]).replace(/:\d+/g, "").split(","));
  expect([...tags].sort().join()).toBe(
    "catalogue,categories,pages,product,seller,shipping-methods,stock,tags",
  );
});

test("without a front cache no tags are sent", async ({ api }) => {
  const { headers } = await api.get("/");
  expect(headers["cache-control"]).toContain("s-maxage=300");
  expect(headers).not.toHaveProperty("cache-tag");
});

test("a change is purged before its response, also from a page that was being fetched", async ({
  front: { fronts, toShop },
  database,
}) => {
  const { path, setPrice, remove } = await createPricedProduct({ database, api: fronts[0] });
  const pages = [path, "/products?price_sort=desc&min_price=700&max_price=730"];
  for (const cents of [71_317, 71_419, 71_523]) {
    if (cents !== 71_317) await setPrice(cents);
    for (const api of fronts)
      for (const page of pages)
        for (const headers of [{}, ROUTER_HEADERS.data])
          expect((await getAsRouter(api, page, headers)).text, page).toMatch(euros(cents));
  }
  for (const api of fronts) await fetchUntilCached(() => api.get(path));

  await setPrice(71_551);
  const held = toShop.hold();
  const old = fronts[1].get(path);
  await held;
  await setPrice(71_611);
  toShop.release();
  expect((await old).text).toMatch(euros(71_551));
  await expect.poll(async () => (await fronts[1].get(path)).text).toMatch(euros(71_611));

  await remove();
  for (const api of fronts) expect((await api.get(path)).status).toBe(404);
});

test("an unreachable cache delays no write, and is purged when it is back", async ({
  front: { fronts, toVarnish, shop },
  database,
}) => {
  const { path, setPrice } = await createPricedProduct({ database, api: fronts[0] });
  // Closed before the caches are filled: purges of earlier changes are still being repeated.
  toVarnish.close();
  for (const api of fronts)
    expect((await fetchUntilCached(() => api.get(path))).text).toMatch(euros(71_317));
  await setPrice(71_707);
  expect((await fronts[0].get(path)).text).toMatch(euros(71_707));
  const unpurged = await fronts[1].get(path);
  expect(cacheOf(unpurged)).toBe("HIT");
  expect(unpurged.text).toMatch(euros(71_317));
  toVarnish.open();
  const now = async () => (await fronts[1].get(path)).text;
  await expect.poll(now, { timeout: 20_000 }).toMatch(euros(71_707));
  expect(shop.log()).toContain("a cache in front could not be purged");
});

test("private responses are never cached", async ({ front: { fronts }, database }) => {
  const [api] = fronts;
  const users = [await createUser({ db: database }), await createUser({ db: database })];
  const [token, other] = await Promise.all(users.map(tokenOf));
  const { id: productId } = await createProduct({ db: database, type: "physical" });
  await api.post("/api/cart/add", { token, json: { productId, quantity: 2 } });
  const counts: number[] = [];
  for (const bearer of [token, other, token]) {
    const { json } = await api.get<{ itemsCount: number }>("/api/cart", { token: bearer });
    counts.push(json.itemsCount);
  }
  expect(counts).toEqual([2, 0, 2]);
  expect((await api.get("/api/cart")).status).toBe(401);
  const paths = ["/login", "/cart", "/products?search=lampe", "/backoffice", "/api/products"];
  for (const path of [...paths, "/account", "/no-such-page"]) {
    const answers = [await api.get(path), await api.get(path)];
    expect(answers.map(cacheOf), path).toEqual(["MISS", "MISS"]);
  }
});

test("documents and RSC payloads have their own keys", async ({ front: { fronts }, database }) => {
  const [api] = fronts;
  const { id } = await createProduct({ db: database });
  const read = async (headers: Record<string, string>, type: RegExp) => {
    const answer = await fetchUntilCached(() => getAsRouter(api, `/product/${id}`, headers));
    expect(answer.headers["content-type"]).toMatch(type);
    return answer.text;
  };
  const readBoth = async () => [
    await read({}, /^text\/html/),
    await read(ROUTER_HEADERS.data, /^text\/x-component/),
  ];
  const [html, data] = await readBoth();
  expect(html).not.toBe(data);
  expect(await readBoth()).toEqual([html, data]);
  // Next.js sends them without the page's tags.
  for (let turn = 0; turn < 2; turn++) {
    const part = await getAsRouter(api, `/product/${id}`, ROUTER_HEADERS.segment);
    expect(part.headers["content-type"]).toMatch(/^text\/x-component/);
    expect([cacheOf(part), part.headers["cache-control"]]).toEqual([
      "MISS",
      "private, no-cache, no-store, max-age=0, must-revalidate",
    ]);
    expect([html, data]).not.toContain(part.text);
  }
});

test("purging is by tag, and requires the secret", async ({ front: { fronts } }) => {
  const [api] = fronts;
  const purge = async (tags: string, secret = SECRET) => {
    const headers = { "Cache-Tag": tags, ...(secret && { Authorization: `Bearer ${secret}` }) };
    return (await api.request("PURGE", "/", { headers, mayFail: true })).status;
  };
  for (const wrong of ["", "x"]) expect(await purge("pages", wrong)).toBe(403);
  for (const tags of ["", "pages ^", "a,,b", ".*", "(", "a b"])
    expect(await purge(tags), tags).toBe(400);
  await unlessPurged(async () => {
    await fetchUntilCached(() => api.get("/contact"));
    for (const [tags, found] of [
      ["product:1,stock:1", "HIT"],
      ["product:1,pages", "MISS"],
    ] as const) {
      expect(await purge(tags)).toBe(200);
      expect(cacheOf(await api.get("/contact"))).toBe(found);
    }
  });
});

test("while the shop is down cached pages are served", async ({ front: { fronts, toShop } }) => {
  const [, api] = fronts;
  await fetchUntilCached(() => api.get("/contact"));
  toShop.close();
  expect((await api.get("/contact")).status).toBe(200);
  const away = await api.get("/product/1", { mayFail: true });
  expect(away.status).toBe(503);
  expect(away.text).toContain("La boutique est momentanément indisponible");
  expect(away.headers["cache-control"]).toBe("no-store");
  toShop.open();
  await expect.poll(async () => (await api.get("/product/1", { mayFail: true })).status).toBe(200);
});

test("files for sale pass through uncached", async ({ front: { shop, fronts }, database: db }) => {
  const bytes = Buffer.alloc(48_000_000, "Le contenu du film. ");
  writeFileSync(path.join(String(shop.env.DOWNLOADS_DIR), "film.mp4"), bytes);
  const user = await createUser({ db });
  const link = "/downloads/film.mp4";
  const product = await createProduct({ db, type: "digital", downloadLink: link });
  const { lines } = await createOrder({ db, user, items: [{ product }] });
  const url = String(downloadLinkFor({ link, lineId: Number(lines[0]?.id), viewer: user }));
  const [front] = fronts;
  const head = await front.request("HEAD", url);
  expect([head.status, head.headers["content-length"]]).toEqual([200, String(bytes.length)]);
  const part = await front.get(url, { headers: { Range: "bytes=5-14" } });
  expect([part.status, part.headers["content-range"]]).toEqual([206, `bytes 5-14/${bytes.length}`]);
  expect(part.headers).not.toHaveProperty("x-cache");
  const whole = await front.get(url);
  expect([whole.status, whole.text === bytes.toString("utf8")]).toEqual([200, true]);
});
