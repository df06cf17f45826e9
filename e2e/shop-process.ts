import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ENV_NAMES, type EnvName } from "@/lib/env";
import { isBuildFresh } from "@/scripts/fresh-build";
import { GATE, NEXT_PROGRAM } from "@/scripts/next-program";

const ROOT = path.resolve(import.meta.dirname, "..");
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, "shop-preload.mjs")).href;

/** Of the operating system, and needed by every program. */
const SYSTEM_NAMES = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG", "SystemRoot"];

/** Set to 1, it lets the tests run against a build that is older than the sources. */
const STALE_BUILD = "E2E_STALE_BUILD";

export type ShopEnv = Partial<Record<EnvName, string>>;

/** A built shop that runs for tests: the real `next start`, in a process of its own. */
export interface ShopProcess {
  /** Without a slash at its end. */
  baseURL: string;
  /** The variables it was started with. */
  env: ShopEnv;
  /** What it has written so far, both streams. */
  log(): string;
  /**
   * Empties its cache of pages and data. Writes through the API expire what they change by
   * themselves; rows that a test writes straight into the database are seen only after this.
   */
  forgetCaches(): Promise<void>;
  /** Moves its clock, which decides how old a cached page is, so many seconds ahead. */
  advanceClock(seconds: number): Promise<void>;
  pid: number;
  /** SIGKILL. */
  stop(): Promise<void>;
  /** Asks it to end in order (SIGTERM). Returns its exit code; null where it was killed after all. */
  end(): Promise<number | null>;
}

/**
 * A free port below those that systems give to outgoing connections, so that none of these takes
 * it before the shop does.
 */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = net.createServer();
      server.once("error", () => resolve(false));
      server.listen({ port, host: "127.0.0.1" }, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Settles with the next message of this kind; rejects when the process ends before. */
async function messageOf({
  child,
  event,
  log,
}: {
  child: ChildProcess;
  event: string;
  log: () => string;
}): Promise<void> {
  const waiting = new AbortController();
  try {
    await Promise.race([
      (async () => {
        for (;;) {
          const [message] = (await once(child, "message", waiting)) as [{ event?: string }];
          if (message.event === event) return;
        }
      })(),
      once(child, "exit", waiting).then(([code, signal]) => {
        throw new Error(`The shop has ended (${code ?? signal}):\n${log()}`);
      }),
    ]);
  } finally {
    waiting.abort();
  }
}

async function launch(given: ShopEnv): Promise<ShopProcess> {
  const port = await findPort();
  const baseURL = `http://127.0.0.1:${port}`;
  const env: ShopEnv = { SITE_URL: baseURL, ...given, PORT: String(port) };
  const child = spawn(
    process.execPath,
    [
      "--import",
      PRELOAD,
      ...GATE,
      ...NEXT_PROGRAM,
      "start",
      "--port",
      String(port),
      "--hostname",
      "127.0.0.1",
    ],
    {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...Object.fromEntries(SYSTEM_NAMES.map((name) => [name, process.env[name]])),
        // Empty counts as not given, and keeps a developer's .env out of the tests.
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
  await messageOf({ child, event: "listening", log });
  // It listens a moment before it answers.
  await new Promise<void>((resolve, reject) => {
    http
      .get(`${baseURL}/robots.txt`, (answer) => answer.resume().once("end", resolve))
      .once("error", reject);
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    baseURL,
    env,
    log,
    forgetCaches: async () => {
      const forgotten = messageOf({ child, event: "caches-forgotten", log });
      child.send("forget-caches");
      await forgotten;
    },
    advanceClock: async (seconds) => {
      const advanced = messageOf({ child, event: "clock-advanced", log });
      child.send({ advance: seconds });
      await advanced;
    },
    pid: child.pid ?? 0,
    stop: async () => {
      if (hasEnded()) return;
      const ended = once(child, "exit");
      // Nothing in it is worth an orderly end.
      child.kill("SIGKILL");
      await ended;
    },
    end: async () => {
      if (!hasEnded()) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      return child.exitCode;
    },
  };
}

/** Looked at once per process: whoever edits while the tests run gets the build that they began with. */
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
    // Another program may have taken the port in between.
    if (String(error).includes("EADDRINUSE")) return launch(env);
    throw error;
  }
}
