import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { withConnection } from "@/db/connection";
import { LockedError } from "@/sandbox/lock";
import { freePort } from "@/sandbox/ports";
import { joinOrStartPostgres, startPostgres } from "@/sandbox/postgres";
import { isRunning, waitUntil } from "@/sandbox/processes";
import { findServerAccount } from "@/sandbox/server-account";
import { isBuildFresh, SERVER } from "@/scripts/build";
import { DATA_DIR } from "@/scripts/database";

// The embedded database and the start command, mostly how they survive interruptions.

let folder = "";
let dataDir = "";

test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-start-"));
  chmodSync(folder, 0o711);
  dataDir = path.join(folder, "postgres");
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = () => startPostgres({ dataDir });

function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  return withConnection({ url }, (sql) => sql.unsafe(text));
}

const pidFile = () => path.join(realpathSync(dataDir), "data/postmaster.pid");

function killHard(pid: number): Promise<boolean> {
  process.kill(pid, "SIGKILL");
  return waitUntil({ condition: () => !isRunning(pid), timeoutMs: 30_000 });
}

test("committed data survives a killed database server", async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE kept AS SELECT lower('GARDÉ') AS text");
  await killHard(first.pid);
  await first.ended;

  // The number in the pid file belongs to another program of the same account.
  const account = findServerAccount({ owned: [dataDir] });
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], {
    ...account,
    cwd: "/",
    stdio: "ignore",
  });
  await once(other, "spawn");
  const lines = readFileSync(pidFile(), "utf8").split("\n");
  writeFileSync(pidFile(), [String(other.pid), ...lines.slice(1)].join("\n"));

  const second = await start();
  try {
    expect(other.exitCode ?? other.signalCode).toBeNull();
    expect(await query(second.url, "SELECT text FROM kept")).toEqual([{ text: "gardé" }]);
    expect(second.url).toBe(first.url);
  } finally {
    other.kill("SIGKILL");
    await second.stop();
  }
  expect(isRunning(second.pid)).toBe(false);
});

test("a killed command stops its database, and the next command finds all data", async () => {
  const script = `
    import { startPostgres } from "@/sandbox/postgres";
    const { url, pid } = await startPostgres({ dataDir: process.argv[1] });
    process.send({ url, pid });
    setInterval(() => {}, 1e6);
  `;
  const command = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", script, dataDir],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const [{ url, pid }] = (await once(command, "message")) as [{ url: string; pid: number }];
  await query(url, "CREATE TABLE ones AS SELECT 1 AS one");
  command.kill("SIGKILL");
  await once(command, "exit");

  // Start again at once, while the orphaned server may still be there.
  const next = await start();
  try {
    expect(isRunning(pid)).toBe(false);
    expect(await query(next.url, "SELECT one FROM ones")).toEqual([{ one: 1 }]);
  } finally {
    await next.stop();
  }
});

