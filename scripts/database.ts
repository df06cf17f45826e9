import { randomBytes } from "node:crypto";
import { once } from "node:events";
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
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sslOf } from "@/db/connection";
import { isLockTimeout, migrateDatabase } from "@/db/migrate";
import { forgetEnv, parseEnv } from "@/lib/env";
import { isDatabaseUnavailable } from "@/lib/errors/database-unavailable";
import { OperatorError } from "@/lib/errors/operator-error";
import { sqlErrorIn } from "@/lib/errors/sql-error";
import { joinOrStartPostgres } from "@/sandbox/postgres";
import { loadEnvFiles, print, ROOT } from "@/scripts/command";
import { Services } from "@/scripts/services";

/** The data of a shop without external services; deleting it gives a fresh shop. */
export const DATA_DIR = path.join(ROOT, ".data");
export const POSTGRES_DIR = path.join(DATA_DIR, "postgres");

/** Gives a file that root has created to the checkout's owner, who may start the shop next. */
export function chownToCheckoutOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(ROOT);
  chownSync(file, uid, gid);
}

/** Creates DATA_DIR if it is missing. Returns whether it is writable. */
export function makeDataDir(): boolean {
  try {
    if (!existsSync(DATA_DIR)) {
      mkdirSync(DATA_DIR);
      // The database server's account must traverse it; nobody else may list it.
      chmodSync(DATA_DIR, 0o711);
      chownToCheckoutOwner(DATA_DIR);
    }
    accessSync(DATA_DIR, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws OperatorError if DATA_DIR is not writable */
export function requireDataDir(): void {
  if (makeDataDir()) return;
  throw new OperatorError(
    `Le dossier ${DATA_DIR} n'est pas accessible en écriture. Il appartient sans doute à un autre compte : relancez la boutique comme la première fois, ou supprimez ce dossier pour repartir d'une boutique neuve.`,
  );
}

/** If root starts the shop, creates the data folders for the checkout's owner. */
export function createDataFolders(): void {
  if (process.getuid?.() !== 0 || !makeDataDir()) return;
  for (const name of ["mails", "uploads", "downloads"]) {
    const folder = path.join(DATA_DIR, name);
    mkdirSync(folder, { recursive: true });
    // Mails hold links that open accounts.
    if (name === "mails") chmodSync(folder, 0o700);
    chownToCheckoutOwner(folder);
  }
}

/** AUTH_SECRET, generated once and kept, so that sessions survive a restart. */
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
  requireDataDir();
  const secret = randomBytes(48).toString("base64url");
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600 });
  chownToCheckoutOwner(draft);
  renameSync(draft, file);
  return secret;
}

const STARTUP_TIMEOUT_MS = 30_000;
/** A backup of a large shop takes longer; the operator then runs the command again. */
const TABLE_LOCK_TIMEOUT_MS = 120_000;

/** SQLSTATE classes for a wrong role, password or database. */
const ACCESS_DENIED = /^(?:28|3D)/;
/** SQLSTATE insufficient_privilege. */
const NOT_OWNER = "42501";

/** Node.js's error codes for certificates that cannot be verified. */
const UNTRUSTED_CERTIFICATE = /CERT|^ERR_TLS_|^UNABLE_TO_/;

/** PostgreSQL's SSLRequest: its length and its code. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Does the server of the URL decline TLS? It answers the request with `S` or `N`. */
async function declinesTls(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port || 5432) });
  socket.end(SSL_REQUEST);
  const answer = await once(socket, "data", { signal: AbortSignal.timeout(5_000) }).catch(() => []);
  socket.destroy();
  return answer.toString().startsWith("N");
}

/** The innermost error: drizzle wraps it in one whose message is the statement. */
function rootCause(error: unknown): { code: string; message: string } {
  let cause = error as { code?: string; message: string; cause?: unknown };
  while (cause.cause instanceof Error) cause = cause.cause;
  return { code: cause.code ?? "", message: cause.message };
}

/**
 * A sentence for the operator about the database of DATABASE_URL; null for any other error. It contains
 * no network error's message: if the password has an unescaped "#" or "/", the host name in that message
 * is a part of the password.
 */
