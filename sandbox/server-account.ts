import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

/** The account that a server runs under. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

function findAccount(name: string): ServerAccount | null {
  const line = new RegExp(`^${name}:[^:]*:(-?\\d+):(-?\\d+):`, "m");
  const [, uid, gid] = line.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return uid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

/** PostgreSQL refuses to run as a user without a name, as the owner of a mounted folder may be in a container. */
const hasName = (uid: number): boolean =>
  spawnSync("id", ["-un", String(uid)], { stdio: "ignore" }).status === 0;

/**
 * PostgreSQL refuses to run as root. For root: the account of the files' owner, else `postgres`, else
 * `nobody`. For other users null: the server runs as the same user.
 *
 * @param owned files whose owner to prefer, in this order; missing files are skipped
 */
export function findServerAccount({ owned }: { owned: readonly string[] }): ServerAccount | null {
  if (process.getuid?.() !== 0) return null;
  for (const path of owned) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.uid !== 0 && hasName(stats.uid)) return { uid: stats.uid, gid: stats.gid };
  }
  return findAccount("postgres") ?? findAccount("nobody") ?? { uid: 65534, gid: 65534 };
}

/** Can that account read and write in the folder? A trial, because of ACLs and mount options. */
export function canWorkIn({
  folder,
  account,
}: {
  folder: string;
  account: ServerAccount;
}): boolean {
  const script = 'cd "$1" && test -r . && test -w .';
  return (
    spawnSync("/bin/sh", ["-c", script, "sh", folder], { ...account, cwd: "/", stdio: "ignore" })
      .status === 0
  );
}
