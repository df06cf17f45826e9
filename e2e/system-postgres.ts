import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import { withConnection } from "@/db/connection";
import { freePort } from "@/sandbox/ports";
import { findServerAccount } from "@/sandbox/server-account";

// A PostgreSQL from a distribution's package, which has pg_dump and pg_restore beside the server. The npm
// packages have neither.

/** The folder in which Debian and Ubuntu install each version. */
const BASE = "/usr/lib/postgresql";

/** The folder of the newest version's programs; null if none is installed. */
export function findSystemPostgres(): string | null {
  if (!existsSync(BASE)) return null;
  const [newest] = readdirSync(BASE)
    .filter((version) => existsSync(path.join(BASE, version, "bin/pg_dump")))
    .sort((a, b) => Number(b) - Number(a));
  return newest === undefined ? null : path.join(BASE, newest, "bin");
}

interface SystemPostgres {
  /** "15.12" */
  version: string;
  /** Creates an empty database. Returns its URL. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a server in a temporary folder, under another account if this process runs as root. */
export async function startSystemPostgres(programs: string): Promise<SystemPostgres> {
  const account = findServerAccount({ owned: [] });
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-pg-"));
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, "data");
  const options = { ...account, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" } };
  const made = spawnSync(
    path.join(programs, "initdb"),
    ["-D", data, "-U", "shop", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    { ...options, encoding: "utf8" } as never,
  );
  expect(made.status, String(made.stderr)).toBe(0);

  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
  const server: ChildProcess = spawn(
    path.join(programs, "postgres"),
    ["-D", data, ...[...settings, "fsync=off"].flatMap((each) => ["-c", each])],
    { ...options, stdio: "ignore" } as never,
  );
  // Stops the server if the worker ends without cleaning up.
  const kill = () => server.kill("SIGQUIT");
  process.once("exit", kill);

  const urlOf = (name: string) => `postgresql://shop@127.0.0.1:${port}/${name}`;
  const ask = (statement: string) =>
    withConnection({ url: urlOf("postgres") }, (sql) => sql.unsafe(statement));
  let version = "";
  await expect
    .poll(
      async () => {
        version = await ask("show server_version").then(
          ([row]) => String(row?.server_version),
          () => "",
        );
        return version;
      },
      { timeout: 30_000 },
    )
    .not.toBe("");
  return {
    version,
    createDatabase: async (name) => {
      await ask(`create database ${name}`);
      return urlOf(name);
    },
    stop: async () => {
      process.off("exit", kill);
      const ended = once(server, "exit");
      kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
