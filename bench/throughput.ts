import { runBrowser } from "@/bench/browser";
import { openDatabase } from "@/bench/database";
import { findTool, type Load, runLoad, type Tool } from "@/bench/load";
import { cpuMsOf, cpuMsOfTree, residentMiB } from "@/bench/processes";
import { type Aim, aimOf, formatFigure, printAims, printTable, saveResults } from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { runScale } from "@/bench/scale";
import { buildShop, type Server, startBareServer, startShop } from "@/bench/shop";
import { readWorkload, type Workload } from "@/bench/workload";

// npm run bench – throughput and latency of pages and API, compared with bare routes.
//
// Absolute figures depend on the machine and its load. So bare routes are measured in the same run,
// and each target's ratio to them is what counts. Every burst is run twice, with all others in
// between, and the faster one is kept: interference only ever makes a burst slower.

const CONNECTIONS = [1, 16, 64] as const;
const ROUNDS = 2;
/** The connections at which ratios are taken. */
const COMPARED_AT = 16;
const STARTS = 3;
const REPEATED_SEARCHES = 300;

type Connections = (typeof CONNECTIONS)[number];

interface Target {
  name: string;
  section: "bare" | "pages" | "api" | "search";
  server: "bare" | "shop";
  paths: readonly string[];
  /** The bare target that it is compared with, and the minimum ratio. */
  compare?: { to: string; atLeast?: number };
  /** Requested once before, so that cached responses are measured. */
  isWarmed: boolean;
  headers?: Readonly<Record<string, string>>;
}

interface Burst extends Load {
  /** Milliseconds of CPU time per request, of the web server and of the database. */
  cpuMs: number | null;
  databaseCpuMs: number | null;
}

type Bursts = Map<Target, Partial<Record<Connections, Burst>>>;

/** As browsers and search engines send it. */
const GZIP = { "Accept-Encoding": "gzip, deflate, br" };

const BARE_PAGE = "bare cached page";
const BARE_JSON = "constant JSON route";

function listTargets({ productIds, views, searches }: Workload): Target[] {
  const [oneId = 1] = productIds;
  const page = (name: string, paths: readonly string[], atLeast?: number): Target => ({
    name,
    section: "pages",
    server: "shop",
    paths,
    compare: atLeast === undefined ? { to: BARE_PAGE } : { to: BARE_PAGE, atLeast },
    isWarmed: true,
    headers: GZIP,
  });
  const api = (name: string, paths: readonly string[], atLeast?: number): Target => ({
    ...page(name, paths),
    section: "api",
    compare: atLeast === undefined ? { to: BARE_JSON } : { to: BARE_JSON, atLeast },
    headers: {},
  });
  const size = "itemsPerPage=24";
  const texts = searches.map((text) => `search=${encodeURIComponent(text)}`);
  const bare = (name: string, server: Target["server"], path: string): Target => ({
    name,
    section: "bare",
    server,
    paths: [path],
    isWarmed: true,
  });
  return [
    bare("node:http", "bare", "/"),
    bare(BARE_JSON, "shop", "/bench/json"),
    bare(BARE_PAGE, "shop", "/bench/1"),
    page("/", ["/"], 0.8),
    page("/products", ["/products"], 0.8),
    page(
      `${views.length} catalogue views`,
      views.map((view) => `/products?${view}`),
      0.8,
    ),
    page("one /product/{id}", [`/product/${oneId}`], 0.8),
    page(
      `${productIds.length} /product/{id}`,
      productIds.map((id) => `/product/${id}`),
      0.8,
    ),
    { ...page("/, uncompressed", ["/"]), headers: {} },
    {
      ...page(
        `${productIds.length} /product/{id}, uncompressed`,
        productIds.map((id) => `/product/${id}`),
      ),
      headers: {},
    },
    api("GET /api/products (24)", [`/api/products?${size}`], 0.5),
    api(
      `${views.length} filtered lists (24)`,
      views.map((view) => `/api/products?${view}&${size}`),
      0.5,
    ),
    api("one /api/products/{id}", [`/api/products/${oneId}`], 0.5),
    api(
      `${productIds.length} /api/products/{id}`,
      productIds.map((id) => `/api/products/${id}`),
      0.5,
    ),
    {
      ...api(
        "API search (24), never twice",
        texts.map((text) => `/api/products?${text}&${size}`),
        0.3,
      ),
      section: "search",
      isWarmed: false,
    },
    {
      ...page(
        `${REPEATED_SEARCHES} search pages`,
        texts.slice(0, REPEATED_SEARCHES).map((text) => `/products?${text}`),
        0.5,
      ),
      section: "search",
    },
    {
      ...page(
        "search page, never twice",
        texts.toReversed().map((text) => `/products?${text}`),
        0.1,
      ),
      section: "search",
      isWarmed: false,
    },
  ];
}

