import { renameSync, rmSync } from "node:fs";
import { OperatorError } from "@/lib/errors/operator-error";
import { type Postgres, runProgram } from "@/sandbox/postgres-program";

// The files of a PostgreSQL server, before it runs.

/** Name of the role and of the database. */
export const SHOP = "shop";

/** Runs a statement without a running server and without a password. */
export function runOffline({ postgres, sql }: { postgres: Postgres; sql: string }): void {
  const args = ["--single", "-D", postgres.data, "-c", "exit_on_error=on", "postgres"];
  const problem = runProgram({ postgres, name: "postgres", args, input: `${sql}\n` });
  if (problem !== null) throw new Error(`PostgreSQL: ${problem}`);
}

/**
 * Runs initdb. Text is UTF-8, collated by code point with Unicode's case rules, the same on every
 * system. Only pg_trgm asks the C library which characters are letters: hence `lc-ctype`, under one
 * of the names that systems have for it.
 */
export function createCluster({
  postgres,
  isDurable,
}: {
  postgres: Postgres;
  isDurable: boolean;
}): void {
  const draft = `${postgres.data}.new`;
  let problem: string | null = null;
  for (const ctype of ["C.UTF-8", "en_US.UTF-8", "C"]) {
    rmSync(draft, { recursive: true, force: true });
    const args = [
      `--pgdata=${draft}`,
      `--username=${SHOP}`,
      "--auth-local=reject",
      "--auth-host=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      `--lc-ctype=${ctype}`,
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      ...(isDurable ? [] : ["--no-sync", "--no-data-checksums"]),
    ];
    problem = runProgram({ postgres, name: "initdb", args });
    if (!problem?.includes("invalid locale name")) break;
  }
  if (problem !== null) {
    throw new OperatorError(
      `La base de données embarquée n'a pas pu être créée dans ${postgres.folder} :\n${problem}`,
    );
  }
  runOffline({ postgres: { ...postgres, data: draft }, sql: `CREATE DATABASE ${SHOP};` });
  renameSync(draft, postgres.data);
}
