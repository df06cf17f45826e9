import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type Browser,
  type BrowserContext,
  chromium,
  devices,
  type Locator,
  type Page,
} from "@playwright/test";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { browserOptions, medianOf, NAMED } from "@/bench/browser";
import { startCompressingProxy } from "@/bench/compressing-proxy";
import { openDatabase, queryRows } from "@/bench/database";
import { type Aim, aimOf, printAims, printTable, saveResults, short } from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop, findPort, startShop } from "@/bench/shop";
import { createAddress, createUser, DEFAULT_PASSWORD } from "@/db/factories";

// npm run bench -- lighthouse – what Lighthouse says of five pages on a slow telephone, how soon the
// page answers to a finger on one, and how long the main ways through the shop take from a click to
// the picture. The shop runs behind a proxy that compresses, as in production. Lighthouse itself is
// fetched by npx when it is needed: it is larger than all that the shop is made with.

/** The last one for Node.js 20. */
const LIGHTHOUSE = "lighthouse@12.8.2";
const PRODUCTS = 1_000;
/** Runs per page; the median counts. */
const RUNS = 3;

const SCORES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Score = (typeof SCORES)[number];
const WANTED: Record<Score, number> = {
  performance: 95,
  accessibility: 100,
  "best-practices": 100,
  seo: 100,
};

/** Milliseconds: what web.dev calls a good interaction. */
const DELAY_MS = 200;
/** How much slower a telephone's processor is, as Lighthouse supposes. */
const SLOWDOWN = 4;
const ATTEMPTS = 5;

interface Target {
  name: string;
  path: string;
  /** Search engines are asked to leave it: that it can be found is not wanted. */
  isPrivate?: boolean;
}

interface Report {
  name: string;
  scores: Record<Score, number>;
  lcpMs: number;
  cls: number;
  blockedMs: number;
  kilobytes: number;
  /** Audits that are not passed. */
  failed: string[];
}

export async function run({ services }: BenchOptions): Promise<number> {
  console.log("Building the shop…");
  await buildShop(services);
  const database = await openDatabase({ services, products: PRODUCTS });
  const port = await findPort();
  const origin = `http://127.0.0.1:${port}`;
  const shop = await startShop({
    services,
    databaseUrl: database.url,
    settings: { SITE_URL: origin },
  });
  await startCompressingProxy({ services, port, target: shop.origin });
  const email = await createCustomer(database.url);
  const [product] = await queryRows<{ id: number }>({
    url: database.url,
    sql: "select id from products where rating_count > 0 order by sales_count desc, id limit 1",
  });
  const productPath = `/product/${product?.id}`;

  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-lighthouse-"));
  await services.start(async () => ({
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }));
  const reports: Report[] = [];
  /** Each group in a browser of its own: Lighthouse leaves the one that it used in disorder. */
  async function audit(targets: readonly Target[], prepare?: (page: Page) => Promise<void>) {
    const debuggingPort = await findPort();
    const profile = path.join(folder, `profile-${debuggingPort}`);
    const context = await launch({ folder: profile, debuggingPort, origin });
    try {
      await prepare?.(await context.newPage());
      for (const target of targets)
        reports.push(await auditPage({ target, origin, debuggingPort, folder }));
    } finally {
      await context.close();
    }
  }
  await audit([
    { name: "home", path: "/" },
    { name: "catalogue", path: "/products" },
    { name: "product", path: productPath },
    { name: "login", path: "/login", isPrivate: true },
  ]);
  await audit([{ name: "cart", path: "/cart", isPrivate: true }], async (page) => {
    await logIn({ page, email });
    await fillCart({ page, productPath });
  });
  const browser = await chromium.launch(browserOptions());
  try {
    const context = await browser.newContext({
      baseURL: origin,
      locale: "fr-FR",
      viewport: { width: 1440, height: 900 },
    });
    await context.addInitScript(NAMED);
    const page = await context.newPage();
    await logIn({ page, email });
    const ways = await goThrough(page);
    const delays = await touch({ browser, context, origin, productPath });

    printTable(
      ["mobile", ...SCORES, "LCP ms", "CLS", "blocked ms", "kB"],
      reports.map(({ name, scores, lcpMs, cls, blockedMs, kilobytes }) => [
        name,
        ...SCORES.map((score) => String(scores[score])),
        short(lcpMs),
        cls.toFixed(3),
        short(blockedMs),
        short(kilobytes),
      ]),
    );
    for (const { name, failed } of reports)
      if (failed.length > 0) console.log(`${name}: ${failed.join(", ")}`);
    console.log("");
    printTable(
      ["from a click to the picture", "median ms", "slowest ms"],
      ways.map(({ name, milliseconds }) => [
        name,
        short(medianOf(milliseconds)),
        short(Math.max(...milliseconds)),
      ]),
    );
    console.log("");
    printTable(
      [`answer to a finger, processor ${SLOWDOWN} times slower`, "slowest ms"],
      delays.map(({ name, milliseconds }) => [name, short(milliseconds)]),
    );

    const aims: Aim[] = [
      ...reports.flatMap(({ name, scores }) =>
        SCORES.map((score) =>
          aimOf({
            name: `${name}: ${score}`,
            value: scores[score],
            atLeast: WANTED[score],
            digits: 0,
          }),
        ),
      ),
      ...delays.map(({ name, milliseconds }) =>
        aimOf({ name, value: milliseconds, atMost: DELAY_MS, unit: "ms", digits: 0 }),
      ),
    ];
    printAims(aims);
    saveResults("lighthouse", { reports, ways, delays });
    return services.finish(aims.every(({ isMet }) => isMet) ? 0 : 1);
  } finally {
    await browser.close();
  }
}

