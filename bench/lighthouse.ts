import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Page } from "@playwright/test";
import { drizzle } from "drizzle-orm/postgres-js";
import { browserOptions, medianOf } from "@/bench/browser";
import { startCompressingProxy } from "@/bench/compressing-proxy";
import { openDatabase, queryRows } from "@/bench/database";
import { type JourneyResult, measureJourneys, printJourneys } from "@/bench/journeys";
import { type Aim, aimOf, formatFigure, printAims, printTable, saveResults } from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop, startShop } from "@/bench/shop";
import { withConnection } from "@/db/connection";
import { createAddress, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { hydrated } from "@/e2e/hydration";
import { acceptsConnections, freePort } from "@/sandbox/ports";
import { ROOT } from "@/scripts/command";

// npm run bench -- lighthouse – Lighthouse's scores of five pages on an emulated phone, and the main
// user journeys, from a click to the frame that shows its outcome. The shop runs behind a compressing
// proxy, as in production. npx fetches Lighthouse, which is larger than all packages of the shop.

/** The last version for Node.js 20. */
const LIGHTHOUSE = "lighthouse@12.8.2";
const PRODUCTS = 1_000;
/** Runs per page; the median counts. */
const RUNS = 3;

const SCORES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Score = (typeof SCORES)[number];
const SCORE_LIMITS: Record<Score, number> = {
  performance: 95,
  accessibility: 100,
  "best-practices": 100,
  seo: 100,
};

/** From here on Lighthouse shows a score in green. */
const GOOD_SCORE = 0.9;
/** web.dev's limit of a good INP. */
const INTERACTION_LIMIT_MS = 200;
/** web.dev's limit of a good CLS. */
const SHIFT_LIMIT = 0.1;
/** The journeys whose interactions must stay below that on a phone. */
const RESPONSIVE_JOURNEYS = /^(?:add to cart|catalogue,)/;
/** Journeys that prefetching on hover must cover: docs/decisions/045. */
const PREFETCHED_JOURNEYS = /^(?:home|catalogue) → (?:product|catalogue)$/;

interface Target {
  name: string;
  path: string;
  /** noindex: the audit `is-crawlable` is skipped. */
  isPrivate?: boolean;
}

interface Report {
  name: string;
  scores: Record<Score, number>;
  lcpMs: number;
  cls: number;
  blockedMs: number;
  kilobytes: number;
  /** Lighthouse's benchmark index of the machine; an idle one of today has 1,500 or more. */
  machine: number;
  /** Failed audits. */
  failed: string[];
  /** Lighthouse's full report. */
  file: string;
}

/** The report of the median run, with the performance scores of all runs. */
interface MedianReport extends Report {
  isPrivate: boolean;
  performances: number[];
}

export async function run({ services }: BenchOptions): Promise<number> {
  console.log("Building the shop…");
  await buildShop(services);
  const database = await openDatabase({ services, products: PRODUCTS });
  const port = await freePort();
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
  const reports: MedianReport[] = [];
  /** Each group in a browser of its own: Lighthouse changes the state of the one that it uses. */
  async function audit(targets: readonly Target[], prepare?: (page: Page) => Promise<void>) {
    const debuggingPort = await freePort();
    const profile = path.join(folder, `profile-${debuggingPort}`);
    const browser = await startBrowser({ profile, debuggingPort });
    try {
      if (prepare) await prepareBrowser(debuggingPort, prepare);
      for (const target of targets)
        reports.push(await auditPage({ target, origin, debuggingPort, folder }));
    } finally {
      await browser.stop();
    }
  }
  console.log(`Lighthouse, ${RUNS} times per page…`);
  await audit([
    { name: "home", path: "/" },
    { name: "catalogue", path: "/products" },
    { name: "product", path: productPath },
    { name: "login", path: "/login", isPrivate: true },
  ]);
  await audit([{ name: "cart", path: "/cart", isPrivate: true }], async (page) => {
    await logIn({ page, origin, email });
    await fillCart({ page, origin, productPath });
  });
  printReports(reports);

  const journeys: JourneyResult[] = [];
  for (const device of ["computer", "telephone"] as const) {
    console.log(`\nUser journeys on a ${device}…`);
    const browser = await chromium.launch(browserOptions());
    try {
      const enter = (page: Page) => logIn({ page, origin, email });
      journeys.push(
        ...(await measureJourneys({ browser, device, origin, productPath, logIn: enter })),
      );
    } finally {
      await browser.close();
    }
  }
  printJourneys(journeys);

  const aims = [...reports.flatMap(aimsOfReport), ...journeys.flatMap(aimsOfJourney)];
  printAims(aims);
  saveResults("lighthouse", { reports, journeys });
  return services.shutDown(aims.every(({ isMet }) => isMet) ? 0 : 1);
}

function printReports(reports: readonly MedianReport[]): void {
  printTable(
    ["mobile", ...SCORES, "runs", "LCP ms", "CLS", "blocked ms", "kB", "machine"],
    reports.map(({ name, scores, performances, lcpMs, cls, blockedMs, kilobytes, machine }) => [
      name,
      ...SCORES.map((score) => String(scores[score])),
      performances.join(" "),
      formatFigure(lcpMs),
      cls.toFixed(3),
      formatFigure(blockedMs),
      formatFigure(kilobytes),
      formatFigure(machine),
    ]),
  );
  const hidden = reports.filter(({ isPrivate }) => isPrivate).map(({ name }) => name);
  console.log(`Not for search engines, so audited without "is-crawlable": ${hidden.join(", ")}`);
  for (const { name, failed } of reports)
    if (failed.length > 0) console.log(`${name}: ${failed.join(", ")}`);
}

const aimsOfReport = ({ name, scores }: Report): Aim[] =>
  SCORES.map((score) =>
    aimOf({
      name: `${name}: ${score}`,
      value: scores[score],
      atLeast: SCORE_LIMITS[score],
      digits: 0,
    }),
  );

function aimsOfJourney({
  name: way,
  device,
  interaction,
  shift,
  pagesRequested,
}: JourneyResult): Aim[] {
  const name = `${device}: ${way}`;
  const aims = [
    aimOf({ name: `${name}, shift`, value: Math.max(...shift), atMost: SHIFT_LIMIT, digits: 3 }),
  ];
  if (device === "computer" && PREFETCHED_JOURNEYS.test(way)) {
    const value = medianOf(pagesRequested);
    aims.push(aimOf({ name: `${name}, page requests`, value, atMost: 0, digits: 0 }));
  }
  if (device === "telephone" && RESPONSIVE_JOURNEYS.test(way)) {
    const value = Math.max(...interaction);
    aims.push(
      aimOf({
        name: `${name}, interaction`,
        value,
        atMost: INTERACTION_LIMIT_MS,
        unit: "ms",
        digits: 0,
      }),
    );
  }
  return aims;
}

function createCustomer(url: string): Promise<string> {
  return withConnection({ url }, async (sql) => {
    const db = drizzle({ client: sql });
    const email = `lighthouse-${Date.now()}@exemple.test`;
    const user = await createUser({ db, email });
    await createAddress({ db, userId: user.id });
    return email;
  });
}

/**
 * A browser that Lighthouse can attach to, so that it audits as a logged-in customer. Not Playwright's:
 * while that is attached, a page that gets a process of its own (Cross-Origin-Opener-Policy) lacks
 * the beginning of its trace.
 */
async function startBrowser({
  profile,
  debuggingPort,
}: {
  profile: string;
  debuggingPort: number;
}): Promise<{ stop(): Promise<void> }> {
  const { executablePath, args } = browserOptions();
  const child = spawn(
    executablePath,
    [
      ...args,
      "--headless=new",
      "--no-first-run",
      `--remote-debugging-port=${debuggingPort}`,
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: "ignore" },
  );
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill();
    await ended;
  };
  while (!(await acceptsConnections({ port: debuggingPort }))) {
    if (child.exitCode !== null) throw new Error(`${executablePath}: ${child.exitCode}`);
    await delay(50);
  }
  return { stop };
}

