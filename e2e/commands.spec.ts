import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { Row } from "postgres";
import { withConnection } from "@/db/connection";
import { verifyPassword } from "@/lib/auth/password";
import { type PostgresServer, startTemporaryPostgres } from "@/sandbox/postgres";

// npm run db:migrate, db:seed and admin:create, on a database of their own.

// Each test builds on the previous one; a command takes seconds to load on a busy machine.
test.describe.configure({ mode: "serial", timeout: 120_000 });

let server: PostgresServer;
let downloads: string;

test.beforeAll(async () => {
  downloads = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-downloads-"));
  server = await startTemporaryPostgres();
});

test.afterAll(async () => {
  rmSync(downloads, { recursive: true, force: true });
  await server?.stop({ isForced: true });
});

function query<T extends Row>(text: string): Promise<T[]> {
  return withConnection({ url: server.url }, (sql) => sql.unsafe<T[]>(text));
}

async function run({
  script,
  args = [],
  input = "",
  url = server.url,
}: {
  script: string;
  args?: readonly string[];
  input?: string;
  url?: string;
}): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", `scripts/${script}.ts`, ...args], {
    stdio: "pipe",
    env: { ...process.env, DATABASE_URL: url, SHOP_DEMO: "0", DOWNLOADS_DIR: downloads },
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

/** The text after the line that every command prints first. */
function onDatabase(text: string): string {
  const { pathname, host } = new URL(server.url);
  return `Base de données : ${pathname.slice(1)} sur ${host}\n${text}`;
}

test("db:migrate makes the tables, once, and takes no arguments", async () => {
  const [first, second, asked] = await Promise.all([
    run({ script: "db-migrate" }),
    run({ script: "db-migrate" }),
    run({ script: "db-migrate", args: ["--help"] }),
  ]);
  expect(asked).toEqual({ code: 1, text: "Argument inconnu. Usage : npm run db:migrate" });
  expect([first.code, second.code]).toEqual([0, 0]);
  const texts = [first.text, second.text];
  expect(texts).toContain(onDatabase("La base de données est à jour."));
  expect(texts).toContainEqual(
    expect.stringMatching(/\nLa base de données est à jour : \d+ migration\(s\) appliquée\(s\)\.$/),
  );
  expect(await query("SELECT count(*)::int AS count FROM users")).toEqual([{ count: 0 }]);
});

test("db:migrate refuses a database that could not hold French letters", async () => {
  await query(
    "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0",
  );
  const url = new URL(server.url);
  url.pathname = "/latin";
  const { code, text } = await run({ script: "db-migrate", url: url.href });
  expect(code).toBe(1);
  expect(text).toContain(
    "La base de données de DATABASE_URL est en LATIN1 : il faut UTF8, qui se choisit à sa création",
  );
});

test("db:migrate says in French what is wrong with the URL, and nothing of the password", async () => {
  const tls = await run({ script: "db-migrate", url: `${server.url}?sslmode=verify-full` });
  expect(tls).toEqual({
    code: 1,
    text: "La base de données de DATABASE_URL ne répond pas : elle demande TLS (sslmode), que ce serveur n'offre pas.",
  });
  await query("CREATE ROLE reader LOGIN PASSWORD 'reader'");
  await query("CREATE DATABASE others TEMPLATE template0");
  const url = new URL(server.url);
  Object.assign(url, { username: "reader", password: "reader", pathname: "/others" });
  const { code, text } = await run({ script: "db-migrate", url: url.href });
  expect(code).toBe(1);
  expect(text).toContain("La base de données de DATABASE_URL refuse la mise à jour : permission");
  expect(text).toContain("(42501). Le rôle doit être propriétaire de la base.");
  expect(text).not.toContain("    at ");
});

