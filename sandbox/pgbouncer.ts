import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@/sandbox/free-port";
import { findServerAccount } from "@/sandbox/server-account";

/** This machine's own pgbouncer in front of a database, for tests. */
export interface PgBouncer {
  /** Of the database by way of the pooler. */
  url: string;
  /** Of its own console: `SHOW STATS` … */
  consoleUrl: string;
  stop(): Promise<void>;
}

export const hasPgBouncer = () => spawnSync("pgbouncer", ["--version"]).status === 0;

/**
 * Pools by transactions, as hosts do: a connection to the server belongs to a client for one
 * transaction only.
 *
 * @param size connections to the server, at most
 */
export async function startPgBouncer({
  databaseUrl,
  size,
}: {
  databaseUrl: string;
  size: number;
}): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-pgbouncer-"));
  chmodSync(folder, 0o755);
  const listenPort = await freePort();
  const users = path.join(folder, "users.txt");
  const settings = path.join(folder, "pgbouncer.ini");
  writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o644 });
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
admin_users = ${username}
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 200
`,
    { mode: 0o644 },
  );
  // It refuses to run as root.
  const account = findServerAccount({ owned: [] });
  const child = spawn("pgbouncer", [settings], {
    ...account,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  let written = "";
  for await (const chunk of child.stderr) {
    written += chunk;
    if (written.includes("process up")) break;
  }
  if (child.exitCode !== null) throw new Error(`pgbouncer has ended:\n${written}`);
  const killNow = () => child.kill("SIGKILL");
  process.once("exit", killNow);
  const address = new URL(databaseUrl);
  address.port = String(listenPort);
  const url = address.href;
  address.pathname = "/pgbouncer";
  return {
    url,
    consoleUrl: address.href,
    stop: async () => {
      process.off("exit", killNow);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
