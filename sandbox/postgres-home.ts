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
  /** The folder of the data and the log, without symbolic links. */
  folder: string;
  /** Null: the account of this process. */
  account: ServerAccount | null;
}

/** PostgreSQL's own folder. */
export const dataFolder = (home: string) => path.join(home, "data");

/** Makes a folder that the account can reach. Its parent, for a copy of the programs, is root's. */
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

/** @throws with the command's stderr if it fails */
const run = (command: string, args: readonly string[]) =>
  execFileSync(command, args, { stdio: "pipe" });

/**
 * Creates the folder if it is missing. If the server's account cannot reach it (root's checkout in a
 * folder that only root may enter), moves the files to another folder and makes `dataDir` a symbolic link.
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
  const home = { folder, account };
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

  // The folder is new, or root has copied it without keeping the owners.
  const parts = [folder, dataFolder(folder)].filter((each) => existsSync(each));
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
  return { folder: reachable, account };
}
