import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import { canWorkIn, findServerAccount, type ServerAccount } from "@/sandbox/server-account";

/** Where the server keeps its files, and the account it runs under. */
export interface PostgresHome {
  /** The real path, below which `data` is PostgreSQL's own folder. */
  folder: string;
  account: ServerAccount | null;
  /** A folder beside the data where programs may be copied to. */
  copyBase: () => string;
}

/** PostgreSQL's own folder below the home. */
export const dataFolder = (home: string) => path.join(home, "data");

/**
 * A folder of root's that everybody can read, for files that the server's account cannot reach in a
 * checkout that only root can enter.
 */
function sharedBase(account: ServerAccount): string {
  for (const parent of ["/var/lib", "/var/tmp", "/opt", "/srv", tmpdir()]) {
    const base = path.join(parent, "mini-ecommerce");
    try {
      if (!existsSync(base)) {
        mkdirSync(base);
        chmodSync(base, 0o755);
      }
      const stats = lstatSync(base);
      const isOurs = stats.isDirectory() && stats.uid === 0 && (stats.mode & 0o022) === 0;
      const probe = isOurs ? mkdtempSync(path.join(base, "probe-")) : null;
      if (!probe) continue;
      chownSync(probe, account.uid, account.gid);
      const isFine = canWorkIn({ folder: probe, account });
      rmSync(probe, { recursive: true });
      if (isFine) return base;
    } catch {
      // Missing, read-only, or full: try the next one.
    }
  }
  throw new OperatorError(
    [
      "La base de données embarquée ne peut pas tourner sous le compte root, et aucun dossier n'est",
      "accessible à un autre compte (/var/lib, /var/tmp, /opt, /srv).",
      "Lancez la boutique sous un compte ordinaire, ou donnez une base de données dans DATABASE_URL.",
    ].join("\n"),
  );
}

/** @throws with what the command has written to stderr, where it fails */
const run = (command: string, args: readonly string[]) =>
  execFileSync(command, args, { stdio: "pipe" });

/**
 * Makes the folder ready. Where the server's account cannot reach it (root's checkout below a
 * folder that only root may enter), the files move to a shared folder and `dataDir` becomes a
 * symbolic link to them: deleting it gives a fresh shop all the same.
 */
export function preparePostgresHome({
  dataDir,
  log,
}: {
  dataDir: string;
  log: (line: string) => void;
}): PostgresHome {
  const parent = path.dirname(dataDir);
  const checkout = path.dirname(parent);
  const link = lstatSync(dataDir, { throwIfNoEntry: false });
  if (link?.isSymbolicLink() && !existsSync(dataDir)) {
    log("Les données de la base ne sont plus là où elles étaient : une base neuve est créée.");
    rmSync(dataDir);
  }

  const account = findServerAccount({ owned: [dataFolder(dataDir), dataDir, checkout] });
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { mode: 0o700 });
    if (account) chownSync(dataDir, account.uid, account.gid);
  }
  if (account === null) {
    const self = process.getuid?.();
    if (self !== undefined && statSync(dataDir).uid !== self) {
      throw new OperatorError(
        [
          `Les données de la base (${dataDir}) appartiennent à un autre compte : la boutique a été`,
          "lancée par root auparavant. Relancez-la de la même façon, ou supprimez ce dossier pour",
          "repartir d'une boutique neuve.",
        ].join("\n"),
      );
    }
    return { folder: realpathSync(dataDir), account, copyBase: () => parent };
  }

  // A copy made by root without keeping the owners would be unreadable for the server.
  const stats = statSync(dataDir);
  const data = statSync(dataFolder(dataDir), { throwIfNoEntry: false });
  if (stats.uid !== account.uid || (data && data.uid !== account.uid)) {
    run("chown", ["-hR", `${account.uid}:${account.gid}`, `${realpathSync(dataDir)}/`]);
  }
  if (!canWorkIn({ folder: realpathSync(dataDir), account })) {
    const base = sharedBase(account);
    const name = path.basename(checkout).replace(/[^\w.-]/g, "_");
    const home = mkdtempSync(path.join(base, `${name}-`));
    chmodSync(home, 0o700);
    chownSync(home, account.uid, account.gid);
    const old = realpathSync(dataDir);
    if (readdirSync(old).length > 0) run("cp", ["-a", `${old}/.`, `${home}/`]);
    rmSync(old, { recursive: true });
    rmSync(dataDir, { force: true });
    symlinkSync(home, dataDir);
    log(
      `Ce dossier n'étant accessible qu'à root, la base de données est dans ${home} : supprimez-la avec .data quand elle ne sert plus.`,
    );
  }
  return { folder: realpathSync(dataDir), account, copyBase: () => sharedBase(account) };
}
