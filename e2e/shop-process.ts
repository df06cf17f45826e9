import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { ENV_NAMES, type EnvName } from "@/lib/env-schema";
import { freePort } from "@/sandbox/ports";
import { isBuildFresh, NEXT, SERVER } from "@/scripts/build";

const ROOT = path.resolve(import.meta.dirname, "..");
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, "shop-preload.mjs")).href;

/** Variables of the operating system that every program needs. */
const SYSTEM_NAMES = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG", "SystemRoot"];

/** If set to 1, the tests run against a build that is older than the sources. */
const STALE_BUILD = "E2E_STALE_BUILD";

export type ShopEnv = Partial<Record<EnvName | "NODE_OPTIONS", string>>;

/** A built shop that runs for tests: the real server, in a process of its own. */
export interface ShopProcess {
  /** Without a slash at its end. */
  baseURL: string;
  /** The variables it was started with. */
  env: ShopEnv;
  /** The shop's output to stdout and stderr so far. */
  log(): string;
  /**
   * Clears the shop's cache of pages and data. A write through the API expires what it changes. Rows that
   * a test writes to the database directly are seen only after this call.
   */
  forgetCaches(): Promise<void>;
  /** Advances the shop's clock by this many seconds. The clock determines the age of cached pages. */
  advanceClock(seconds: number): Promise<void>;
  pid: number;
  /** SIGKILL. */
  stop(): Promise<void>;
  /** Shuts it down gracefully (SIGTERM). Returns its exit code; null if it was killed. */
  end(): Promise<number | null>;
}

/** Settles with the next message of this kind. Rejects if the process ends first. */
function messageOf({
  child,
  event,
  log,
}: {
  child: ChildProcess;
  event: string;
  log: () => string;
}): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => child.off("message", onMessage).off("close", onClose);
    // Listens permanently: two messages may come in one turn of the event loop.
    const onMessage = (message: unknown) => {
      if (message !== event && (message as { event?: string }).event !== event) return;
      stopWaiting();
      resolve();
    };
    // "close", not "exit": at the exit, the last lines of the log may still be on their way.
    const onClose = (code: number | null, signal: string | null) => {
      stopWaiting();
      reject(new Error(`The shop has ended (${code ?? signal}):\n${log()}`));
    };
    child.on("message", onMessage).on("close", onClose);
  });
}

/** Settles when a server answers at this URL. */
async function waitForAnswer(url: string, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await delay(50);
  }
  throw new Error("The shop has ended.");
}

async function launch(
  given: ShopEnv,
  { isNextAlone = false }: { isNextAlone?: boolean } = {},
): Promise<ShopProcess> {
  const port = await freePort();
  const baseURL = `http://127.0.0.1:${port}`;
  const env: ShopEnv = {
    SITE_URL: baseURL,
    ...given,
    PORT: String(port),
    LISTEN_ADDRESS: "127.0.0.1",
  };
  const child = spawn(
    process.execPath,
    ["--import", PRELOAD, ...(isNextAlone ? [...NEXT, "start", "--port", String(port)] : SERVER)],
    {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...Object.fromEntries(SYSTEM_NAMES.map((name) => [name, process.env[name]])),
        // An empty variable counts as unset. This keeps a developer's .env out of the tests.
        ...Object.fromEntries(ENV_NAMES.map((name) => [name, ""])),
        ...env,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
      },
    },
  );
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      written = (written + text).slice(-200_000);
    });
  }
  const log = () => written;
  // "close" comes after the exit, when the whole output is in the log.
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  if (isNextAlone) await waitForAnswer(`${baseURL}/robots.txt`, hasEnded);
  else await messageOf({ child, event: "ready", log });
  return {
    baseURL,
    env,
    log,
    forgetCaches: async () => {
      const cleared = messageOf({ child, event: "caches-forgotten", log });
      child.send("forget-caches");
      await cleared;
    },
    advanceClock: async (seconds) => {
      const advanced = messageOf({ child, event: "clock-advanced", log });
      child.send({ advance: seconds });
      await advanced;
    },
    pid: child.pid ?? 0,
    stop: async () => {
      // The shop holds nothing that needs a graceful shutdown.
      if (!hasEnded()) child.kill("SIGKILL");
      await closed;
    },
    end: async () => {
      if (!hasEnded()) child.kill("SIGTERM");
      await closed;
      return child.exitCode;
    },
  };
}

/** Checked once per process: editing while the tests run does not stop them. */
let isBuildChecked = false;

function requireBuild(): void {
  if (isBuildChecked || process.env[STALE_BUILD] === "1") return;
  if (!isBuildFresh()) {
    throw new Error(
      `There is no build of these sources: npm run build. (${STALE_BUILD}=1 tests the build that is there.)`,
    );
  }
  isBuildChecked = true;
}

/** Starts the built shop on a free port. */
export async function startShop(env: ShopEnv): Promise<ShopProcess> {
  requireBuild();
  try {
    return await launch(env);
  } catch (error) {
    // Another program may have taken the free port in the meantime.
    if (String(error).includes("EADDRINUSE")) return launch(env);
    throw error;
  }
}

/**
 * Starts Next.js without the shop's server, as a serverless host does. It runs beside a shop, with the
 * shop's variables.
 */
export function startNextAlone(env: ShopEnv): Promise<ShopProcess> {
  return launch(env, { isNextAlone: true });
}
