import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { openDatabase, queryRows } from "@/bench/database";
import { findTool, type Load, runLoad } from "@/bench/load";
import { type Aim, aimOf, formatFigure, printAims, printTable, saveResults } from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop, startShop } from "@/bench/shop";
import { isVarnishInstalled, startVarnish } from "@/e2e/services/varnish";
import { OperatorError } from "@/lib/operator-error";
import { freePort } from "@/sandbox/ports";
import type { Service, Services } from "@/scripts/services";

// npm run bench -- front – public pages from Varnish in front of the shop, compared with a static file
// of the same size from nginx in the same run. Needs: apt-get install varnish nginx-light wrk.

const CONNECTIONS = [16, 64] as const;
const ROUNDS = 2;
const RATIO_LIMIT = 0.5;
const SECRET = "a-secret-of-the-benchmark";

const REQUEST_HEADERS = { gzip: { "Accept-Encoding": "gzip" }, plain: {} } as const;

interface Target {
  page: string;
  path: string;
  encoding: keyof typeof REQUEST_HEADERS;
  /** Of the body. */
  bytes: number;
  /** nginx's file of the same bytes. */
  file: string;
}

type Side = "nginx" | "Varnish";
type Best = Map<string, Load>;

export async function run({ services, products, seconds }: BenchOptions): Promise<number> {
  const tool = findTool();
  if (tool !== "wrk" || !isVarnishInstalled() || spawnSync("nginx", ["-v"]).error)
    throw new OperatorError("apt-get install varnish nginx-light wrk");
  await buildShop(services);
  const database = await openDatabase({ services, products });
  const [shopPort, varnishPort] = [await freePort(), await freePort()];
  const varnish = await services.start(() =>
    startVarnish({ port: varnishPort, backends: [shopPort], secret: SECRET }),
  );
  await startShop({
    services,
    databaseUrl: database.url,
    port: shopPort,
    settings: { CACHE_PURGE_URL: varnish.origin, CACHE_PURGE_SECRET: SECRET },
  });
  const nginx = await startNginx(services);
  const targets = await prepareTargets({
    origin: varnish.origin,
    url: database.url,
    folder: nginx.folder,
  });

  const best: Best = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    console.log(`Round ${round + 1} of ${ROUNDS}`);
    for (const target of targets) {
      for (const connections of CONNECTIONS) {
        for (const [side, origin, path] of [
          ["nginx", nginx.origin, `/${target.file}`],
          ["Varnish", varnish.origin, target.path],
        ] as const) {
          const headers = REQUEST_HEADERS[target.encoding];
          const load = await runLoad({
            tool,
            origin,
            paths: [path],
            headers,
            connections,
            seconds,
          });
          if (load.failures > 0) throw new Error(`${side} failed ${load.failures} times.`);
          const key = keyOf({ target, connections, side });
          if (load.perSecond > (best.get(key)?.perSecond ?? 0)) best.set(key, load);
        }
      }
    }
  }
  const { aims, results } = report({ targets, best });
  printAims(aims);
  saveResults("front", results);
  return services.shutDown(aims.every(({ isMet }) => isMet) ? 0 : 1);
}

const keyOf = ({
  target,
  connections,
  side,
}: {
  target: Target;
  connections: number;
  side: Side;
}) => `${target.file} ${connections} ${side}`;

/** Warms Varnish's cache, and writes a file with the same bytes for nginx. */
async function prepareTargets({
  origin,
  url,
  folder,
}: {
  origin: string;
  url: string;
  folder: string;
}): Promise<Target[]> {
  const [product] = await queryRows<{ id: number }>({
    url,
    sql: "select min(id) as id from products",
  });
  const pages = { home: "/", catalogue: "/products", product: `/product/${product?.id}` };
  const targets: Target[] = [];
  for (const [page, pagePath] of Object.entries(pages)) {
    for (const encoding of ["gzip", "plain"] as const) {
      const body = await fetchCached({
        url: origin + pagePath,
        headers: REQUEST_HEADERS[encoding],
      });
      const file = `${page}-${encoding}.html`;
      writeFileSync(path.join(folder, file), body);
      targets.push({ page, path: pagePath, encoding, bytes: body.length, file });
    }
  }
  return targets;
}

/** The body as sent, once it comes from the cache. */
async function fetchCached(options: { url: string; headers: Record<string, string> }) {
  for (;;) {
    const { body, headers } = await fetchBody(options);
    if (headers["x-cache"] === "HIT") return body;
  }
}

function fetchBody({ url, headers }: { url: string; headers: Record<string, string> }) {
  return new Promise<{ body: Buffer; headers: http.IncomingHttpHeaders }>((resolve, reject) => {
    http
      .get(url, { headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.once("error", reject);
        response.once("end", () =>
          resolve({ body: Buffer.concat(parts), headers: response.headers }),
        );
      })
      .once("error", reject);
  });
}

/** nginx, configured for static files as its manual advises, on an empty folder. */
async function startNginx(
  services: Services,
): Promise<Service & { origin: string; folder: string }> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-nginx-"));
  chmodSync(folder, 0o755);
  const configuration = path.join(folder, "nginx.conf");
  writeFileSync(
    configuration,
    `${process.getuid?.() === 0 ? `user ${userInfo().username};` : ""}
daemon off;
worker_processes auto;
pid ${folder}/pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=100;
  keepalive_requests 100000000;
  default_type text/html;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}
`,
  );
  return services.start(async () => {
    const child = spawn("nginx", ["-c", configuration, "-e", "stderr"], { stdio: "inherit" });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    return {
      origin: `http://127.0.0.1:${port}`,
      folder,
      stop: async () => {
        child.kill("SIGTERM");
        await ended;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
}

function report({ targets, best }: { targets: readonly Target[]; best: Best }) {
  const aims: Aim[] = [];
  const results: unknown[] = [];
  const rows = targets.flatMap((target) =>
    CONNECTIONS.map((connections) => {
      const [nginx, varnish] = (["nginx", "Varnish"] as const).map((side) =>
        best.get(keyOf({ target, connections, side })),
      );
      const ratio = (varnish?.perSecond ?? 0) / (nginx?.perSecond ?? 1);
      const name = `${target.page}, ${target.encoding}, ${connections} connections`;
      aims.push(aimOf({ name, value: ratio, atLeast: RATIO_LIMIT }));
      results.push({ ...target, connections, nginx, varnish, ratio });
      return [
        `${target.path}, ${target.encoding}`,
        formatFigure(target.bytes / 1000),
        String(connections),
        formatFigure(nginx?.perSecond),
        formatFigure(varnish?.perSecond),
        formatFigure(ratio),
        formatFigure(nginx?.p99),
        formatFigure(varnish?.p99),
      ];
    }),
  );
  console.log("\nRequests per second; p99 in milliseconds.");
  printTable(["", "kB", "at", "nginx", "Varnish", "ratio", "p99 nginx", "p99 Varnish"], rows);
  return { aims, results };
}
