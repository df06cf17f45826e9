import { existsSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { migrateDatabase } from "@/db/migrate";
import { demoAdmin, demoCustomer } from "@/db/seed/people";
import { type Env, parseEnv } from "@/lib/env";
import { startPostgres } from "@/sandbox/postgres";
import { findLauncher, isMarkedRunning, type ProcessMark, waitUntil } from "@/sandbox/processes";
import { startCards } from "@/scripts/cards";
import { startNode } from "@/scripts/child";
import { givenEnv, loadEnvFiles, ROOT, runCommand, say, sayError } from "@/scripts/command";
import {
  migrateWhenUp,
  POSTGRES_DIR,
  readOrCreateAuthSecret,
  requireDataDir,
  shareFolders,
} from "@/scripts/database";
import { isBuildFresh, startBuild } from "@/scripts/fresh-build";
import { NEXT_PROGRAM, SERVER_ENV, serverProgram } from "@/scripts/next-program";
import { answers, claimPort } from "@/scripts/port";
import { Services } from "@/scripts/services";

// npm start – everything that the shop needs, and then the shop; npm run dev – the same with the
// development server. In package.json the line begins with `exec` so that a signal sent to npm
// reaches this process instead of a shell between the two, which would not pass it on; Windows
// does not know `exec` and takes what stands behind `||`.

const DEMO_ACCOUNTS = [
  `  Administrateur : ${demoAdmin.email} / ${demoAdmin.password}`,
  `  Client :         ${demoCustomer.email} / ${demoCustomer.password}`,
].join("\n");

/** Ends everything when the npm above was killed: nobody could stop what it left behind. */
function endWithLauncher({
  launcher,
  services,
}: {
  launcher: ProcessMark | null;
  services: Services;
}): void {
  if (!launcher) return;
  const timer = setInterval(() => {
    if (isMarkedRunning(launcher)) return;
    clearInterval(timer);
    void services.finish(0);
  }, 300);
  timer.unref();
}

async function isShopEmpty(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ empty: boolean }>(
      "SELECT NOT EXISTS (SELECT FROM users) AS empty",
    );
    return rows[0]?.empty ?? false;
  } finally {
    await client.end();
  }
}

/** The embedded server, with the demonstration shop in it. Returns its address. */
async function startOwnDatabase({
  services,
  launcher,
  command,
  address,
}: {
  services: Services;
  launcher: ProcessMark | null;
  command: string;
  address: string;
}): Promise<string> {
  const isNew = !existsSync(POSTGRES_DIR);
  if (isNew) say("Premier lancement : création de la base de données…");
  const server = await services.start(async () => {
    const postgres = await startPostgres({
      dataDir: POSTGRES_DIR,
      log: say,
      holder: { launcher, command, address },
    });
    void postgres.ended.then(() => {
      if (services.isFinishing) return;
      say("La base de données embarquée s'est arrêtée : la boutique s'arrête aussi.");
      void services.finish(1);
    });
    return {
      url: postgres.url,
      stop: ({ isHurried }: { isHurried: boolean }) => postgres.stop({ immediate: isHurried }),
    };
  });
  await migrateDatabase({ url: server.url });
  if (await isShopEmpty(server.url)) {
    say("Remplissage de la boutique de démonstration…");
    // In a process of its own: what it loads would else stay in memory as long as the shop runs.
    const seed = await services.start(async () =>
      startNode({
        args: ["--import", "tsx", path.join(ROOT, "scripts/db-seed.ts"), "--quiet"],
        env: { ...process.env, DATABASE_URL: server.url, SHOP_DEMO: "1" },
      }),
    );
    const code = await seed.ended;
    if (code !== 0) await services.finish(code);
  }
  return server.url;
}

async function open({
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
  const address = `http://${settings.LISTEN_ADDRESS?.replace(/^(.*:.*)$/, "[$1]") ?? "localhost"}:${settings.PORT}`;
  endWithLauncher({ launcher, services });
  if (settings.DATABASE_URL === undefined) requireDataDir();
  shareFolders();
  const release = await claimPort({
    port: settings.PORT,
    host: settings.LISTEN_ADDRESS,
    holder: { launcher, command, address },
  });
  await services.start(async () => ({ stop: async () => release() }));

  const isDemo = settings.DATABASE_URL === undefined;
  let databaseUrl = settings.DATABASE_URL;
  if (databaseUrl) {
    const count = await migrateWhenUp(databaseUrl);
    if (count > 0) say(`Base de données mise à jour : ${count} migration(s) appliquée(s).`);
  } else {
    databaseUrl = await startOwnDatabase({ services, launcher, command, address });
  }

  if (!isDev && !isBuildFresh()) {
    say("Construction de la boutique (une minute environ, une seule fois)…");
    const build = await services.start(async () => startBuild());
    const code = await build.ended;
    if (code !== 0) await services.finish(code);
  }

  const authSecret = settings.AUTH_SECRET ?? readOrCreateAuthSecret();
  const cardsUrl = await startCards({ services, settings, secret: authSecret });

  // The child reads the `.env` files itself, and in development again when they change: it gets
  // the environment as it was given, and what was made up for it here.
  const env: NodeJS.ProcessEnv = {
    ...givenEnv,
    NODE_ENV: isDev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    AUTH_SECRET: authSecret,
    PORT: String(settings.PORT),
    ...(cardsUrl !== null && { STRIPE_API_BASE: cardsUrl }),
    ...(isDemo ? { DATABASE_URL: databaseUrl, SHOP_DEMO: "1" } : {}),
  };
  const listen = ["--port", String(settings.PORT)];
  if (settings.LISTEN_ADDRESS) listen.push("--hostname", settings.LISTEN_ADDRESS);
  const web = await services.start(async () =>
    startNode(
      isDev
        ? { args: [...NEXT_PROGRAM, "dev", ...listen], env }
        : {
            args: [...serverProgram(env.NODE_OPTIONS), "start", ...listen],
            env: { ...SERVER_ENV, ...env },
            // Longer than what it gives itself: lib/health/shutdown.ts.
            graceMs: settings.DRAIN_DELAY * 1000 + 25_000,
          },
    ),
  );
  void web.ended.then((code) => {
    if (services.isFinishing) return;
    say(`Le serveur web s'est arrêté (code ${code}) : la boutique s'arrête aussi.`);
    void services.finish(code);
  });

  const isOpen = () => services.isFinishing || answers(settings.PORT, settings.LISTEN_ADDRESS);
  await waitUntil({ isOver: isOpen, milliseconds: 60_000 });
  if (services.isFinishing) return;
  say(`\nLa boutique est ouverte : ${address}`);
  if (isDemo) say(`\nComptes de démonstration :\n${DEMO_ACCOUNTS}`);
  if (cardsUrl !== null)
    say(`\nPaiements : bac à sable de cartes (${cardsUrl}), aucun argent ne circule.`);
  say("\nCtrl-C l'arrête.\n");
}

void runCommand(async () => {
  const isDev = process.argv.includes("--dev");
  loadEnvFiles({ isDev });
  const settings = parseEnv({
    ...process.env,
    NODE_ENV: isDev ? "development" : "production",
  });
  const services = new Services(0);
  // The terminal or npm may be gone while the services are still being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.on("uncaughtException", (error) => {
    sayError(error);
    void services.finish(1);
  });
  try {
    await open({ services, isDev, settings });
  } catch (error) {
    // What fails while everything is being stopped fails because of that.
    if (!services.isFinishing) {
      sayError(error);
      await services.finish(1);
    }
  }
  return new Promise<never>(() => undefined);
});
