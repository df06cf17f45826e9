import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { withConnection } from "@/db/connection";
import { demoAdmin, demoCustomer } from "@/db/seed/people";
import { parseEnv } from "@/lib/env";
import type { Env } from "@/lib/env-schema";
import { OperatorError } from "@/lib/errors/operator-error";
import { HANDLED_EVENTS, SANDBOX_PORT, sandboxWebhookSecret } from "@/lib/payment-settings";
import { startCardSandbox } from "@/sandbox/cards/server";
import { acquireLock, type LockDescription, readLock } from "@/sandbox/lock";
import { acceptsConnections, freePort, listenError } from "@/sandbox/ports";
import { startPostgres } from "@/sandbox/postgres";
import { waitUntil } from "@/sandbox/processes";
import { isBuildFresh, NEXT, SERVER, startBuild } from "@/scripts/build";
import { initialEnv, loadEnvFiles, print, printError, runCommand } from "@/scripts/command";
import {
  chownToCheckoutOwner,
  createDataFolders,
  DATA_DIR,
  makeDataDir,
  migrateWhenUp,
  POSTGRES_DIR,
  readOrCreateAuthSecret,
  requireDataDir,
} from "@/scripts/database";
import { Services, startNode } from "@/scripts/services";
import {
  demonstrationNotice,
  missingServiceNotices,
  refuseRealDemonstration,
  urlOf,
  urlsForOthers,
} from "@/scripts/start-notices";

// npm start – starts the services that the shop needs, and the shop.
// npm run dev – the same with the development server.
// package.json calls it with `exec`, since npm's shell would not forward signals. Windows has no `exec` and
// runs the command after `||`.

const isDev = process.argv.includes("--dev");
const services = new Services(0);

async function startShop(settings: Env): Promise<void> {
  const { PORT: port, LISTEN_ADDRESS: host } = settings;
  const url = urlOf(host ?? "localhost", port);
  const holder = { command: isDev ? "npm run dev" : "npm start", address: url };
  const isDemo = settings.DATABASE_URL === undefined;
  if (isDemo) {
    refuseRealDemonstration(settings);
    requireDataDir();
  }
  createDataFolders();
  await claimPort({ settings, holder });

  const databaseUrl = settings.DATABASE_URL ?? (await startDemoDatabase(holder));
  if (!isDemo) {
    const count = await migrateWhenUp(databaseUrl);
    if (count > 0) print(`Base de données mise à jour : ${count} migration(s) appliquée(s).`);
  }

  if (!isDev && !isBuildFresh()) {
    print("Construction de la boutique (une minute environ, une seule fois)…");
    const build = await services.start(() => startBuild());
    const code = await build.ended;
    if (code !== 0) await services.shutDown(code);
  }

  const authSecret = settings.AUTH_SECRET ?? readOrCreateAuthSecret();
  const cardsUrl = await startCards({ settings, authSecret });

  const nextDev = [...NEXT, "dev", "--port", String(port), ...(host ? ["--hostname", host] : [])];
  const web = await services.start(() =>
    startNode({
      args: isDev ? nextDev : SERVER,
      // Without the variables of the `.env` files: Next.js reads these itself, again when they change.
      env: {
        ...initialEnv,
        NODE_ENV: isDev ? "development" : "production",
        NEXT_TELEMETRY_DISABLED: "1",
        AUTH_SECRET: authSecret,
        PORT: String(port),
        ...(cardsUrl !== null && { STRIPE_API_BASE: cardsUrl }),
        ...(isDemo && { DATABASE_URL: databaseUrl, SHOP_DEMO: "1" }),
      },
      // Longer than the server's own limit for open requests.
      graceMs: settings.DRAIN_DELAY * 1000 + 25_000,
    }),
  );
  void web.ended.then((code) =>
    endWith({ code, reason: `Le serveur web s'est arrêté (code ${code})` }),
  );

  const isOpen = () =>
    services.isShuttingDown || acceptsConnections({ port, host: host ?? "localhost" });
  await waitUntil({ condition: isOpen, timeoutMs: 60_000 });
  if (services.isShuttingDown) return;
  print(`\nLa boutique est ouverte : ${url}`);
  if (isDemo) {
    print("\nComptes de démonstration :");
    print(`  Administrateur : ${demoAdmin.email} / ${demoAdmin.password}`);
    print(`  Client :         ${demoCustomer.email} / ${demoCustomer.password}`);
  }
  if (cardsUrl !== null)
    print(`\nPaiements : bac à sable de cartes (${cardsUrl}), aucun argent ne circule.`);
  const notices = isDemo
    ? [demonstrationNotice(urlsForOthers({ host, port }))]
    : missingServiceNotices(settings);
  for (const notice of notices) if (notice !== null) print(`\n${notice}`);
  print("\nCtrl-C l'arrête.\n");
}

/** Shuts the shop down because a part of it has ended. */
function endWith({ code, reason }: { code: number; reason: string }): void {
  if (services.isShuttingDown) return;
  print(`${reason} : la boutique s'arrête aussi.`);
  void services.shutDown(code);
}

/** How long the web server of a killed start may take to end. */
const PORT_RELEASE_TIMEOUT_MS = 15_000;

/**
 * Reserves the port for this shop before anything else is started.
 *
 * @throws OperatorError that says what to do instead
 */
