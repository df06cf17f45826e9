import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ENV_NAMES } from "@/lib/env-schema";
import { freePort } from "@/sandbox/ports";
import { NEXT, SERVER } from "@/scripts/build";
import { initialEnv, ROOT } from "@/scripts/command";
import { type Service, type Services, startNode } from "@/scripts/services";

const START_TIMEOUT_MS = 60_000;

/** The environment of a benchmark: unsets all variables of the caller's shop and its `.env` files. */
function benchEnv(settings: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...initialEnv,
    ...Object.fromEntries(ENV_NAMES.map((name) => [name, ""])),
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // A build of its own, with app/bench: next.config.ts.
    NEXT_DIST_DIR: ".next-bench",
    ...settings,
  };
}

/** Node.js's arguments for a host that starts Next.js itself. */
export const NEXT_START = [...NEXT, "start"];

/** Builds the shop for production, with the bare routes of app/bench. */
export async function buildShop(services: Services): Promise<void> {
  // Next.js writes the build folder into this file: restores it.
  const types = path.join(ROOT, "next-env.d.ts");
  const before = existsSync(types) ? readFileSync(types) : null;
  const build = await services.start(async () =>
    startNode({ args: [...NEXT, "build"], env: benchEnv({}), stdout: "ignore" }),
  );
  const code = await build.ended;
  if (before === null) rmSync(types, { force: true });
  else writeFileSync(types, before);
  if (code !== 0) throw new Error(`next build: ${code}`);
}

export interface Server extends Service {
  origin: string;
}

/**
 * Starts the built shop on a running database, practically without rate limits.
 *
 * @param settings environment variables that add to or replace the usual ones
 */
export async function startShop({
  services,
  databaseUrl,
  settings = {},
  args = SERVER,
  port,
}: {
  services: Services;
  databaseUrl: string;
  settings?: Record<string, string>;
  /** Node.js's arguments; the shop's own server if not given. */
  args?: readonly string[];
  /** Any free port if not given. */
  port?: number;
}): Promise<Server> {
  const ownPort = port ?? (await freePort());
  return startServer({
    services,
    port: ownPort,
    args,
    env: benchEnv({
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: randomBytes(48).toString("base64url"),
      PORT: String(ownPort),
      LISTEN_ADDRESS: "127.0.0.1",
      SITE_URL: `http://127.0.0.1:${ownPort}`,
      RATE_LIMIT_SCALE: "1000000",
      LOG_LEVEL: "error",
      ...settings,
    }),
  });
}

/** Starts a program of Node.js that serves HTTP on this port, and waits for its first answer. */
export async function startServer({
  services,
  port,
  args,
  env,
}: {
  services: Services;
  port: number;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}): Promise<Server> {
  const origin = `http://127.0.0.1:${port}`;
  const child = await services.start(async () => startNode({ args, env, stdout: "ignore" }));
  let hasEnded = false;
  void child.ended.then(() => {
    hasEnded = true;
  });
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end && !hasEnded; await delay(50)) {
    const isUp = await fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { origin, stop: child.stop };
  }
  throw new Error(`No answer from ${args.join(" ")}`);
}