test("db:migrate retries while a long query holds a lock, and lets the shop read in between", async () => {
  // Reverts the newest migration, which changes the table of orders. Adapt this test to newer migrations.
  expect(
    readdirSync("db/migrations")
      .filter((name) => name.endsWith(".sql"))
      .at(-1),
  ).toBe("0035_address_details.sql");
  const details = ["recipient", "company", "complement", "phone"];
  for (const [table, columns] of [
    ["addresses", details],
    [
      "orders",
      ["shipping_delay", ...details.flatMap((name) => [`shipping_${name}`, `billing_${name}`])],
    ],
  ] as const)
    await query(
      `ALTER TABLE ${table} ${columns.map((column) => `DROP COLUMN ${column}`).join(", ")}`,
    );
  await query(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at =
    (SELECT max(created_at) FROM drizzle.__drizzle_migrations)`);
  let migration: ReturnType<typeof run> | undefined;
  await withConnection({ url: server.url }, (backup) =>
    backup.begin(async (tx) => {
      await tx`SELECT FROM orders`;
      migration = run({ script: "db-migrate" });
      const waiting = () =>
        query("SELECT FROM pg_locks WHERE relation = 'orders'::regclass AND NOT granted");
      await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
      // Queued behind the migration's lock request until that request times out.
      expect(await query("SELECT id FROM orders")).toEqual([]);
    }),
  );
  const { code, text } = await (migration as ReturnType<typeof run>);
  expect(code, text).toBe(0);
  expect(text).toContain("Une table est occupée par une longue requête, nouvel essai…");
  expect(text).toContain("La base de données est à jour : 1 migration(s) appliquée(s).");
  expect(await query("SELECT shipping_phone FROM orders")).toEqual([]);
});

test("admin:create asks for a good password and a valid address", async () => {
  const [weak, wrong] = await Promise.all([
    run({ script: "admin-create", args: ["--email", "a@b.fr"], input: "abc\n" }),
    run({ script: "admin-create", args: ["--email", "nobody"] }),
  ]);
  expect(weak.code).toBe(1);
  expect(weak.text).toContain("Le mot de passe doit contenir au moins 8 caractères");
  expect(wrong).toEqual({ code: 1, text: "L'adresse e-mail « nobody » n'est pas valable." });
});

test("admin:create creates an administrator", async () => {
  const created = await run({
    script: "admin-create",
    args: ["--email", "Chef@boutique.fr"],
    input: "Chef-2026!\n",
  });
  expect(created).toEqual({
    code: 0,
    text: onDatabase("L'administrateur Chef@boutique.fr est créé."),
  });
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
    "INSERT INTO users (email, password_hash, first_name, last_name, is_verified) VALUES ('client@boutique.fr', 'x', 'A', 'B', true)",
  );
  const promoted = await run({ script: "admin-create", args: ["--email", "CLIENT@boutique.fr"] });
  expect(promoted).toEqual({
    code: 0,
    text: onDatabase("CLIENT@boutique.fr est maintenant administrateur."),
  });
  expect(
    await query(
      "SELECT roles, session_version, password_hash FROM users WHERE email = 'client@boutique.fr'",
    ),
  ).toEqual([{ roles: ["ROLE_USER", "ROLE_ADMIN"], session_version: 2, password_hash: "x" }]);
});

test("admin:create invalidates mailed links when it replaces the password, and notifies the owner", async () => {
  await query(`UPDATE users SET reset_token_hash = repeat('a', 64),
    reset_token_expires_at = now() + interval '1 hour' WHERE email = 'client@boutique.fr'`);
  const changed = await run({
    script: "admin-create",
    args: ["--email", "client@boutique.fr", "--password", "Chef-2027!"],
  });
  expect(changed).toEqual({
    code: 0,
    text: onDatabase("client@boutique.fr est maintenant administrateur."),
  });
  const [user] = await query<{ password_hash: string }>(
    `SELECT password_hash, session_version, reset_token_hash, reset_token_expires_at
     FROM users WHERE email = 'client@boutique.fr'`,
  );
  expect(user).toMatchObject({
    session_version: 3,
    reset_token_hash: null,
    reset_token_expires_at: null,
  });
  const hash = user?.password_hash ?? null;
  expect(await verifyPassword({ hash, password: "Chef-2027!" })).toBe(true);
  expect(
    await query("SELECT template, recipient, data->>'event' AS event FROM mail_outbox"),
  ).toEqual([
    {
      template: "security-notice",
      recipient: "client@boutique.fr",
      event: "password-changed",
    },
  ]);
});

test("admin:create --reset-2fa deactivates two-factor alone, once, and tells the owner", async () => {
  await query(`INSERT INTO users (email, password_hash, first_name, last_name, totp_secret,
      totp_active_since, totp_last_step, is_verified)
    VALUES ('perdue@boutique.fr', 'x', 'A', 'B', 'sealed', now(), 7, true)`);
  await query(`INSERT INTO recovery_codes (user_id, code_hash)
    SELECT id, 'digest' FROM users WHERE email = 'perdue@boutique.fr'`);
  const reset = (email: string, ...more: string[]) =>
    run({ script: "admin-create", args: ["--email", email, "--reset-2fa", ...more] });
  expect(await reset("Perdue@boutique.fr")).toEqual({
    code: 0,
    text: onDatabase("La double authentification de Perdue@boutique.fr est désactivée."),
  });
  const read = () =>
    query(`SELECT roles, password_hash, totp_secret, totp_active_since, totp_last_step,
      session_version FROM users WHERE email = 'perdue@boutique.fr'`);
  const after = [
    {
      roles: ["ROLE_USER"],
      password_hash: "x",
      totp_secret: null,
      totp_active_since: null,
      totp_last_step: null,
      session_version: 2,
    },
  ];
  expect(await read()).toEqual(after);
  expect(await query("SELECT FROM recovery_codes")).toEqual([]);
  const mails = () =>
    query(`SELECT template, data->>'event' AS event FROM mail_outbox
      WHERE recipient = 'perdue@boutique.fr'`);
  expect(await mails()).toEqual([{ template: "security-notice", event: "two-factor-reset" }]);

  expect(await reset("perdue@boutique.fr")).toEqual({
    code: 0,
    text: onDatabase("La double authentification de perdue@boutique.fr n'était pas active."),
  });
  expect(await read()).toEqual(after);
  expect(await mails()).toHaveLength(1);
  const unknown = await reset("personne@boutique.fr");
  expect(unknown.code).toBe(1);
  expect(unknown.text).toContain("Aucun compte n'a l'adresse personne@boutique.fr.");
  const both = await reset("perdue@boutique.fr", "--password", "Chef-2027!");
  expect(both.code).toBe(1);
  expect(both.text).toContain("--reset-2fa ne change pas de mot de passe.");
});

for (const { state, columns, sentence } of [
  {
    state: "that somebody has registered without confirming it",
    columns: { email: "etranger@boutique.fr", is_verified: false, is_deleted: false },
    sentence: "Ce compte n'avait jamais été confirmé par e-mail",
  },
  {
    state: "that was closed",
    columns: { email: "ancien@boutique.fr", is_verified: true, is_deleted: true },
    sentence: "Ce compte était désactivé",
  },
])
  test(`admin:create gives an account ${state} a new password, and removes all former credentials`, async () => {
    const { email, is_verified, is_deleted } = columns;
    await query(`INSERT INTO users (email, password_hash, first_name, last_name, is_verified,
        is_deleted, totp_secret, totp_active_since, reset_token_hash, reset_token_expires_at,
        confirmation_token_hash, confirmation_token_expires_at)
      VALUES ('${email}', 'stranger', 'A', 'B', ${is_verified}, ${is_deleted}, 'sealed', now(),
        md5('r${email}'), now() + interval '1 hour', md5('c${email}'), now() + interval '1 hour')`);
    await query(`INSERT INTO recovery_codes (user_id, code_hash)
      SELECT id, 'sealed' FROM users WHERE email = '${email}'`);
    const account = async () => {
      const [user] = await query<Record<string, unknown>>(
        `SELECT *, (SELECT count(*)::int FROM recovery_codes WHERE user_id = users.id) AS codes
         FROM users WHERE email = '${email}'`,
      );
      return user;
    };
    const before = await account();
    // Without a password nothing happens.
    const args = ["--email", email];
    const none = await run({ script: "admin-create", args });
    expect(none.code).toBe(1);
    expect(none.text).toContain("Aucun mot de passe n'a été donné.");
    expect(await account()).toEqual(before);

    expect(await run({ script: "admin-create", args, input: "Chef-2026!\n" })).toEqual({
      code: 0,
      text: onDatabase(
        `${sentence} : il lui faut un nouveau mot de passe, et sa double authentification est retirée.\n${email} est maintenant administrateur.`,
      ),
    });
    const after = await account();
    expect(after).toMatchObject({
      roles: ["ROLE_USER", "ROLE_ADMIN"],
      is_verified: true,
      is_deleted: false,
      session_version: 2,
      totp_secret: null,
      totp_active_since: null,
      reset_token_hash: null,
      confirmation_token_hash: null,
      codes: 0,
    });
    const hash = String(after?.password_hash);
    expect(await verifyPassword({ hash, password: "Chef-2026!" })).toBe(true);
  });

test("links:void ends the validity of mailed links, and of nothing else", async () => {
  await query(`INSERT INTO users (email, password_hash, first_name, last_name,
      reset_token_hash, reset_token_expires_at, confirmation_token_hash, confirmation_token_expires_at)
    VALUES ('lien@boutique.fr', 'x', 'A', 'B', repeat('c', 64), now() + interval '1 hour', null, null),
      ('essai@boutique.fr', 'x', 'A', 'B', null, null, repeat('d', 64), now() + interval '1 day')`);
  const voided = await run({ script: "links-void" });
  expect(voided).toEqual({
    code: 0,
    text: onDatabase("Liens annulés : 1 pour un mot de passe, 1 pour une confirmation d'adresse."),
  });
  const valid = await query(
    "SELECT id FROM users WHERE reset_token_expires_at > now() OR confirmation_token_expires_at > now()",
  );
  expect(valid).toEqual([]);
  await query("DELETE FROM users WHERE email IN ('lien@boutique.fr', 'essai@boutique.fr')");
});

test("admin:create finds an account by its domain in Unicode or punycode", async () => {
  await query(
    "INSERT INTO users (email, password_hash, first_name, last_name, is_verified) VALUES ('chef@société.fr', 'x', 'A', 'B', true)",
  );
  const promoted = await run({ script: "admin-create", args: ["--email", "chef@société.fr"] });
  expect(promoted).toEqual({
    code: 0,
    text: onDatabase("chef@xn--socit-esab.fr est maintenant administrateur."),
  });
});

test("db:seed leaves a database with users alone", async () => {
  const [refused, wrong] = await Promise.all([
    run({ script: "db-seed", args: ["--products", "100"] }),
    run({ script: "db-seed", args: ["--products", "beaucoup"] }),
  ]);
  expect(refused.code).toBe(1);
  expect(refused.text).toContain("Cette base de données contient déjà des utilisateurs");
  expect(await query("SELECT count(*)::int AS count FROM products")).toEqual([{ count: 0 }]);
  expect(wrong.code).toBe(1);
  expect(wrong.text).toContain("--products est incorrect (« beaucoup »)");
});

test("db:seed fills an empty database, and adds a large catalogue on request", async () => {
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