async function claimPort({
  settings,
  holder,
}: {
  settings: Env;
  holder: LockDescription;
}): Promise<void> {
  const { PORT: port, LISTEN_ADDRESS: host } = settings;
  const file = path.join(DATA_DIR, `port-${port}.lock`);
  const other = readLock(file);
  if (other)
    throw new OperatorError(
      `La boutique tourne déjà : ${other.address} (« ${other.command} », processus ${other.owner.pid}). Arrêtez-la par Ctrl-C dans son terminal, ou par : kill ${other.owner.pid}`,
    );
  const isReleased = async () => (await listenError({ port, host })) !== "EADDRINUSE";
  if (existsSync(file))
    await waitUntil({ condition: isReleased, timeoutMs: PORT_RELEASE_TIMEOUT_MS });
  const error = await listenError({ port, host });
  if (error === null) {
    // The folder may be read-only if the database is elsewhere.
    if (!makeDataDir()) return;
    const release = await acquireLock({ file, ...holder });
    await services.start(() => ({ stop: async () => release() }));
    return;
  }
  const free = await freePort(port < 65_000 ? port + 1 : 3000);
  const wrongAddress = `LISTEN_ADDRESS est incorrecte (« ${host} ») : il faut une adresse IP de cette machine, ou rien pour toutes.`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Le port ${port} est déjà utilisé par un autre programme.\nArrêtez ce programme, ou choisissez un autre port, par exemple : PORT=${free} ${holder.command}`,
    EACCES: `Le port ${port} est réservé à l'administrateur de la machine. Choisissez-en un autre, par exemple : PORT=3000 ${holder.command}`,
    EADDRNOTAVAIL: wrongAddress,
    ENOTFOUND: wrongAddress,
  };
  throw new OperatorError(
    reasons[error] ?? `La boutique ne peut pas écouter sur le port ${port} : ${error}.`,
  );
}

/** Starts the embedded database, with the demonstration shop in it. Returns its URL. */
async function startDemoDatabase(holder: LockDescription): Promise<string> {
  if (!existsSync(POSTGRES_DIR)) print("Premier lancement : création de la base de données…");
  const { url, ended } = await services.start(() =>
    startPostgres({ dataDir: POSTGRES_DIR, log: print, holder }),
  );
  void ended.then(() => endWith({ code: 1, reason: "La base de données embarquée s'est arrêtée" }));
  await migrateWhenUp(url);
  const [shop] = await withConnection(
    { url },
    (sql) => sql<{ isEmpty: boolean }[]>`SELECT NOT EXISTS (SELECT FROM users) AS "isEmpty"`,
  );
  if (shop?.isEmpty) {
    print("Remplissage de la boutique de démonstration…");
    // In its own process, so that its modules do not stay in memory while the shop runs.
    const seed = await services.start(() =>
      startNode({
        args: ["--import", "tsx", "scripts/db-seed.ts", "--quiet"],
        env: { ...process.env, DATABASE_URL: url, SHOP_DEMO: "1" },
      }),
    );
    const code = await seed.ended;
    if (code !== 0) await services.shutDown(code);
  }
  return url;
}

/** The port for the card sandbox; null if STRIPE_API_BASE is on another machine. */
async function chooseCardsPort(apiBase: string | undefined): Promise<number | null> {
  if (apiBase === undefined) return freePort(SANDBOX_PORT);
  const { hostname, port, protocol } = new URL(apiBase);
  const isHere = protocol === "http:" && ["127.0.0.1", "localhost"].includes(hostname);
  return isHere ? Number(port || 80) : null;
}

/**
 * Without Stripe's keys: starts the card sandbox. Returns its URL, null if it is not needed. The shop and
 * the sandbox derive the webhook secret from `authSecret`.
 */
async function startCards({
  settings,
  authSecret,
}: {
  settings: Env;
  authSecret: string;
}): Promise<string | null> {
  if (settings.STRIPE_SECRET_KEY !== undefined) return null;
  const port = await chooseCardsPort(settings.STRIPE_API_BASE);
  if (port === null) return null;
  // One file per database, since several shops may share a folder. Payments are lost at the end if the
  // folder is read-only.
  const name = settings.DATABASE_URL === undefined ? "cards.jsonl" : `cards-${settings.PORT}.jsonl`;
  const folder = makeDataDir() ? DATA_DIR : mkdtempSync(path.join(tmpdir(), "mini-ecommerce-"));
  const dataFile = path.join(folder, name);
  const address = settings.LISTEN_ADDRESS ?? "localhost";
  const host = /^(?:0\.0\.0\.0|::|localhost)$/.test(address) ? "127.0.0.1" : address;
  const { url } = await services.start(() =>
    startCardSandbox({
      port,
      dataFile,
      webhookUrl: `${urlOf(host, settings.PORT)}/api/stripe/webhook`,
      webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? sandboxWebhookSecret(authSecret),
      enabledEvents: HANDLED_EVENTS,
      // Webhooks fail, and are retried, while the shop starts.
      log: (line) => {
        if (!line.startsWith("Webhook ")) print(line);
      },
    }),
  );
  if (existsSync(dataFile)) chownToCheckoutOwner(dataFile);
  return url;
}

/** Shuts down if the npm that runs this command is killed. */
function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    void services.shutDown(0);
  }, 300);
  timer.unref();
}

void runCommand(async () => {
  loadEnvFiles({ isDev });
  const settings = parseEnv({ ...process.env, NODE_ENV: isDev ? "development" : "production" });
  // The terminal or npm may have ended while the services are still being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const fail = (error: unknown) => {
    // Errors during shutdown are its consequences.
    if (!services.isShuttingDown) printError(error);
    return services.shutDown(1);
  };
  process.on("uncaughtException", (error) => void fail(error));
  endWithNpm();
  await startShop(settings).catch(fail);
  return new Promise<never>(() => undefined);
});
