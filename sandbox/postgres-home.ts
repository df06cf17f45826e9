import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { OperatorError } from "@/lib/errors/operator-error";
import { canWorkIn, findServerAccount, type ServerAccount } from "@/sandbox/server-account";

/** Where a server's files are, and the account that it runs under. */
export interface PostgresHome {
  /** A real path: the folder of the data and the log. */
  folder: string;
  /** PostgreSQL's own folder, below it. */
  data: string;
  account: ServerAccount | null;
}

export const dataFolder = (home: string) => path.join(home, "data");

/**
 * Makes a folder that the account can reach, where the checkout is one that only root can enter. The
 * one above it, for a copy of the programs, is root's.
 */
function makeReachableFolder(account: ServerAccount): string {
  for (const parent of ["/var/lib", "/var/tmp", "/opt", "/srv", tmpdir()]) {
    try {
      const base = mkdtempSync(path.join(parent, "mini-ecommerce-"));
      chmodSync(base, 0o755);
      const folder = path.join(base, "postgres");
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, account.uid, account.gid);
      if (canWorkIn({ folder, account })) return folder;
      rmSync(base, { recursive: true });
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
 * folder that only root may enter), the files move to a folder elsewhere and `dataDir` becomes a
 * symbolic link to them: deleting it gives a fresh shop all the same.
 */
export function preparePostgresHome({
  dataDir,
  log,
}: {
  dataDir: string;
  log: (line: string) => void;
}): PostgresHome {
  const link = lstatSync(dataDir, { throwIfNoEntry: false });
  if (link?.isSymbolicLink() && !existsSync(dataDir)) {
    log("Les données de la base ne sont plus là où elles étaient : une base neuve est créée.");
    rmSync(dataDir);
  }
  const checkout = path.resolve(dataDir, "../..");
  const account = findServerAccount({ owned: [dataFolder(dataDir), dataDir, checkout] });
  if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700 });
  const folder = realpathSync(dataDir);
  const home = { folder, data: dataFolder(folder), account };
  if (account === null) {
    const self = process.getuid?.();
    if (self === undefined || statSync(folder).uid === self) return home;
    throw new OperatorError(
      [
        `Les données de la base (${dataDir}) appartiennent à un autre compte : la boutique a été`,
        "lancée par root auparavant. Relancez-la de la même façon, ou supprimez ce dossier pour",
        "repartir d'une boutique neuve.",
      ].join("\n"),
    );
  }

  // New, or a copy that root has made without keeping the owners.
  const parts = [folder, home.data].filter((each) => existsSync(each));
  if (parts.some((each) => statSync(each).uid !== account.uid))
    run("chown", ["-hR", `${account.uid}:${account.gid}`, folder]);
  if (canWorkIn({ folder, account })) return home;
  const reachable = makeReachableFolder(account);
  run("cp", ["-a", `${folder}/.`, reachable]);
  rmSync(folder, { recursive: true });
  rmSync(dataDir, { force: true });
  symlinkSync(reachable, dataDir);
  log(
    `Ce dossier n'étant accessible qu'à root, la base de données est dans ${path.dirname(reachable)} : supprimez-la avec .data quand elle ne sert plus.`,
  );
  return { folder: reachable, data: dataFolder(reachable), account };
}
