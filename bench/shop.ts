import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ENV_NAMES } from "@/lib/env";
import { startNode } from "@/scripts/child";
import { givenEnv, ROOT } from "@/scripts/command";
import { NEXT_PROGRAM, SERVER_ENV, serverProgram } from "@/scripts/next-program";
import type { Service, Services } from "@/scripts/services";

const START_MS = 60_000;

/** The environment of a benchmark: nothing of the caller's own shop, `.env` files included. */
function benchEnv(settings: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...givenEnv,
    ...Object.fromEntries(ENV_NAMES.map((name) => [name, ""])),
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // Adds app/bench, and builds into a folder of its own: next.config.ts.
    BENCH_BUILD: "1",
    ...settings,
  };
}

/** Builds the shop as for production, with the bare routes of app/bench beside it. */
export async function buildShop(services: Services): Promise<void> {
  // Next.js writes into this file where its types lie: the next build of the shop needs no change.
  const types = path.join(ROOT, "next-env.d.ts");
  const before = readText(types);
  const build = await services.start(async () =>
    startNode({ args: [...NEXT_PROGRAM, "build"], env: benchEnv({}), stdout: "ignore" }),
  );
  const code = await build.ended;
  if (before === null) rmSync(types, { force: true });
  else writeFileSync(types, before);
  if (code !== 0) throw new Error(`next build: ${code}`);
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** A server under measurement. */
export interface Server extends Service {
  origin: string;
  pid: number;
  /** From the start of its process to its first complete answer, in milliseconds. */
  firstAnswerMs: number;
}

/**
 * Starts the built shop on a database that is up. Its rate limits are out of the way.
 *
 * @param settings variables in place of or beside the usual ones
 */
export const startShop = ({
  services,
  databaseUrl,
  settings = {},
  port,
}: {
  services: Services;
  databaseUrl: string;
  settings?: Record<string, string>;
  /** Any free one if not given. */
  port?: number;
}) =>
  startServer({
    services,
    port,
    first: "/",
    args: (port) => [
      ...serverProgram(undefined),
      "start",
      "--hostname",
      "127.0.0.1",
      "--port",
      String(port),
    ],
    env: (port) =>
      benchEnv({
        ...SERVER_ENV,
        DATABASE_URL: databaseUrl,
        AUTH_SECRET: randomBytes(48).toString("base64url"),
        PORT: String(port),
        RATE_LIMIT_SCALE: "1000000",
        LOG_LEVEL: "error",
        ...settings,
      }),
  });

/** Starts the bare `node:http` server. */
export const startBareServer = (services: Services) =>
  startServer({
    services,
    first: "/",
    args: (port) => [path.join(ROOT, "bench/bare-server.mjs"), String(port)],
    env: () => givenEnv,
  });

async function startServer(options: {
  services: Services;
  first: string;
  args: (port: number) => string[];
  env: (port: number) => NodeJS.ProcessEnv;
  port?: number | undefined;
}): Promise<Server> {
  const port = options.port ?? (await findPort());
  const origin = `http://127.0.0.1:${port}`;
  const begin = performance.now();
  const child = await options.services.start(async () =>
    startNode({ args: options.args(port), env: options.env(port), stdout: "ignore" }),
  );
  let hasEnded = false;
  void child.ended.then(() => {
    hasEnded = true;
  });
  while (performance.now() - begin < START_MS && !hasEnded) {
    if (await answersWell(origin + options.first)) {
      return {
        origin,
        pid: child.pid,
        firstAnswerMs: performance.now() - begin,
        stop: child.stop,
      };
    }
    await delay(5);
  }
  throw new Error(`No answer from ${options.args(port).join(" ")}`);
}

async function answersWell(address: string): Promise<boolean> {
  try {
    const response = await fetch(address);
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

export function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
