import { existsSync } from "node:fs";
import path from "node:path";
import { withConnection } from "@/db/connection";
import { demoAdmin, demoCustomer } from "@/db/seed/people";
import { parseEnv } from "@/lib/env";
import type { Env } from "@/lib/env-schema";
import { acceptsConnections } from "@/sandbox/ports";
import { startPostgres } from "@/sandbox/postgres";
import {
  findLauncher,
  isSameProcessRunning,
  type ProcessIdentity,
  waitUntil,
} from "@/sandbox/processes";
import { startCards } from "@/scripts/cards";
import { startNode } from "@/scripts/child";
import { initialEnv, loadEnvFiles, print, printError, ROOT, runCommand } from "@/scripts/command";
import {
  createDataFolders,
  migrateWhenUp,
  POSTGRES_DIR,
  readOrCreateAuthSecret,
  requireDataDir,
} from "@/scripts/database";
import { isBuildFresh, startBuild } from "@/scripts/fresh-build";
import { claimPort } from "@/scripts/port";
import { serverProgram } from "@/scripts/server-program";
import { Services } from "@/scripts/services";
import {
  demonstrationNotice,
  missingServiceNotices,
  refuseRealDemonstration,
  urlsForOthers,
} from "@/scripts/start-notices";

// npm start – starts the services that the shop needs, and the shop; npm run dev – the same with the
// development server. The line in package.json begins with `exec` so that a signal sent to npm
// reaches this process instead of a shell between the two, which would not forward it; Windows,
// which has no `exec`, runs the part behind `||`.

const DEMO_ACCOUNTS = [
  `  Administrateur : ${demoAdmin.email} / ${demoAdmin.password}`,
  `  Client :         ${demoCustomer.email} / ${demoCustomer.password}`,
].join("\n");

/** Shuts down when the npm that launched this was killed: nobody could stop the shop otherwise. */
function exitWithLauncher({
  launcher,
  services,
}: {
  launcher: ProcessIdentity | null;
  services: Services;
}): void {
  if (!launcher) return;
  const timer = setInterval(() => {
    if (isSameProcessRunning(launcher)) return;
    clearInterval(timer);
    void services.shutDown(0);
  }, 300);
  timer.unref();
}

async function isShopEmpty(url: string): Promise<boolean> {
  const [row] = await withConnection(
    { url },
    (sql) => sql<{ empty: boolean }[]>`SELECT NOT EXISTS (SELECT FROM users) AS empty`,
  );
  return row?.empty ?? false;
}

/** Starts the embedded server, with the demonstration shop in it. Returns its URL. */
async function startEmbeddedDatabase({
  services,
  launcher,
  command,
  url,
}: {
  services: Services;
  launcher: ProcessIdentity | null;
  command: string;
  url: string;
}): Promise<string> {
  const isNew = !existsSync(POSTGRES_DIR);
  if (isNew) print("Premier lancement : création de la base de données…");
  const server = await services.start(async () => {
    const postgres = await startPostgres({
      dataDir: POSTGRES_DIR,
      log: print,
      holder: { launcher, command, address: url },
    });
    void postgres.ended.then(() => {
      if (services.isShuttingDown) return;
      print("La base de données embarquée s'est arrêtée : la boutique s'arrête aussi.");
      void services.shutDown(1);
    });
    return postgres;
  });
  await migrateWhenUp(server.url);
  if (await isShopEmpty(server.url)) {
    print("Remplissage de la boutique de démonstration…");
    // In its own process, so that its modules do not stay in memory while the shop runs.
    const seed = await services.start(async () =>
      startNode({
        args: ["--import", "tsx", path.join(ROOT, "scripts/db-seed.ts"), "--quiet"],
        env: { ...process.env, DATABASE_URL: server.url, SHOP_DEMO: "1" },
      }),
    );
    const code = await seed.ended;
    if (code !== 0) await services.shutDown(code);
  }
  return server.url;
}

