import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { verifyPassword } from "@/lib/auth/password";
import { type PostgresServer, startTemporaryPostgres } from "@/sandbox/postgres";

// npm run db:migrate, db:seed and admin:create, on a database of one's own.

// Each begins where the one before it ended; a command takes seconds to load on a busy machine.
test.describe.configure({ mode: "serial", timeout: 60_000 });

let server: PostgresServer;
let downloads: string;

test.beforeAll(async () => {
  downloads = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-downloads-"));
  server = await startTemporaryPostgres();
});

test.afterAll(async () => {
  rmSync(downloads, { recursive: true, force: true });
  await server?.stop({ immediate: true });
});

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

async function run({
  script,
  args = [],
  input = "",
}: {
  script: string;
  args?: readonly string[];
  input?: string;
}): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", `scripts/${script}.ts`, ...args], {
    stdio: "pipe",
    env: { ...process.env, DATABASE_URL: server.url, SHOP_DEMO: "0", DOWNLOADS_DIR: downloads },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number];
  return { code, text: text.replace(/[\u00a0\u202f]/g, " ").trim() };
}

test("db:migrate makes the tables, once", async () => {
  const [first, second] = await Promise.all([
    run({ script: "db-migrate" }),
    run({ script: "db-migrate" }),
  ]);
  expect([first.code, second.code]).toEqual([0, 0]);
  const texts = [first.text, second.text];
  expect(texts).toContain("La base de données est à jour.");
  expect(texts).toContainEqual(
    expect.stringMatching(/^La base de données est à jour : \d+ migration\(s\) appliquée\(s\)\.$/),
  );
  expect(await query("SELECT count(*)::int AS count FROM users")).toEqual([{ count: 0 }]);
});

test("db:migrate gives way to a long query, and lets the shop read in between", async () => {
  // As before the newest migration: one that changes another table needs another undoing here.
  expect(
    readdirSync("db/migrations")
      .filter((name) => name.endsWith(".sql"))
      .at(-1),
  ).toBe("0013_seller.sql");
  await query(`ALTER TABLE shop_settings DROP COLUMN version, DROP COLUMN phone,
    DROP COLUMN publisher, DROP COLUMN host`);
  await query(`DELETE FROM drizzle.__drizzle_migrations
    WHERE created_at = (SELECT max(created_at) FROM drizzle.__drizzle_migrations)`);
  const backup = new pg.Client({ connectionString: server.url });
  await backup.connect();
  await backup.query("BEGIN");
  await backup.query("SELECT FROM shop_settings");
  const migration = run({ script: "db-migrate" });
  const waiting = () =>
    query("SELECT FROM pg_locks WHERE relation = 'shop_settings'::regclass AND NOT granted");
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
  // Behind the migration, which has a table's lock in view, not before it gives way.
  expect(await query("SELECT legal_name FROM shop_settings")).toEqual([]);
  await backup.query("COMMIT");
  await backup.end();
  const { code, text } = await migration;
  expect(code, text).toBe(0);
  expect(text).toContain("Une table est occupée par une longue requête, nouvel essai…");
  expect(text).toContain("La base de données est à jour : 1 migration(s) appliquée(s).");
  expect(await query("SELECT version FROM shop_settings")).toEqual([]);
});

test("admin:create asks for a good password", async () => {
  const weak = await run({ script: "admin-create", args: ["--email", "a@b.fr"], input: "abc\n" });
  expect(weak.code).toBe(1);
  expect(weak.text).toContain("Le mot de passe doit contenir au moins 8 caractères");
  const none = await run({ script: "admin-create", args: ["--email", "nobody"] });
  expect(none).toEqual({ code: 1, text: "L'adresse e-mail « nobody » n'est pas valable." });
});

test("admin:create creates an administrator", async () => {
  const created = await run({
    script: "admin-create",
    args: ["--email", "Chef@boutique.fr"],
    input: "Chef-2026!\n",
  });
  expect(created).toEqual({ code: 0, text: "L'administrateur Chef@boutique.fr est créé." });
  const [user] = await query<{ roles: string[]; is_verified: boolean; password_hash: string }>(
    "SELECT roles, is_verified, password_hash FROM users WHERE lower(email) = 'chef@boutique.fr'",
  );
  expect(user?.roles).toContain("ROLE_ADMIN");
  expect(user?.is_verified).toBe(true);
  const hash = user?.password_hash ?? null;
  expect(await verifyPassword({ hash, password: "Chef-2026!" })).toBe(true);
});

test("admin:create promotes a customer, whose sessions end", async () => {
  await query(
    "INSERT INTO users (email, password_hash, first_name, last_name) VALUES ('client@boutique.fr', 'x', 'A', 'B')",
  );
  const promoted = await run({ script: "admin-create", args: ["--email", "CLIENT@boutique.fr"] });
  expect(promoted).toEqual({
    code: 0,
    text: "CLIENT@boutique.fr est maintenant administrateur.",
  });
  expect(
    await query(
      "SELECT roles, session_version, password_hash FROM users WHERE email = 'client@boutique.fr'",
    ),
  ).toEqual([{ roles: ["ROLE_USER", "ROLE_ADMIN"], session_version: 2, password_hash: "x" }]);
});

test("db:seed leaves a database with users alone", async () => {
  for (const args of [[], ["--products", "100"]]) {
    const { code, text } = await run({ script: "db-seed", args });
    expect(code).toBe(1);
    expect(text).toContain("Cette base de données contient déjà des utilisateurs");
  }
  expect(await query("SELECT count(*)::int AS count FROM products")).toEqual([{ count: 0 }]);
  const wrong = await run({ script: "db-seed", args: ["--products", "beaucoup"] });
  expect(wrong.code).toBe(1);
  expect(wrong.text).toContain("--products est incorrect (« beaucoup »)");
});

test("db:seed fills an empty one, and a large catalogue on top", async () => {
  await query("DELETE FROM users");
  expect((await run({ script: "db-seed" })).code).toBe(0);
  const [demo] = await query<{ count: number }>("SELECT count(*)::int AS count FROM products");
  expect(demo?.count).toBeGreaterThan(50);
  const links = await query<{ link: string }>(
    "SELECT download_link AS link FROM products WHERE download_link LIKE '/downloads/%'",
  );
  expect(links.length).toBeGreaterThan(10);
  expect(readdirSync(downloads).sort()).toEqual(
    links.map(({ link }) => link.replace("/downloads/", "")).sort(),
  );
  expect((await run({ script: "db-seed", args: ["--products", "300"] })).code).toBe(0);
  expect(await query("SELECT count(*)::int AS count FROM products")).toEqual([{ count: 300 }]);
});
