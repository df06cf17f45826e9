import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { closeDatabase, db } from "@/db";
import { withConnection } from "@/db/connection";
import { forgetEnv } from "@/lib/env";
import { isDatabaseUnavailable } from "@/lib/errors/database-unavailable";
import { LockedError } from "@/sandbox/lock";
import { freePort } from "@/sandbox/ports";
import { joinOrStartPostgres, type PostgresServer, startPostgres } from "@/sandbox/postgres";
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
  await query(first.url, "CREATE TABLE kept AS SELECT 'gardé' AS text");
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

test("two commands do not run two servers on the same data", async () => {
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

    const guest = await joinOrStartPostgres({ dataDir });
    expect(guest.url).toBe(owner.url);
    expect(await query(guest.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await guest.stop();
    expect(await query(owner.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  } finally {
    await owner.stop();
  }
});

test("the database server stores French letters and requires the password", async () => {
  const server = await start();
  try {
    await query(
      server.url,
      "CREATE EXTENSION IF NOT EXISTS unaccent; CREATE EXTENSION IF NOT EXISTS pg_trgm",
    );
    expect(
      await query(
        server.url,
        "SELECT lower('ÉTÉ') AS small, unaccent('œuvre d’été') AS plain, similarity('été', 'étés') > 0.3 AS near",
      ),
    ).toEqual([{ small: "été", plain: "oeuvre d'ete", near: true }]);
    const stranger = new URL(server.url);
    stranger.password = "wrong";
    await expect(query(stranger.href, "SELECT 1")).rejects.toThrow(/password/);
  } finally {
    await server.stop({ isForced: true });
  }
});

test("the pool outlives a database that goes away and comes back", async () => {
  let server: PostgresServer = await start();
  const { DATABASE_URL, DATABASE_POOL_MAX } = process.env;
  await closeDatabase();
  Object.assign(process.env, { DATABASE_URL: server.url, DATABASE_POOL_MAX: "3" });
  forgetEnv();
  try {
    await db.execute("CREATE TABLE notes (text text)");

    // The connection is cut in a transaction, between two of its queries.
    const cut = await db
      .transaction(async (tx) => {
        const rows = await tx.execute<{ pid: number }>("SELECT pg_backend_pid() AS pid");
        await tx.execute("INSERT INTO notes VALUES ('half')");
        await query(server.url, `SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`);
        await tx.execute("INSERT INTO notes VALUES ('done')");
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(cut)).toBe(true);

    // More failures than the pool has connections: a failed transaction must not keep its connection.
    await server.stop();
    for (let attempt = 0; attempt < 8; attempt++) {
      const error = await db.transaction(async () => undefined).catch((reason: unknown) => reason);
      expect(isDatabaseUnavailable(error)).toBe(true);
    }

    server = await start();
    expect(process.env.DATABASE_URL).toBe(server.url);
    await db.transaction((tx) => tx.execute("INSERT INTO notes VALUES ('whole')"));
    expect(await db.execute("SELECT text FROM notes")).toEqual([{ text: "whole" }]);
    const wrong = await db.execute("SELECT nonsense").catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(wrong)).toBe(false);
  } finally {
    await closeDatabase();
    for (const [name, value] of Object.entries({ DATABASE_URL, DATABASE_POOL_MAX })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    forgetEnv();
    await server.stop({ isForced: true });
  }
});

interface Run {
  child: ChildProcess;
  written: () => string;
}

/** Runs the start command with this process's environment, without npm's and the tests' additions. */
function runStart(env: Record<string, string>): Run {
  const child = spawn(process.execPath, ["scripts/run.mjs"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, npm_lifecycle_event: undefined, SHOP_DEMO: "0", ...env },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  return { child, written: () => text.replace(/[\u00a0\u202f]/g, " ") };
}

async function listen(): Promise<{ port: number; server: net.Server }> {
  const server = net.createServer().listen({ port: 0 });
  await once(server, "listening");
  return { port: (server.address() as net.AddressInfo).port, server };
}

/** The card sandbox's address in the output of a running start. */
function sandboxOf({ written }: Run): string {
  const [, url] = /bac à sable de cartes \((http:\/\/127\.0\.0\.1:\d+)\)/.exec(written()) ?? [];
  if (!url) throw new Error(`No card sandbox: ${written()}`);
  return url;
}

test("a port in use is reported before anything is started", async () => {
  const { port, server } = await listen();
  try {
    const text = await refusedStart(runStart({ PORT: String(port), DATABASE_URL: "" }));
    expect(text).toContain(`Le port ${port} est déjà utilisé par un autre programme.`);
    expect(text).toMatch(/par exemple : PORT=\d+ npm start/);
    expect(text).not.toContain("base de données");
  } finally {
    server.close();
  }
});

/** Runs until the start is refused. Returns what was written. */
async function refusedStart({ child, written }: Run): Promise<string> {
  const [code] = await once(child, "close");
  expect(code, written()).toBe(1);
  return written();
}

test("a wrong variable stops the start", async () => {
  const text = await refusedStart(runStart({ PORT: "trois mille", TRUST_PROXY: "oui" }));
  expect(text).toContain(
    "PORT est incorrecte (« trois mille ») : il faut un nombre entier de 1 à 65535.",
  );
  expect(text).toContain("TRUST_PROXY est incorrecte");
});

test("the demonstration does not start with a live key", async () => {
  const text = await refusedStart(
    runStart({
      PORT: String(await freePort()),
      DATABASE_URL: "",
      STRIPE_SECRET_KEY: "sk_live_x",
      STRIPE_PUBLISHABLE_KEY: "pk_live_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
    }),
  );
  expect(text).toContain("STRIPE_SECRET_KEY est une clé réelle");
  expect(text).toContain("Donnez DATABASE_URL pour ouvrir votre boutique");
  expect(text).not.toContain("live_x");
  expect(text).not.toContain("base de données embarquée");
});

test("a shop that is no demonstration does not start without its address", async () => {
  const text = await refusedStart(
    runStart({
      PORT: String(await freePort()),
      DATABASE_URL: "postgresql://u:p@127.0.0.1:9/d",
      AUTH_SECRET: "a-secret-of-the-tests-that-signs-sessions",
      SITE_URL: "",
    }),
  );
  expect(text).toContain("SITE_URL manque, elle est obligatoire en production avec DATABASE_URL");
});

/** Runs the server without the start command, with these variables only. */
function runAlone(env: Record<string, string>): Run {
  const child = spawn(process.execPath, SERVER, {
    // An empty variable counts as unset. This keeps a developer's .env out of the tests.
    env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: "", DATABASE_URL: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => {
      text += bytes;
    });
  return { child, written: () => text };
}

test("a server without the start command, as in a container, exits with a wrong variable", async () => {
  const text = await refusedStart(runAlone({ TRUST_PROXY: "oui" }));
  expect(text).toContain("TRUST_PROXY est incorrecte");
});

test("a server without a database, as the folder of build:standalone, says that it needs one", async () => {
  expect(isBuildFresh(), "npm run build").toBe(true);
  const text = await refusedStart(runAlone({}));
  expect(text).toContain("DATABASE_URL manque, elle est obligatoire ici");
});

test("a server whose port is used names the variable, and purges no front cache", async () => {
  expect(isBuildFresh(), "npm run build").toBe(true);
  // A stand-in for both the cache in front and the program that takes the port.
  let connections = 0;
  const other = net.createServer(() => connections++).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as net.AddressInfo;
  const server = runAlone({
    CACHE_PURGE_URL: `http://127.0.0.1:${port}`,
    CACHE_PURGE_SECRET: "a-secret-of-a-cache",
    DATABASE_URL: "postgresql://shop@127.0.0.1:9/shop",
    AUTH_SECRET: "a-secret-of-a-test-that-is-long-enough",
    SITE_URL: "http://127.0.0.1",
    PORT: String(port),
    LISTEN_ADDRESS: "127.0.0.1",
  });
  const text = await refusedStart(server);
  other.close();
  expect(text).toContain(`(PORT=${port}, LISTEN_ADDRESS=127.0.0.1) : EADDRINUSE`);
  expect(connections).toBe(0);
});

test("the built shop starts on an external database, and stops all of its processes", async () => {
  test.slow();
  // With a stale build the start command would build, while other tests use the build.
  expect(isBuildFresh(), "npm run build").toBe(true);
  const server = await start();
  const port = await freePort();
  const env = {
    PORT: String(port),
    DATABASE_URL: server.url,
    AUTH_SECRET: "a-secret-of-the-tests-that-signs-sessions",
    SITE_URL: `http://localhost:${port}`,
    RESEND_API_KEY: "",
    STRIPE_SECRET_KEY: "",
  };
  const url = env.SITE_URL;
  const started: ChildProcess[] = [];
  const isClosed = () =>
    fetch(`${url}/api/tags`).then(
      () => false,
      () => true,
    );
  try {
    const first = runStart(env);
    started.push(first.child);
    await waitUntil({
      condition: () => first.written().includes("Ctrl-C") || first.child.exitCode !== null,
      timeoutMs: 60_000,
    });
    expect(first.written()).toContain(`La boutique est ouverte : ${url}`);
    expect(first.written()).toContain("Base de données mise à jour");
    expect(first.written()).toContain("Sans RESEND_API_KEY, aucun e-mail n'est envoyé");
    expect(first.written()).toContain("Sans clés de Stripe, n'importe qui passe commande");
    expect((await fetch(`${url}/mailbox`)).status).toBe(404);
    expect((await fetch(`${url}/api/tags`)).status).toBe(200);
    // Without Stripe's keys the card sandbox takes payments, and keeps its books.
    const cards = sandboxOf(first);
    const payment = await fetch(`${cards}/v1/payment_intents`, {
      method: "POST",
      headers: {
        Authorization: "Bearer sk_test_x",
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: "amount=500&currency=eur",
    });
    expect(payment.status).toBe(200);

    const again = runStart(env);
    started.push(again.child);
    expect(await refusedStart(again)).toContain(`La boutique tourne déjà : ${url}`);

    await test.step("a port of the card sandbox that is in use stops the start", async () => {
      const taken = net.createServer().listen({ port: 0, host: "127.0.0.1" });
      await once(taken, "listening");
      const { port: takenPort } = taken.address() as net.AddressInfo;
      const STRIPE_API_BASE = `http://127.0.0.1:${takenPort}`;
      const PORT = String(await freePort());
      const refused = runStart({ ...env, PORT, STRIPE_API_BASE });
      started.push(refused.child);
      const text = await refusedStart(refused);
      taken.close();
      expect(text).toContain(
        `Le port ${takenPort} du bac à sable de cartes est déjà pris par un autre programme.`,
      );
    });

    first.child.kill("SIGTERM");
    expect((await once(first.child, "close"))[0]).toBe(0);
    expect(await isClosed()).toBe(true);
    expect(await fetch(cards).catch(() => null)).toBeNull();

    // Even if the start command is killed without cleaning up, it stops the web server.
    const second = runStart(env);
    started.push(second.child);
    await waitUntil({
      condition: () => second.written().includes("Ctrl-C") || second.child.exitCode !== null,
      timeoutMs: 60_000,
    });
    expect(second.written()).toContain(`La boutique est ouverte : ${url}`);
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
