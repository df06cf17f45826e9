import { spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync, statSync } from "node:fs";

/** The account that the database server runs under, where that is not our own. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

const NOBODY: ServerAccount = { uid: 65534, gid: 65534 };

function accountNamed(name: string): ServerAccount | null {
  let lines: string[];
  try {
    lines = readFileSync("/etc/passwd", "utf8").split("\n");
  } catch {
    return null;
  }
  const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : null;
}

/**
 * PostgreSQL refuses to run as root. Root lends it another account that exists already: the owner
 * of what it shall work on, else `postgres`, else `nobody`. Everybody else runs it as they are: null.
 *
 * @param owned the files whose owner is asked, in this order; missing ones are passed over
 */
export function findServerAccount({ owned }: { owned: readonly string[] }): ServerAccount | null {
  if (process.getuid?.() !== 0) return null;
  for (const path of owned) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.uid !== 0) return { uid: stats.uid, gid: stats.gid };
  }
  return accountNamed("postgres") ?? accountNamed("nobody") ?? NOBODY;
}

/** Can that account work in the folder? Tried for real: access lists and mounts have their say. */
export function canWorkIn({
  folder,
  account,
}: {
  folder: string;
  account: ServerAccount | null;
}): boolean {
  if (account === null) {
    try {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }
  const script = 'cd "$1" && test -r . && test -w .';
  return (
    spawnSync("/bin/sh", ["-c", script, "sh", folder], { ...account, cwd: "/", stdio: "ignore" })
      .status === 0
  );
}