export async function run(options: BenchOptions): Promise<number> {
  const { services, products, sections } = options;
  const tool = options.tool ?? findTool();
  console.log(`Building the shop; measuring with ${tool}.`);
  await buildShop(services);
  const results: Record<string, unknown> = {};
  const aims: Aim[] = [];
  let isSound = true;

  const hasLoads = (["pages", "api", "search"] as const).some((name) => sections.includes(name));
  if (hasLoads || sections.includes("browser")) {
    const database = await openDatabase({ services, products });
    const starts: number[] = [];
    for (let i = 1; i < STARTS; i++) {
      const shop = await startShop({ services, databaseUrl: database.url });
      starts.push(shop.firstAnswerMs);
      await shop.stop({ isForced: false });
    }
    const shop = await startShop({ services, databaseUrl: database.url });
    starts.push(shop.firstAnswerMs);
    const firstAnswer = starts.toSorted((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;
    aims.push(
      aimOf({
        name: "first page after the start",
        value: firstAnswer / 1000,
        atMost: 1.5,
        unit: "s",
      }),
    );

    if (hasLoads) {
      const bare = await startBareServer(services);
      const workload = await readWorkload({ url: database.url });
      const targets = listTargets(workload).filter(
        ({ section }) => section === "bare" || sections.includes(section),
      );
      const loads = await runLoads({
        tool,
        seconds: options.seconds,
        targets,
        bare,
        shop,
        databasePid: database.pid,
      });
      isSound = loads.isSound;
      aims.push(...loads.aims);
      results.loads = loads.results;
      await bare.stop({ isForced: false });
    }
    if (sections.includes("browser")) {
      const browser = await runBrowser({ shop, url: database.url });
      aims.push(...browser.aims);
      results.browser = browser.results;
    }
    const memory = residentMiB(shop.pid);
    if (memory !== null) {
      aims.push(
        aimOf({ name: "memory at the end", value: memory, atMost: 350, unit: "MiB", digits: 0 }),
      );
    }
    results.server = { firstAnswerMs: starts, residentMiB: memory };
    await shop.stop({ isForced: false });
    await database.stop({ isForced: false });
  }
  if (sections.includes("scale")) {
    const scale = await runScale({ ...options, tool });
    isSound &&= scale.isSound;
    aims.push(...scale.aims);
    results.scale = scale.results;
  }

  printAims(aims);
  saveResults(sections.join("-"), { products, tool, aims, ...results });
  if (!isSound) console.error("\nSome requests failed: the figures mean nothing.");
  return isSound ? 0 : 1;
}

async function runLoads(options: {
  tool: Tool;
  seconds: number;
  targets: readonly Target[];
  bare: Server;
  shop: Server;
  databasePid: number;
}) {
  const { tool, seconds, targets, bare, shop, databasePid } = options;
  const serverOf = (target: Target) => (target.server === "bare" ? bare : shop);

  console.log("\nRequesting each URL once");
  const firstMs = new Map<Target, number>();
  for (const target of targets) {
    const paths = target.isWarmed ? target.paths : target.paths.slice(-20);
    firstMs.set(target, await requestOnce({ origin: serverOf(target).origin, paths }));
  }

  const bursts: Bursts = new Map(targets.map((target) => [target, {}]));
  const positions = new Map<Target, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const connections of CONNECTIONS) {
      console.log(`Round ${round + 1} of ${ROUNDS}, ${connections} connections`);
      for (const target of targets) {
        const server = serverOf(target);
        const first = positions.get(target) ?? 0;
        const before = { cpu: cpuMsOf(server.pid), database: cpuMsOfTree(databasePid) };
        const load = await runLoad({
          tool,
          origin: server.origin,
          paths: target.paths,
          first,
          connections,
          seconds,
          ...(target.headers && { headers: target.headers }),
        });
        const after = { cpu: cpuMsOf(server.pid), database: cpuMsOfTree(databasePid) };
        positions.set(target, first + load.requests);
        const perRequest = (from: number | null, to: number | null) =>
          from === null || to === null ? null : (to - from) / load.requests;
        const burst = {
          ...load,
          cpuMs: perRequest(before.cpu, after.cpu),
          databaseCpuMs: perRequest(before.database, after.database),
        };
        const kept = bursts.get(target);
        if (kept) kept[connections] = fasterOf(kept[connections], burst);
      }
    }
  }
  for (const target of targets) {
    const asked = positions.get(target) ?? 0;
    if (!target.isWarmed && asked > target.paths.length) {
      console.log(`${target.name}: ${asked} requests for ${target.paths.length} URLs`);
    }
  }
  return evaluate({ targets, bursts, firstMs });
}