/** Prepares the browser's own profile by a page, and leaves before Lighthouse comes. */
async function prepareBrowser(
  debuggingPort: number,
  prepare: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort}`);
  const [context] = browser.contexts();
  if (!context) throw new Error("The browser has no context of its own.");
  const page = await context.newPage();
  await prepare(page);
  await page.close();
  await browser.close();
}

async function auditPage(options: {
  target: Target;
  origin: string;
  debuggingPort: number;
  folder: string;
}): Promise<MedianReport> {
  const reports: Report[] = [];
  for (let i = 0; i < RUNS; i++) {
    const file = path.join(options.folder, `${options.target.name}-${i}.json`);
    reports.push(await runLighthouse({ ...options, file }));
  }
  const sorted = reports.toSorted((a, b) => a.scores.performance - b.scores.performance);
  const median = sorted[Math.floor(RUNS / 2)];
  if (!median) throw new Error("Lighthouse gave no report.");
  const file = path.join(ROOT, `bench/results/lighthouse-${median.name}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  copyFileSync(median.file, file);
  return {
    ...median,
    file: path.relative(ROOT, file),
    isPrivate: options.target.isPrivate ?? false,
    performances: sorted.map(({ scores }) => scores.performance),
  };
}

interface LighthouseResult {
  environment: { benchmarkIndex: number };
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
  file,
}: {
  target: Target;
  origin: string;
  debuggingPort: number;
  file: string;
}): Promise<Report> {
  await runCommand("npx", [
    "--yes",
    LIGHTHOUSE,
    origin + target.path,
    `--port=${debuggingPort}`,
    "--quiet",
    "--output=json",
    `--output-path=${file}`,
    `--only-categories=${SCORES.join(",")}`,
    // Keeps the session.
    "--disable-storage-reset",
    ...(target.isPrivate ? ["--skip-audits=is-crawlable"] : []),
  ]);
  const { environment, categories, audits } = JSON.parse(
    readFileSync(file, "utf8"),
  ) as LighthouseResult;
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const scores = Object.fromEntries(
    SCORES.map((score) => [score, Math.round((categories[score].score ?? 0) * 100)]),
  ) as Record<Score, number>;
  const failed = SCORES.flatMap((score) =>
    categories[score].auditRefs
      .filter(({ weight }) => weight > 0)
      .filter(({ id }) => (audits[id]?.score ?? 1) < (score === "performance" ? GOOD_SCORE : 1))
      .map(({ id }) => id),
  );
  return {
    name: target.name,
    scores,
    lcpMs: value("largest-contentful-paint"),
    cls: value("cumulative-layout-shift"),
    blockedMs: value("total-blocking-time"),
    kilobytes: value("total-byte-weight") / 1000,
    machine: environment.benchmarkIndex,
    failed,
    file,
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

async function logIn({
  page,
  origin,
  email,
}: {
  page: Page;
  origin: string;
  email: string;
}): Promise<void> {
  await page.goto(`${origin}/login`);
  await hydrated(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
  await page.getByRole("button", { name: "Se connecter" }).click();
  await page.waitForURL((url) => url.pathname !== "/login");
}

async function fillCart({
  page,
  origin,
  productPath,
}: {
  page: Page;
  origin: string;
  productPath: string;
}): Promise<void> {
  await page.goto(origin + productPath);
  await hydrated(page);
  const added = page.waitForResponse((response) => response.url().endsWith("/api/cart/add"));
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  await added;
}
