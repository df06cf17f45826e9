import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { withConnection } from "@/db/connection";
import { type PostgresServer, startPostgres } from "@/sandbox/postgres";
import { dataFolder } from "@/sandbox/postgres-home";

/** A streaming replica of another server. */
export interface ReplicaServer extends PostgresServer {
  /** Its log, with every statement that it has run. */
  logFile: string;
}

/**
 * Starts a streaming replica of a running server, from a copy of its files: the npm package has no
 * pg_basebackup.
 *
 * @param of the server and its `dataDir`
 * @param dataDir for the replica
 */
export async function startReplica({
  of: primary,
  dataDir,
}: {
  of: { server: PostgresServer; dataDir: string };
  dataDir: string;
}): Promise<ReplicaServer> {
  const source = realpathSync(primary.dataDir);
  const target = path.resolve(dataDir);
  const data = dataFolder(target);
  const { uid, gid } = statSync(path.join(dataFolder(source), "PG_VERSION"));
  const write = (name: string, content: string) => {
    const file = path.join(data, name);
    writeFileSync(file, content, { mode: 0o600 });
    chownSync(file, uid, gid);
  };
  appendFileSync(
    path.join(dataFolder(source), "pg_hba.conf"),
    "host replication all 127.0.0.1/32 scram-sha-256\n",
  );
  await withConnection({ url: primary.server.url }, async (sql) => {
    await sql`select pg_reload_conf()`;
    await sql`select pg_backup_start('replica', true)`;
    const copied = spawnSync("cp", ["-a", source, target], { encoding: "utf8" });
    if (copied.status !== 0) throw new Error(`cp: ${copied.stderr}`);
    const [row] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
    write("backup_label", row?.labelfile ?? "");
  });
  write("standby.signal", "");
  rmSync(path.join(data, "postmaster.pid"), { force: true });
  rmSync(path.join(target, "server.log"), { force: true });
  // The same password as the primary's.
  copyFileSync(`${path.resolve(primary.dataDir)}.json`, `${target}.json`);
  const { hostname, port, username, password } = new URL(primary.server.url);
  const server = await startPostgres({
    dataDir: target,
    isDurable: false,
    settings: [
      `primary_conninfo=host=${hostname} port=${port} user=${username} password=${password}`,
      "log_statement=all",
    ],
  });
  return { ...server, logFile: path.join(realpathSync(target), "server.log") };
}
