import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isTableTaken, migrateDatabase } from "@/db/migrate";
import { isDatabaseUnavailable } from "@/db/unavailable";
import { forgetEnv, parseEnv } from "@/lib/env";
import { OperatorError } from "@/lib/operator-error";
import { shareOrStartPostgres } from "@/sandbox/postgres";
import { findLauncher } from "@/sandbox/processes";
import { loadEnvFiles, ROOT, say } from "@/scripts/command";
import { Services } from "@/scripts/services";

/** What the shop keeps when nothing from outside is given; deleting it gives a fresh shop. */
export const DATA_DIR = path.join(ROOT, ".data");
export const POSTGRES_DIR = path.join(DATA_DIR, "postgres");

/** What root makes belongs to the checkout's owner, who may be the one to start the shop next. */
export function ownLikeCheckout(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(ROOT);
  chownSync(file, uid, gid);
}

/** Makes the folder where it is missing; false where it cannot be written to. */
export function makeDataDir(): boolean {
  try {
    if (!existsSync(DATA_DIR)) {
      mkdirSync(DATA_DIR);
      // Others may pass through it, as the database server's account must, but not look into it.
      chmodSync(DATA_DIR, 0o711);
      ownLikeCheckout(DATA_DIR);
    }
    accessSync(DATA_DIR, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** As `makeDataDir`, for what cannot do without. */
export function requireDataDir(): void {
  if (makeDataDir()) return;
  throw new OperatorError(
    `Le dossier ${DATA_DIR} n'est pas accessible en écriture. Il appartient sans doute à un autre compte : relancez la boutique comme la première fois, ou supprimez ce dossier pour repartir d'une boutique neuve.`,
  );
}

/**
 * Makes the folders of mails and files in advance where root starts the shop: whoever owns the
 * checkout must be able to write to them later.
 */
export function shareFolders(): void {
  if (process.getuid?.() !== 0 || !makeDataDir()) return;
  for (const name of ["mails", "uploads", "downloads"]) {
    const folder = path.join(DATA_DIR, name);
    mkdirSync(folder, { recursive: true });
    ownLikeCheckout(folder);
  }
}

/** The key for sessions, made once and then kept: sessions outlive a restart. */
export function readOrCreateAuthSecret(): string {
  const file = path.join(DATA_DIR, "auth-secret");
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (secret.length >= 32) return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw new OperatorError(
        `La clé des sessions ne peut pas être lue (${file}). Elle appartient sans doute à un autre compte : relancez la boutique comme la première fois, ou supprimez ce fichier.`,
      );
    }
  }
  const secret = randomBytes(48).toString("base64url");
  requireDataDir();
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600 });
  ownLikeCheckout(draft);
  renameSync(draft, file);
  return secret;
}

const PATIENCE_MS = 30_000;
/** A backup of a large shop takes longer: then the operator chooses the moment. */
const TABLE_PATIENCE_MS = 120_000;

const TABLE_TAKEN =
  "Une longue requête, une sauvegarde par exemple, occupe une table que la mise à jour doit changer. Rien n'est modifié : relancez la commande quand elle sera finie.";

/** SQLSTATE classes that speak of the address: role, password or database are wrong. */
const REFUSED = /^(?:28|3D)/;

/**
 * Applies the missing migrations, and waits for a database that is still starting, as in a group of
 * containers started together. Where a long query has a table, it tries again and again, so that the
 * shop can work in between.
 *
 * @returns how many were applied
 */
export async function migrateWhenUp(url: string): Promise<number> {
  const end = Date.now() + PATIENCE_MS;
  const tableEnd = Date.now() + TABLE_PATIENCE_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await migrateDatabase({ url });
    } catch (error) {
      if (isTableTaken(error)) {
        if (Date.now() > tableEnd) throw new OperatorError(TABLE_TAKEN);
        if (attempt === 0) say("Une table est occupée par une longue requête, nouvel essai…");
        await delay(2_000);
        continue;
      }
      const { code, message } = error as { code?: string; message: string };
      const isAway = isDatabaseUnavailable(error);
      if (!isAway && !REFUSED.test(code ?? "")) throw error;
      if (!isAway || Date.now() > end) {
        throw new OperatorError(
          `La base de données de DATABASE_URL ${isAway ? "ne répond pas" : "refuse la connexion"} : ${message || code}.`,
        );
      }
      if (attempt === 0) say("La base de données ne répond pas encore, nouvel essai…");
      await delay(500);
    }
  }
}

/**
 * Runs a short command on the shop's database: the one of DATABASE_URL, else the embedded one, which
 * is started for the command's duration unless a running shop has it open. `db` and `env()` are
 * ready to be used inside.
 */
export async function withDatabase(
  command: string,
  run: (database: { url: string; isEmbedded: boolean }) => Promise<void>,
): Promise<void> {
  loadEnvFiles({ isDev: process.env.NODE_ENV !== "production" });
  const { DATABASE_URL } = parseEnv({
    ...process.env,
    AUTH_SECRET: undefined,
    NODE_ENV: undefined,
  });
  if (DATABASE_URL) {
    await run({ url: DATABASE_URL, isEmbedded: false });
    return;
  }
  requireDataDir();
  const services = new Services(130);
  const server = await services.start(async () => {
    const postgres = await shareOrStartPostgres({
      dataDir: POSTGRES_DIR,
      log: say,
      holder: { launcher: findLauncher(), command, address: null },
    });
    return {
      url: postgres.url,
      stop: ({ isHurried }: { isHurried: boolean }) => postgres.stop({ immediate: isHurried }),
    };
  });
  process.env.DATABASE_URL = server.url;
  process.env.SHOP_DEMO = "1";
  forgetEnv();
  try {
    await run({ url: server.url, isEmbedded: true });
  } finally {
    await server.stop({ isHurried: false });
  }
}
