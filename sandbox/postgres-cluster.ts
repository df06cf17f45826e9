import { spawnSync } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import { dataFolder, type PostgresHome } from "@/sandbox/postgres-home";
import type { PostgresProgram } from "@/sandbox/postgres-program";

// The files of a PostgreSQL server, before it runs.

/** Name of the role and of the database. */
export const SHOP = "shop";

/** Only what the server needs: not the caller's PGDATA or PGPORT. */
export const SERVER_ENV: NodeJS.ProcessEnv = {
  NODE_ENV: process.env.NODE_ENV,
  LC_ALL: "C",
  TZ: "UTC",
};
for (const name of ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"]) {
  SERVER_ENV[name] = process.env[name];
}

/** Runs a statement without a running server and without a password. */
export function runOffline({
  program,
  home,
  data,
  sql,
}: {
  program: PostgresProgram;
  home: PostgresHome;
  data: string;
  sql: string;
}): void {
  const result = spawnSync(
    program.postgres,
    ["--single", "-D", data, "-c", "exit_on_error=on", "postgres"],
    {
      ...home.account,
      cwd: home.folder,
      env: SERVER_ENV,
      input: `${sql}\n`,
      encoding: "utf8",
    },
  );
  if (result.status !== 0) {
    throw new Error(`PostgreSQL: ${result.error?.message ?? result.stderr}`);
  }
}

/**
 * Runs initdb. Text is UTF-8, collated by code point with Unicode's case rules, the same on every
 * system. Only pg_trgm asks the C library which characters are letters: hence `lc-ctype`, under one
 * of the names that systems have for it.
 */
export function createCluster({
  program,
  home,
  isDurable,
}: {
  program: PostgresProgram;
  home: PostgresHome;
  isDurable: boolean;
}): void {
  const data = dataFolder(home.folder);
  const draft = `${data}.new`;
  let reason = "";
  for (const ctype of ["C.UTF-8", "en_US.UTF-8", "C"]) {
    rmSync(draft, { recursive: true, force: true });
    const result = spawnSync(
      program.initdb,
      [
        `--pgdata=${draft}`,
        `--username=${SHOP}`,
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        `--lc-ctype=${ctype}`,
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
        ...(isDurable ? ["--data-checksums"] : ["--no-sync", "--no-data-checksums"]),
      ],
      { ...home.account, cwd: home.folder, env: SERVER_ENV, encoding: "utf8" },
    );
    if (result.status === 0) {
      writeFileSync(
        path.join(draft, "pg_hba.conf"),
        "host all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n",
      );
      runOffline({ program, home, data: draft, sql: `CREATE DATABASE ${SHOP};` });
      renameSync(draft, data);
      return;
    }
    reason = result.error?.message ?? result.stderr;
    if (!/invalid locale name/.test(reason)) break;
  }
  throw new OperatorError(
    `La base de données embarquée n'a pas pu être créée dans ${home.folder} :\n${reason.trim()}`,
  );
}