async function createCustomer(url: string): Promise<string> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const db = drizzle({ client: pool });
    const email = `lighthouse-${Date.now()}@exemple.test`;
    const user = await createUser({ db, email });
    await createAddress({ db, userId: user.id });
    return email;
  } finally {
    await pool.end();
  }
}

/** A browser that Lighthouse can be let into, so that it sees the cart of whoever is logged in. */
function launch({
  folder,
  debuggingPort,
  origin,
}: {
  folder: string;
  debuggingPort: number;
  origin: string;
}): Promise<BrowserContext> {
  const { executablePath, args } = browserOptions();
  return chromium.launchPersistentContext(folder, {
    executablePath,
    baseURL: origin,
    locale: "fr-FR",
    viewport: { width: 1440, height: 900 },
    args: [...args, `--remote-debugging-port=${debuggingPort}`],
  });
}

async function auditPage(options: {
  target: Target;
  origin: string;
  debuggingPort: number;
  folder: string;
}): Promise<Report> {
  const reports: Report[] = [];
  for (let i = 0; i < RUNS; i++) reports.push(await runLighthouse(options));
  const [median] = reports
    .toSorted((a, b) => a.scores.performance - b.scores.performance)
    .slice(Math.floor(RUNS / 2));
  if (!median) throw new Error("Lighthouse gave no report.");
  return median;
}

interface LighthouseResult {
  categories: Record<Score, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    { score: number | null; scoreDisplayMode: string; numericValue?: number } | undefined
  >;
}

async function runLighthouse({
  target,
  origin,
  debuggingPort,
  folder,
}: {
  target: Target;
  origin: string;
  debuggingPort: number;
  folder: string;
}): Promise<Report> {
  const file = path.join(folder, "report.json");
  await runCommand("npx", [
    "--yes",
    LIGHTHOUSE,
    origin + target.path,
    `--port=${debuggingPort}`,
    "--quiet",
    "--output=json",
    `--output-path=${file}`,
    `--only-categories=${SCORES.join(",")}`,
    // Logged in stays logged in.
    "--disable-storage-reset",
    ...(target.isPrivate ? ["--skip-audits=is-crawlable"] : []),
  ]);
  const { categories, audits } = JSON.parse(readFileSync(file, "utf8")) as LighthouseResult;
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const scores = Object.fromEntries(
    SCORES.map((score) => [score, Math.round((categories[score].score ?? 0) * 100)]),
  ) as Record<Score, number>;
  const failed = SCORES.filter((score) => score !== "performance").flatMap((score) =>
    categories[score].auditRefs
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  );
  return {
    name: target.name,
    scores,
    lcpMs: value("largest-contentful-paint"),
    cls: value("cumulative-layout-shift"),
    blockedMs: value("total-blocking-time"),
    kilobytes: value("total-byte-weight") / 1000,
    failed,
  };
}

