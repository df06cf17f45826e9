import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@/sandbox/ports";
import { findServerAccount } from "@/sandbox/server-account";

/** The system's pgbouncer in front of a database, for tests. */
export interface PgBouncer {
  /** The database's URL through the pooler. */
  url: string;
  /** The URL of its admin console: `SHOW STATS` … */
  consoleUrl: string;
  stop(): Promise<void>;
}

export const hasPgBouncer = () => spawnSync("pgbouncer", ["--version"]).status === 0;

/**
 * Starts pgbouncer in transaction mode, as hosting providers run it.
 *
 * @param size maximum of connections to the server
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
  // pgbouncer refuses to run as root.
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
  const poolerUrl = new URL(databaseUrl);
  poolerUrl.port = String(listenPort);
  const url = poolerUrl.href;
  poolerUrl.pathname = "/pgbouncer";
  return {
    url,
    consoleUrl: poolerUrl.href,
    stop: async () => {
      process.off("exit", killNow);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
