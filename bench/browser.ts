import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page, type Request } from "@playwright/test";
import { queryRows } from "@/bench/database";
import { type Aim, aimOf, formatFigure, printTable } from "@/bench/report";
import type { Server } from "@/bench/shop";
import { requireChromium } from "@/scripts/chromium";

// Page weight, layout shift, largest paint and navigation, in Chromium.

const SCRIPT_LIMIT_KB = 165;
const CLICK_LIMIT_MS = 85;
const CLICKS = 15;
const WIDTHS = [360, 1440] as const;

export async function runBrowser({ shop, url }: { shop: Server; url: string }) {
  const [product] = await queryRows<{ id: number }>({
    url,
    sql: "select id from products where rating_count > 0 order by sales_count desc limit 1",
  });
  const pages = ["/", "/products", `/product/${product?.id}`];
  const browser = await chromium.launch(browserOptions());
  try {
    console.log("\nIn the browser");
    const weights = [];
    for (const path of pages) weights.push(await measureWeight({ browser, shop, path }));
    const shifts = [];
    for (const width of WIDTHS) {
      for (const path of pages)
        shifts.push(await measureLayoutShift({ browser, shop, path, width }));
    }
    const largest = [];
    for (const width of WIDTHS) {
      largest.push(await findLargestPaint({ browser, shop, path: pages[2] ?? "", width }));
    }
    const clicks = await clickThrough({ browser, shop });

    printTable(
      ["kB compressed", "scripts", "style", "HTML", "fonts", "pictures", "requests"],
      weights.map((weight) => [
        weight.path,
        ...(["script", "stylesheet", "document", "font", "image"] as const).map((type) =>
          formatFigure(weight.kilobytes[type] ?? 0),
        ),
        String(weight.requests),
      ]),
    );
    const median = medianOf(clicks.milliseconds);
    console.log(
      `\nFrom a click in the list to the product's page: ${formatFigure(median)} ms (median of ${
        clicks.milliseconds.length
      }; slowest ${formatFigure(Math.max(...clicks.milliseconds))}), with its picture ${formatFigure(
        medianOf(clicks.pictureMilliseconds),
      )} ms. Prefetched for the list: ${clicks.ahead} requests, ${formatFigure(clicks.aheadKb)} kB.`,
    );
    const aims: Aim[] = [
      ...weights.map(({ path, kilobytes }) =>
        aimOf({
          name: `scripts of ${path}`,
          value: kilobytes.script ?? 0,
          atMost: SCRIPT_LIMIT_KB,
          unit: "kB",
          digits: 1,
        }),
      ),
      aimOf({
        name: "layout shift, all pages and widths",
        value: Math.max(...shifts.map(({ shift }) => shift)),
        atMost: 0,
        digits: 4,
      }),
      aimOf({
        name: "from the list to a product",
        value: median,
        atMost: CLICK_LIMIT_MS,
        unit: "ms",
        digits: 0,
      }),
      ...largest.map(({ width, element, isPreloaded }) => ({
        name: `largest paint of a product, ${width} px`,
        measured: `${element}${isPreloaded ? ", preloaded" : ""}`,
        wanted: "IMG, preloaded",
        isMet: element === "IMG" && isPreloaded,
      })),
    ];
    return { aims, results: { weights, shifts, largest, clicks } };
  } finally {
    await browser.close();
  }
}

/** Launch options: the Chromium of the tests, else the system's. */
export function browserOptions() {
  return {
    executablePath: requireChromium(),
    // Chromium's sandbox does not work for root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  };
}

/** tsx wraps functions in a helper `__name`, which is missing where they run in the browser. */
export const NAME_SHIM = { content: "globalThis.__name ??= (named) => named;" };

export const medianOf = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Opens a page in a new context, with an empty cache. */
async function visit(
  options: { browser: Browser; shop: Server; width: number; path: string },
  hooks: { before?: (page: Page) => unknown } = {},
): Promise<Page> {
  const { browser, shop, width, path } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: "fr-FR",
    baseURL: shop.origin,
  });
  await context.addInitScript(NAME_SHIM);
  const page = await context.newPage();
  await hooks.before?.(page);
  await page.goto(path, { waitUntil: "networkidle" });
  return page;
}