export function describeDatabaseError(error: unknown): string | null {
  const { code, message } = rootCause(error);
  const server = "La base de données de DATABASE_URL";
  if (sqlErrorIn(error) !== null) {
    if (ACCESS_DENIED.test(code)) return `${server} refuse la connexion : ${message}.`;
    if (isDatabaseUnavailable(error)) return `${server} ne répond pas : ${message}.`;
    const hint = code === NOT_OWNER ? " Le rôle doit être propriétaire de la base." : "";
    return `${server} refuse la mise à jour : ${message} (${code}).${hint} Rien n'est modifié.`;
  }
  if (UNTRUSTED_CERTIFICATE.test(code))
    return `${server} n'est pas reconnue : son certificat TLS n'est pas valable pour cette adresse (${code}).`;
  if (!isDatabaseUnavailable(error)) return null;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `${server} ne répond pas : aucun serveur n'a ce nom (${code}). Dans le mot de passe, les signes comme @ # / : % s'écrivent %40 %23 %2F %3A %25.`;
  return `${server} ne répond pas : ${code || message}.`;
}

/**
 * Applies the pending migrations. Retries while the database is starting, as when containers start
 * together, and while a long query holds a lock that a migration needs. Returns how many were applied.
 */
export async function migrateWhenUp(url: string): Promise<number> {
  const deadline = Date.now() + STARTUP_TIMEOUT_MS;
  const tableDeadline = Date.now() + TABLE_LOCK_TIMEOUT_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await migrateDatabase({ url });
    } catch (error) {
      if (isLockTimeout(error)) {
        if (Date.now() > tableDeadline)
          throw new OperatorError(
            "Une longue requête, une sauvegarde par exemple, occupe une table que la mise à jour doit changer. Rien n'est modifié : relancez la commande quand elle sera finie.",
          );
        if (attempt === 0) print("Une table est occupée par une longue requête, nouvel essai…");
        await delay(2_000);
        continue;
      }
      const { code } = rootCause(error);
      // postgres.js starts TLS although the server has declined it, and the server closes the connection.
      if (code === "ECONNRESET" && sslOf(url) && (await declinesTls(url)))
        throw new OperatorError(
          "La base de données de DATABASE_URL ne répond pas : elle demande TLS (sslmode), que ce serveur n'offre pas.",
        );
      const description = describeDatabaseError(error);
      if (description === null) throw error;
      const isDenied = ACCESS_DENIED.test(code);
      if (isDenied || !isDatabaseUnavailable(error) || Date.now() > deadline)
        throw new OperatorError(description);
      if (attempt === 0) print("La base de données ne répond pas encore, nouvel essai…");
      await delay(500);
    }
  }
}

/** The names of the database and of its server. */
function databaseLabel(url: string): string {
  const { pathname, username, hostname, port, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? (hostname || "localhost");
  // A URL without a database means the one that is named like the role.
  return `${decodeURIComponent(pathname.slice(1) || username)} sur ${host}${port && `:${port}`}`;
}

/**
 * Runs a short command on the shop's database: that of DATABASE_URL, else the embedded one, which is
 * started unless a running shop has started it. Migrates it, prints its name unless `isQuiet`, and calls
 * `run`, which can use `db` and `env()`.
 */
export async function withDatabase(
  { command, isQuiet = false }: { command: string; isQuiet?: boolean },
  run: (database: { url: string; applied: number }) => Promise<void>,
): Promise<void> {
  loadEnvFiles({ isDev: process.env.NODE_ENV !== "production" });
  const { DATABASE_URL } = parseEnv({
    ...process.env,
    AUTH_SECRET: undefined,
    AUTH_SECRET_PREVIOUS: undefined,
    NODE_ENV: undefined,
  });
  let url = DATABASE_URL;
  let stop: () => Promise<void> = async () => undefined;
  if (url === undefined) {
    requireDataDir();
    const holder = { command, address: null };
    ({ url, stop } = await new Services(130).start(() =>
      joinOrStartPostgres({ dataDir: POSTGRES_DIR, log: print, holder }),
    ));
    Object.assign(process.env, { DATABASE_URL: url, SHOP_DEMO: "1" });
    forgetEnv();
  }
  try {
    const applied = await migrateWhenUp(url);
    // Only after connecting: the host name of a malformed URL may be a part of the password.
    const name = DATABASE_URL ? databaseLabel(url) : "la base embarquée (.data/postgres)";
    if (!isQuiet) print(`Base de données : ${name}`);
    await run({ url, applied });
  } finally {
    const { closeDatabase } = await import("@/db");
    await closeDatabase();
    await stop();
  }
}