function runCommand(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args[1]}: ${code}\n${errors}`));
    });
  });
}

async function logIn({ page, email }: { page: Page; email: string }): Promise<void> {
  await page.goto("/login", { waitUntil: "networkidle" });
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
  await page.getByRole("button", { name: "Se connecter" }).click();
  await page.waitForURL((url) => url.pathname !== "/login");
}

async function fillCart({ page, productPath }: { page: Page; productPath: string }) {
  await page.goto(productPath, { waitUntil: "networkidle" });
  const added = page.waitForResponse((response) => response.url().endsWith("/api/cart/add"));
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  await added;
}

/**
 * Goes the main ways through the shop with a mouse, some times each: from the click to the frame in
 * which what was wanted is there.
 */
async function goThrough(page: Page) {
  await page.addInitScript(() => {
    const note = (event: Event) =>
      sessionStorage.setItem("clicked-at", String(performance.timeOrigin + event.timeStamp));
    addEventListener("click", note, { capture: true });
  });
  const header = page.getByRole("banner");
  const card = (i: number) => page.locator("main article a:visible").nth(i);
  const ways: {
    name: string;
    from: string;
    link: (i: number) => Locator;
    path: RegExp;
    shows: string;
  }[] = [
    {
      name: "home → product",
      from: "/",
      // What was looked at lately comes first, and may be one product.
      link: () => card(0),
      path: /^\/product\/\d+$/,
      shows: "#avis",
    },
    {
      name: "home → catalogue",
      from: "/",
      link: () => header.getByRole("link", { name: "Nos produits" }).first(),
      path: /^\/products$/,
      shows: "main article",
    },
    {
      name: "catalogue → product",
      from: "/products",
      link: card,
      path: /^\/product\/\d+$/,
      shows: "#avis",
    },
    {
      name: "catalogue → cart",
      from: "/products",
      link: () => header.locator('a[href="/cart"]:visible').first(),
      path: /^\/cart$/,
      shows: "main h1",
    },
  ];
  const measured = [];
  for (const { name, from, link, path: wanted, shows } of ways) {
    const milliseconds: number[] = [];
    for (let i = 0; i < ATTEMPTS; i++) {
      await page.goto(from, { waitUntil: "networkidle" });
      const chosen = link(i);
      await chosen.scrollIntoViewIfNeeded();
      await chosen.hover();
      await page.waitForLoadState("networkidle");
      await chosen.click();
      const shown = await page.waitForFunction(
        ({ pattern, selector }) => {
          if (!new RegExp(pattern).test(location.pathname)) return 0;
          if (!document.querySelector(selector)) return 0;
          const clickedAt = Number(sessionStorage.getItem("clicked-at"));
          return performance.timeOrigin + performance.now() - clickedAt;
        },
        { pattern: wanted.source, selector: shows },
        { polling: "raf" },
      );
      milliseconds.push(await shown.jsonValue());
    }
    measured.push({ name, milliseconds });
  }
  return measured;
}

/** The slowest interaction of a visit, as the browser measures it for INP. */
async function touch({
  browser,
  context,
  origin,
  productPath,
}: {
  browser: Browser;
  context: BrowserContext;
  origin: string;
  productPath: string;
}) {
  const { defaultBrowserType: _, ...phone } = devices["Pixel 7"];
  const telephone = await browser.newContext({
    ...phone,
    locale: "fr-FR",
    baseURL: origin,
    storageState: await context.storageState(),
  });
  await telephone.addInitScript(NAMED);
  try {
    const acts: { name: string; path: string; act: (page: Page) => Promise<void> }[] = [
      {
        name: "add to cart",
        path: productPath,
        act: async (page) => {
          for (let i = 0; i < 3; i++) {
            await page.getByRole("button", { name: "Ajouter au panier" }).tap();
            await page.waitForLoadState("networkidle");
          }
        },
      },
      {
        name: "filters of the catalogue",
        path: "/products",
        act: async (page) => {
          for (const label of ["Type", "Trier par prix"]) {
            await page.getByLabel(label).selectOption({ index: 1 });
            await page.waitForLoadState("networkidle");
          }
        },
      },
    ];
    const delays = [];
    for (const { name, path: address, act } of acts) {
      const page = await telephone.newPage();
      await page.addInitScript(() => {
        const seen = window as unknown as { slowest: number };
        seen.slowest = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries())
            seen.slowest = Math.max(seen.slowest, duration);
        }).observe({
          type: "event",
          buffered: true,
          durationThreshold: 16,
        } as PerformanceObserverInit);
      });
      const session = await telephone.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
      await page.goto(address, { waitUntil: "networkidle" });
      await act(page);
      const milliseconds = await page.evaluate(
        () => (window as unknown as { slowest: number }).slowest,
      );
      delays.push({ name, milliseconds });
      await page.close();
    }
    return delays;
  } finally {
    await telephone.close();
  }
}