function fasterOf(one: Burst | undefined, other: Burst): Burst {
  if (!one) return other;
  const failures = one.failures + other.failures;
  return { ...(one.perSecond > other.perSecond ? one : other), failures };
}

/** Requests every path once and checks the status. @returns milliseconds per request */
async function requestOnce({ origin, paths }: { origin: string; paths: readonly string[] }) {
  const begin = performance.now();
  for (const path of paths) {
    const response = await fetch(origin + path);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
  }
  return (performance.now() - begin) / paths.length;
}

function evaluate({
  targets,
  bursts,
  firstMs,
}: {
  targets: readonly Target[];
  bursts: Bursts;
  firstMs: ReadonlyMap<Target, number>;
}) {
  const burstOf = (target: Target | undefined, connections: Connections) =>
    target && bursts.get(target)?.[connections];
  const reference = (target: Target) =>
    targets.find(({ name }) => name === target.compare?.to) ?? undefined;
  const ratioOf = (target: Target, connections: Connections) => {
    const own = burstOf(target, connections);
    const bare = burstOf(reference(target), connections);
    return own && bare ? own.perSecond / bare.perSecond : null;
  };
  const cpuRatioOf = (target: Target) => {
    const own = burstOf(target, COMPARED_AT)?.cpuMs;
    const bare = burstOf(reference(target), COMPARED_AT)?.cpuMs;
    return own && bare ? bare / own : null;
  };

  console.log(
    `\nRatios to the ${BARE_PAGE} (pages) and the ${BARE_JSON} (API, search). Times in milliseconds.`,
  );
  printTable(
    [
      "",
      `ratio @${COMPARED_AT}`,
      "by CPU",
      "CPU ms",
      "DB ms",
      "kB",
      "first ms",
      ...CONNECTIONS.flatMap((n) => [`req/s @${n}`, "p50", "p99"]),
    ],
    targets.map((target) => {
      const main = burstOf(target, COMPARED_AT);
      return [
        target.name,
        target.compare ? formatFigure(ratioOf(target, COMPARED_AT)) : "",
        target.compare ? formatFigure(cpuRatioOf(target)) : "",
        formatFigure(main?.cpuMs),
        target.section === "search" ? formatFigure(main?.databaseCpuMs) : "",
        formatFigure(main && main.bytes / 1000),
        formatFigure(firstMs.get(target)),
        ...CONNECTIONS.flatMap((connections) => {
          const burst = burstOf(target, connections);
          return [
            formatFigure(burst?.perSecond),
            formatFigure(burst?.p50),
            formatFigure(burst?.p99),
          ];
        }),
      ];
    }),
  );

  const aims = targets.flatMap((target) => {
    const { atLeast } = target.compare ?? {};
    const value = ratioOf(target, COMPARED_AT);
    if (atLeast === undefined || value === null) return [];
    return [aimOf({ name: `${target.name} : ${target.compare?.to}`, value, atLeast })];
  });
  const all = targets.flatMap((target) => CONNECTIONS.map((n) => burstOf(target, n)));
  const isSound = all.every((burst) => burst !== undefined && burst.failures === 0);
  const results = targets.map((target) => ({
    name: target.name,
    urls: target.paths.length,
    firstMs: firstMs.get(target),
    compare: target.compare,
    ratio: target.compare && ratioOf(target, COMPARED_AT),
    cpuRatio: target.compare && cpuRatioOf(target),
    bursts: bursts.get(target),
  }));
  return { aims, isSound, results };
}