async function startShop({
  services,
  isDev,
  settings,
}: {
  services: Services;
  isDev: boolean;
  settings: Env;
}): Promise<void> {
  const command = isDev ? "npm run dev" : "npm start";
  const launcher = findLauncher();
  const url = `http://${settings.LISTEN_ADDRESS?.replace(/^(.*:.*)$/, "[$1]") ?? "localhost"}:${settings.PORT}`;
  const isDemo = settings.DATABASE_URL === undefined;
  if (isDemo) refuseRealDemonstration(settings);
  exitWithLauncher({ launcher, services });
  if (isDemo) requireDataDir();
  createDataFolders();
  const release = await claimPort({
    port: settings.PORT,
    host: settings.LISTEN_ADDRESS,
    holder: { launcher, command, address: url },
  });
  await services.start(async () => ({ stop: async () => release() }));

  let databaseUrl = settings.DATABASE_URL;
  if (databaseUrl) {
    const count = await migrateWhenUp(databaseUrl);
    if (count > 0) print(`Base de données mise à jour : ${count} migration(s) appliquée(s).`);
  } else {
    databaseUrl = await startEmbeddedDatabase({ services, launcher, command, url });
  }

  if (!isDev && !isBuildFresh()) {
    print("Construction de la boutique (une minute environ, une seule fois)…");
    const build = await services.start(() => startBuild());
    const code = await build.ended;
    if (code !== 0) await services.shutDown(code);
  }

  const authSecret = settings.AUTH_SECRET ?? readOrCreateAuthSecret();
  const cardsUrl = await startCards({ services, settings, secret: authSecret });

  // Next.js reads the `.env` files itself, in development again when they change: it gets the
  // original environment and what was determined here.
  const env: NodeJS.ProcessEnv = {
    ...initialEnv,
    NODE_ENV: isDev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    AUTH_SECRET: authSecret,
    PORT: String(settings.PORT),
    ...(cardsUrl !== null && { STRIPE_API_BASE: cardsUrl }),
    ...(isDemo ? { DATABASE_URL: databaseUrl, SHOP_DEMO: "1" } : {}),
  };
  const web = await services.start(async () =>
    startNode({
      args: serverProgram({ isDev }),
      env,
      guardsItself: true,
      // Longer than the shop's own limit in lib/process/shutdown.ts.
      graceMs: settings.DRAIN_DELAY * 1000 + 25_000,
    }),
  );
  void web.ended.then((code) => {
    if (services.isShuttingDown) return;
    print(`Le serveur web s'est arrêté (code ${code}) : la boutique s'arrête aussi.`);
    void services.shutDown(code);
  });

  const isOpen = () =>
    services.isShuttingDown ||
    acceptsConnections({ port: settings.PORT, host: settings.LISTEN_ADDRESS ?? "localhost" });
  await waitUntil({ condition: isOpen, timeoutMs: 60_000 });
  if (services.isShuttingDown) return;
  print(`\nLa boutique est ouverte : ${url}`);
  if (isDemo) print(`\nComptes de démonstration :\n${DEMO_ACCOUNTS}`);
  if (cardsUrl !== null)
    print(`\nPaiements : bac à sable de cartes (${cardsUrl}), aucun argent ne circule.`);
  const notices = isDemo
    ? [demonstrationNotice(urlsForOthers({ host: settings.LISTEN_ADDRESS, port: settings.PORT }))]
    : missingServiceNotices(settings);
  for (const notice of notices) if (notice !== null) print(`\n${notice}`);
  print("\nCtrl-C l'arrête.\n");
}

void runCommand(async () => {
  const isDev = process.argv.includes("--dev");
  loadEnvFiles({ isDev });
  const settings = parseEnv({
    ...process.env,
    NODE_ENV: isDev ? "development" : "production",
  });
  const services = new Services(0);
  // The terminal or npm may have ended while the services are still being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.on("uncaughtException", (error) => {
    printError(error);
    void services.shutDown(1);
  });
  try {
    await startShop({ services, isDev, settings });
  } catch (error) {
    // Errors during shutdown are its consequences.
    if (!services.isShuttingDown) {
      printError(error);
      await services.shutDown(1);
    }
  }
  return new Promise<never>(() => undefined);
});
