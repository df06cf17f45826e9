import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ENV_NAMES } from "@/lib/env-schema";
import { freePort } from "@/sandbox/ports";
import { bundleServer } from "@/scripts/bundle";
import { startNode } from "@/scripts/child";
import { initialEnv, ROOT } from "@/scripts/command";
import { NEXT_PROGRAM, serverProgram } from "@/scripts/server-program";
import type { Service, Services } from "@/scripts/services";

const START_TIMEOUT_MS = 60_000;

/** The environment of a benchmark: unsets all variables of the caller's shop and its `.env` files. */
function benchEnv(settings: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...initialEnv,
    ...Object.fromEntries(ENV_NAMES.map((name) => [name, ""])),
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // Adds app/bench, and builds into .next-bench: next-config.ts.
    BENCH_BUILD: "1",
    ...settings,
  };
}

/** Builds the shop for production, with the bare routes of app/bench. */
export async function buildShop(services: Services): Promise<void> {
  // Next.js writes the build folder into this file: restores it.
  const types = path.join(ROOT, "next-env.d.ts");
  const before = readText(types);
  await bundleServer({ isDev: false });
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
  /** Milliseconds from the start of its process to its first complete response. */
  firstAnswerMs: number;
}

/**
 * Starts the built shop on a running database, practically without rate limits.
 *
 * @param settings environment variables that add to or replace the usual ones
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
  /** Any free port if not given. */
  port?: number;
}) =>
  startServer({
    services,
    port,
    path: "/",
    args: () => serverProgram(),
    env: (port) =>
      benchEnv({
        DATABASE_URL: databaseUrl,
        AUTH_SECRET: randomBytes(48).toString("base64url"),
        PORT: String(port),
        LISTEN_ADDRESS: "127.0.0.1",
        SITE_URL: `http://127.0.0.1:${port}`,
        RATE_LIMIT_SCALE: "1000000",
        LOG_LEVEL: "error",
        ...settings,
      }),
  });

/** Starts the bare `node:http` server. */
export const startBareServer = (services: Services) =>
  startServer({
    services,
    path: "/",
    args: (port) => [path.join(ROOT, "bench/bare-server.mjs"), String(port)],
    env: () => initialEnv,
  });

async function startServer(options: {
  services: Services;
  path: string;
  args: (port: number) => string[];
  env: (port: number) => NodeJS.ProcessEnv;
  port?: number | undefined;
}): Promise<Server> {
  const port = options.port ?? (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const begin = performance.now();
  const child = await options.services.start(async () =>
    startNode({ args: options.args(port), env: options.env(port), stdout: "ignore" }),
  );
  let hasEnded = false;
  void child.ended.then(() => {
    hasEnded = true;
  });
  while (performance.now() - begin < START_TIMEOUT_MS && !hasEnded) {
    if (await respondsOk(origin + options.path)) {
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

async function respondsOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