test("two commands do not run two servers on the same data, which takes a password to read", async () => {
  const owner = await startPostgres({
    dataDir,
    holder: { command: "npm start", address: "http://localhost:3000" },
  });
  try {
    const refusal = await startPostgres({ dataDir }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LockedError);
    expect((refusal as LockedError).message).toContain(
      `« npm start » (processus ${process.pid}, http://localhost:3000)`,
    );

    const stranger = new URL(owner.url);
    stranger.password = "wrong";
    await expect(query(stranger.href, "SELECT 1")).rejects.toThrow(/password/);
    const guest = await joinOrStartPostgres({ dataDir });
    expect(guest.url).toBe(owner.url);
    expect(await query(guest.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await guest.stop();
    expect(await query(owner.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  } finally {
    await owner.stop();
  }
});

interface Run {
  child: ChildProcess;
  written: () => string;
}

function run(args: readonly string[], env: Record<string, string | undefined>): Run {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: env as NodeJS.ProcessEnv,
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  return { child, written: () => text.replace(/[\u00a0\u202f]/g, " ") };
}

/** Runs the start command with this process's environment, without npm's and the tests' additions. */
const runStart = (env: Record<string, string>) =>
  run(["scripts/run.mjs"], {
    ...process.env,
    npm_lifecycle_event: undefined,
    SHOP_DEMO: "0",
    ...env,
  });

/** Runs the server without the start command, as in a container, with these variables only. */
const runAlone = (env: Record<string, string>) =>
  // An empty variable counts as unset. This keeps a developer's .env out of the tests.
  run(SERVER, {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    PORT: "",
    DATABASE_URL: "",
    ...env,
  });

/** Runs until the start is refused. Returns what was written. */
async function refusedStart({ child, written }: Run): Promise<string> {
  const [code] = await once(child, "close");
  expect(code, written()).toBe(1);
  return written();
}

/** Another program that listens on a port. */
async function listen(host?: string) {
  let connections = 0;
  const server = net.createServer(() => connections++).listen({ port: 0, host });
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  return { port, connections: () => connections, close: () => server.close() };
}

const OWN_SHOP = {
  DATABASE_URL: "postgresql://shop@127.0.0.1:9/shop",
  AUTH_SECRET: "a-secret-of-the-tests-that-signs-sessions",
  SITE_URL: "http://127.0.0.1",
};

test("a port in use, a wrong variable, and a demonstration that would charge cards stop the start", async () => {
  const other = await listen();
  const PORT = String(other.port);
  const inUse = await refusedStart(runStart({ PORT, DATABASE_URL: "" }));
  other.close();
  expect(inUse).toContain(`Le port ${PORT} est déjà utilisé par un autre programme.`);
  expect(inUse).toMatch(/par exemple : PORT=\d+ npm start/);
  const wrong = await refusedStart(runStart({ PORT: "trois mille", TRUST_PROXY: "oui" }));
  expect(wrong).toContain(
    "PORT est incorrecte (« trois mille ») : il faut un nombre entier de 1 à 65535.",
  );
  expect(wrong).toContain("TRUST_PROXY est incorrecte");
  const live = await refusedStart(
    runStart({
      PORT: String(await freePort()),
      DATABASE_URL: "",
      STRIPE_SECRET_KEY: "sk_live_x",
      STRIPE_PUBLISHABLE_KEY: "pk_live_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
    }),
  );
  expect(live).toContain("STRIPE_SECRET_KEY est une clé réelle");
  expect(live).toContain("Donnez DATABASE_URL pour ouvrir votre boutique");
  expect(live).not.toContain("live_x");
  // Nothing has been started before.
  expect(inUse).not.toContain("base de données");
  expect(live).not.toContain("base de données embarquée");
});

test("a server without the start command says what it lacks", async () => {
  expect(isBuildFresh(), "npm run build").toBe(true);
  const wrong = await refusedStart(runAlone({ TRUST_PROXY: "oui" }));
  expect(wrong).toContain("TRUST_PROXY est incorrecte");
  const missing = await refusedStart(runAlone({}));
  expect(missing).toContain("DATABASE_URL manque, elle est obligatoire ici");
  // A stand-in for both the cache in front and the program that takes the port: nothing is purged.
  const other = await listen("127.0.0.1");
  const PORT = String(other.port);
  const CACHE_PURGE_URL = `http://127.0.0.1:${PORT}`;
  const CACHE_PURGE_SECRET = "a-secret-of-a-cache";
  const host = { PORT, LISTEN_ADDRESS: "127.0.0.1" };
  const inUse = await refusedStart(
    runAlone({ ...OWN_SHOP, ...host, CACHE_PURGE_URL, CACHE_PURGE_SECRET }),
  );
  other.close();
  expect(inUse).toContain(`(PORT=${PORT}, LISTEN_ADDRESS=127.0.0.1) : EADDRINUSE`);
  expect(other.connections()).toBe(0);
});

/** The card sandbox's address in the output of a running start. */
function sandboxOf({ written }: Run): string {
  const [, url] = /bac à sable de cartes \((http:\/\/127\.0\.0\.1:\d+)\)/.exec(written()) ?? [];
  if (!url) throw new Error(`No card sandbox: ${written()}`);
  return url;
}

test("the built shop starts on an external database, and stops all of its processes", async () => {
  test.slow();
  // With a stale build the start command would build, while other tests use the build.
  expect(isBuildFresh(), "npm run build").toBe(true);
  const server = await start();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    ...OWN_SHOP,
    PORT: String(port),
    DATABASE_URL: server.url,
    SITE_URL: url,
    RESEND_API_KEY: "",
    STRIPE_SECRET_KEY: "",
  };
  const started: ChildProcess[] = [];
  const begin = (more: Record<string, string> = {}) => {
    const shop = runStart({ ...env, ...more });
    started.push(shop.child);
    return shop;
  };
  const open = async () => {
    const shop = begin();
    const isOver = () => shop.written().includes("Ctrl-C") || shop.child.exitCode !== null;
    await waitUntil({ condition: isOver, timeoutMs: 60_000 });
    expect(shop.written()).toContain(`La boutique est ouverte : ${url}`);
    return shop;
  };
  const isClosed = () =>
    fetch(`${url}/api/tags`).then(
      () => false,
      () => true,
    );
  try {
    const first = await open();
    for (const notice of [
      "Base de données mise à jour",
      "Sans RESEND_API_KEY, aucun e-mail n'est envoyé",
      "Sans clés de Stripe, n'importe qui passe commande",
    ])
      expect(first.written()).toContain(notice);
    expect((await fetch(`${url}/mailbox`)).status).toBe(404);
    expect((await fetch(`${url}/api/tags`)).status).toBe(200);
    // Without Stripe's keys the card sandbox takes payments, and keeps its books.
    const cards = sandboxOf(first);
    const payment = await fetch(`${cards}/v1/payment_intents`, {
      method: "POST",
      headers: { Authorization: "Bearer sk_test_x" },
      body: new URLSearchParams({ amount: "500", currency: "eur" }),
    });
    expect(payment.status).toBe(200);
    expect(await refusedStart(begin())).toContain(`La boutique tourne déjà : ${url}`);

    const taken = await listen("127.0.0.1");
    const STRIPE_API_BASE = `http://127.0.0.1:${taken.port}`;
    const refused = await refusedStart(begin({ PORT: String(await freePort()), STRIPE_API_BASE }));
    taken.close();
    expect(refused).toContain(
      `Le port ${taken.port} du bac à sable de cartes est déjà pris par un autre programme.`,
    );

    first.child.kill("SIGTERM");
    expect((await once(first.child, "close"))[0]).toBe(0);
    expect(await isClosed()).toBe(true);
    expect(await fetch(cards).catch(() => null)).toBeNull();

    // Even if the start command is killed without cleaning up, it stops the web server.
    const second = await open();
    const books = await fetch(`${sandboxOf(second)}/_sandbox/payments`);
    expect((await books.json()) as unknown).toMatchObject({ payments: [{ amount: 500 }] });
    second.child.kill("SIGKILL");
    expect(await waitUntil({ condition: isClosed, timeoutMs: 30_000 })).toBe(true);
    expect(isRunning(server.pid)).toBe(true);
  } finally {
    for (const child of started) child.kill("SIGKILL");
    await server.stop({ isForced: true });
    for (const name of [`cards-${port}.jsonl`, `cards-${port}.jsonl.lock`])
      rmSync(path.join(DATA_DIR, name), { force: true });
  }
});