/** Transfer sizes of loading a page, compressed as a proxy would. */
async function measureWeight(options: { browser: Browser; shop: Server; path: string }) {
  const requests: Request[] = [];
  const page = await visit(
    { ...options, width: 1440 },
    { before: (page) => page.on("requestfinished", (request) => requests.push(request)) },
  );
  const kilobytes: Partial<Record<string, number>> = {};
  for (const request of requests) {
    const type = request.resourceType();
    const body = await (await request.response())?.body().catch(() => null);
    if (!body) continue;
    const isCompressed = type === "image" || type === "font";
    const size = isCompressed ? body.length : gzipSync(body).length;
    kilobytes[type] = (kilobytes[type] ?? 0) + size / 1000;
  }
  await page.context().close();
  return { path: options.path, requests: requests.length, kilobytes };
}

/** Layout shift while the page loads and is scrolled. */
async function measureLayoutShift(options: {
  browser: Browser;
  shop: Server;
  path: string;
  width: number;
}) {
  const page = await visit(options, {
    before: (page) =>
      page.addInitScript(() => {
        const shown = window as unknown as { shift: number };
        shown.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, hadRecentInput } = entry as PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
            };
            if (!hadRecentInput) shown.shift += value;
          }
        }).observe({ type: "layout-shift", buffered: true });
      }),
  });
  await scrollThrough(page);
  const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
  await page.context().close();
  return { path: options.path, width: options.width, shift };
}

async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let y = 0; y < document.documentElement.scrollHeight; y += 300) {
      window.scrollTo(0, y);
      await frame();
      await frame();
    }
  });
  await page.waitForLoadState("networkidle");
}

/** The LCP element, and whether the head preloads it. */
async function findLargestPaint(options: {
  browser: Browser;
  shop: Server;
  path: string;
  width: number;
}) {
  const page = await visit(options);
  const found = await page.evaluate(
    () =>
      new Promise<{ element: string; isPreloaded: boolean }>((resolve) => {
        new PerformanceObserver((list) => {
          const entry = list.getEntries().at(-1) as PerformanceEntry & { element?: Element };
          const picture = entry.element as HTMLImageElement | undefined;
          const preloads = [...document.querySelectorAll("link[rel=preload][as=image]")];
          resolve({
            element: picture?.tagName ?? "nothing",
            isPreloaded: preloads.some(
              (link) => link.getAttribute("imagesrcset") === picture?.getAttribute("srcset"),
            ),
          });
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await page.context().close();
  return { width: options.width, ...found };
}

/** Opens products from the list one after the other, by mouse. */
async function clickThrough({ browser, shop }: { browser: Browser; shop: Server }) {
  let prefetches = 0;
  let prefetchedKb = 0;
  const page = await visit(
    { browser, shop, width: 1440, path: "/products" },
    {
      before: (page) =>
        page.on("requestfinished", async (request) => {
          const headers = request.headers();
          if (!headers["next-router-prefetch"] && !headers["next-router-segment-prefetch"]) return;
          prefetches++;
          const body = await (await request.response())?.body().catch(() => null);
          prefetchedKb += body ? gzipSync(body).length / 1000 : 0;
        }),
    },
  );
  const prefetched = { ahead: prefetches, aheadKb: prefetchedKb };
  const milliseconds: number[] = [];
  const pictureMilliseconds: number[] = [];
  for (let i = 0; i < CLICKS; i++) {
    const link = page.locator("main article a").nth(i);
    await link.scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle");
    await link.hover();
    await page.waitForLoadState("networkidle");
    const measured = page.evaluate(
      () =>
        new Promise<{ text: number; picture: number }>((resolve) => {
          const afterPaint = (then: () => void) => {
            const channel = new MessageChannel();
            channel.port1.onmessage = then;
            channel.port2.postMessage(null);
          };
          const begin = (event: Event) => {
            let text = 0;
            const check = () => {
              const isThere =
                location.pathname.startsWith("/product/") &&
                document.querySelector("main dl, #avis");
              const picture = document.querySelector<HTMLImageElement>("main img");
              const isWhole = isThere && picture?.complete && picture.naturalWidth > 0;
              if (isThere && text === 0) {
                afterPaint(() => {
                  text = performance.now() - event.timeStamp;
                });
              }
              if (isWhole) {
                afterPaint(() => resolve({ text, picture: performance.now() - event.timeStamp }));
              } else requestAnimationFrame(check);
            };
            requestAnimationFrame(check);
          };
          addEventListener("click", begin, { capture: true, once: true });
        }),
    );
    await link.click();
    const { text, picture } = await measured;
    milliseconds.push(text);
    pictureMilliseconds.push(picture);
    await page.goBack({ waitUntil: "networkidle" });
    await page.locator("main article").first().waitFor();
  }
  await page.context().close();
  return { milliseconds, pictureMilliseconds, ...prefetched };
}
