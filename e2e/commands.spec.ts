import { execFile } from "node:child_process";
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

function query<T extends Row = Row>(text: string): Promise<T[]> {
  return withConnection({ url: server.url }, (sql) => sql.unsafe<T[]>(text));
}

/** Runs a command. Returns its exit code, and what it wrote. */
async function run(
  script: string,
  { args = [] as string[], input = "", url = server.url } = {},
): Promise<{ code: number; text: string }> {
  const env = { ...process.env, DATABASE_URL: url, SHOP_DEMO: "0", DOWNLOADS_DIR: downloads };
  const command = ["--import", "tsx", `scripts/${script}.ts`, ...args];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env }, (_, out, error) => {
      const text = (out + error).replace(/[\u00a0\u202f]/g, " ").trim();
      resolve({ code: child.exitCode ?? -1, text });
    });
    child.stdin?.end(input);
  });
}

/** The text after the line that every command prints first. */
function onDatabase(text: string): string {
  const { pathname, host } = new URL(server.url);
  return `Base de données : ${pathname.slice(1)} sur ${host}\n${text}`;
}

test("db:migrate makes the tables, once, and takes no arguments", async () => {
  const [first, second, asked] = await Promise.all([
    run("db-migrate"),
    run("db-migrate"),
    run("db-migrate", { args: ["--help"] }),
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

test("db:migrate says in French what is wrong with the database, and nothing of the password", async () => {
  await query(
    "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0",
  );
  await query("CREATE ROLE reader LOGIN PASSWORD 'reader'");
  await query("CREATE DATABASE others TEMPLATE template0");
  for (const [parts, ...sentences] of [
    [
      { search: "?sslmode=verify-full" },
      "La base de données de DATABASE_URL ne répond pas : elle demande TLS (sslmode), que ce serveur n'offre pas.",
    ],
    [
      { pathname: "/latin" },
      "La base de données de DATABASE_URL est en LATIN1 : il faut UTF8, qui se choisit à sa création",
    ],
    [
      { username: "reader", password: "reader", pathname: "/others" },
      "La base de données de DATABASE_URL refuse la mise à jour : permission",
      "(42501). Le rôle doit être propriétaire de la base.",
    ],
  ] as const) {
    const url = new URL(server.url);
    Object.assign(url, parts);
    const { code, text } = await run("db-migrate", { url: url.href });
    expect(code).toBe(1);
    for (const sentence of sentences) expect(text).toContain(sentence);
    expect(text).not.toContain("    at ");
    expect(text).not.toContain(`:${url.password}@`);
  }
});

test("db:migrate retries while a long query holds a lock, and lets the shop read in between", async () => {
  // Reverts the newest migration, which changes the table of orders. Adapt this test to newer migrations.
  const migrations = readdirSync("db/migrations").filter((name) => name.endsWith(".sql"));
  expect(migrations.at(-1)).toBe("0035_address_details.sql");
  const details = ["recipient", "company", "complement", "phone"];
  const ofOrders = details.flatMap((name) => [`shipping_${name}`, `billing_${name}`]);
  for (const [table, columns] of [
    ["addresses", details],
    ["orders", ["shipping_delay", ...ofOrders]],
  ] as const)
    for (const column of columns) await query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  await query(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at =
    (SELECT max(created_at) FROM drizzle.__drizzle_migrations)`);
  let migration: ReturnType<typeof run> | undefined;
  await withConnection({ url: server.url }, (backup) =>
    backup.begin(async (tx) => {
      await tx`SELECT FROM orders`;
      migration = run("db-migrate");
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

const createAdmin = (email: string, { args = [] as string[], input = "" } = {}) =>
  run("admin-create", { args: ["--email", email, ...args], input });

const addUser = (values: Row) =>
  withConnection({ url: server.url }, async (sql) => {
    const names = { password_hash: "x", first_name: "A", last_name: "B" };
    await sql`INSERT INTO users ${sql({ ...names, is_verified: true, ...values })}`;
  });

/** The account with this address in small letters, and how many recovery codes it has. */
async function accountOf(email: string): Promise<Row | undefined> {
  const [user] = await query(
    `SELECT *, (SELECT count(*)::int FROM recovery_codes WHERE user_id = users.id) AS codes
     FROM users WHERE lower(email) = '${email}'`,
  );
  return user;
}

async function expectPassword(email: string, password: string): Promise<void> {
  const hash = (await accountOf(email))?.password_hash;
  expect(await verifyPassword({ hash, password })).toBe(true);
}

const noticesTo = (email: string) =>
  query(`SELECT template, data->>'event' AS event FROM mail_outbox WHERE recipient = '${email}'`);

const promoted = (email: string) => ({
  code: 0,
  text: onDatabase(`${email} est maintenant administrateur.`),
});

const anHourFromNow = () => new Date(Date.now() + 3_600_000);

test("admin:create creates an administrator, with a good password and a valid address", async () => {
  const weak = await createAdmin("a@b.fr", { input: "abc\n" });
  expect(weak.code).toBe(1);
  expect(weak.text).toContain("Le mot de passe doit contenir au moins 8 caractères");
  expect(await createAdmin("nobody")).toEqual({
    code: 1,
    text: "L'adresse e-mail « nobody » n'est pas valable.",
  });
  expect(await createAdmin("Chef@boutique.fr", { input: "Chef-2026!\n" })).toEqual({
    code: 0,
    text: onDatabase("L'administrateur Chef@boutique.fr est créé."),
  });
  expect(await accountOf("chef@boutique.fr")).toMatchObject({
    roles: expect.arrayContaining(["ROLE_ADMIN"]),
    is_verified: true,
  });
  await expectPassword("chef@boutique.fr", "Chef-2026!");
});

test("admin:create promotes a customer, whose sessions end; a new password ends mailed links, too", async () => {
  const email = "client@boutique.fr";
  await addUser({
    email,
    reset_token_hash: "a".repeat(64),
    reset_token_expires_at: anHourFromNow(),
  });
  expect(await createAdmin("CLIENT@boutique.fr")).toEqual(promoted("CLIENT@boutique.fr"));
  expect(await accountOf(email)).toMatchObject({
    roles: ["ROLE_USER", "ROLE_ADMIN"],
    session_version: 2,
    password_hash: "x",
  });
  expect(await createAdmin(email, { args: ["--password", "Chef-2027!"] })).toEqual(promoted(email));
  expect(await accountOf(email)).toMatchObject({
    session_version: 3,
    reset_token_hash: null,
    reset_token_expires_at: null,
  });
  await expectPassword(email, "Chef-2027!");
  const notice = { template: "security-notice", event: "password-changed" };
  expect(await noticesTo(email)).toEqual([notice]);
  // An address in Unicode is stored in Punycode.
  await addUser({ email: "chef@société.fr" });
  expect(await createAdmin("chef@société.fr")).toEqual(promoted("chef@xn--socit-esab.fr"));
});

/** A user with two-factor and one recovery code. */
async function addProtectedUser(values: Row & { email: string }): Promise<void> {
  await addUser({ totp_secret: "sealed", totp_active_since: new Date(), ...values });
  await query(`INSERT INTO recovery_codes (user_id, code_hash)
    SELECT id, 'digest' FROM users WHERE email = '${values.email}'`);
}

test("admin:create --reset-2fa deactivates two-factor alone, once, and tells the owner", async () => {
  const email = "perdue@boutique.fr";
  await addProtectedUser({ email, totp_last_step: 7 });
  const reset = (of: string, ...more: string[]) =>
    createAdmin(of, { args: ["--reset-2fa", ...more] });
  for (const [of, state] of [
    ["Perdue@boutique.fr", "est désactivée"],
    [email, "n'était pas active"],
  ] as const) {
    expect(await reset(of)).toEqual({
      code: 0,
      text: onDatabase(`La double authentification de ${of} ${state}.`),
    });
    expect(await accountOf(email)).toMatchObject({
      roles: ["ROLE_USER"],
      password_hash: "x",
      totp_secret: null,
      totp_active_since: null,
      totp_last_step: null,
      session_version: 2,
      codes: 0,
    });
    const notice = { template: "security-notice", event: "two-factor-reset" };
    expect(await noticesTo(email)).toEqual([notice]);
  }
  for (const [answer, sentence] of [
    [await reset("personne@boutique.fr"), "Aucun compte n'a l'adresse personne@boutique.fr."],
    [await reset(email, "--password", "Chef-2027!"), "--reset-2fa ne change pas de mot de passe."],
  ] as const) {
    expect(answer.code).toBe(1);
    expect(answer.text).toContain(sentence);
  }
});

for (const { state, sentence, ...values } of [
  {
    state: "that somebody has registered without confirming it",
    sentence: "Ce compte n'avait jamais été confirmé par e-mail",
    email: "etranger@boutique.fr",
    is_verified: false,
  },
  {
    state: "that was closed",
    sentence: "Ce compte était désactivé",
    email: "ancien@boutique.fr",
    is_deleted: true,
  },
])
  test(`admin:create gives an account ${state} a new password, and removes all former credentials`, async () => {
    const { email } = values;
    await addProtectedUser({
      ...values,
      reset_token_hash: `r${email}`,
      reset_token_expires_at: anHourFromNow(),
      confirmation_token_hash: `c${email}`,
      confirmation_token_expires_at: anHourFromNow(),
    });
    const before = await accountOf(email);
    // Without a password nothing happens.
    const none = await createAdmin(email);
    expect(none.code).toBe(1);
    expect(none.text).toContain("Aucun mot de passe n'a été donné.");
    expect(await accountOf(email)).toEqual(before);

    expect(await createAdmin(email, { input: "Chef-2026!\n" })).toEqual({
      code: 0,
      text: onDatabase(
        `${sentence} : il lui faut un nouveau mot de passe, et sa double authentification est retirée.\n${email} est maintenant administrateur.`,
      ),
    });
    expect(await accountOf(email)).toMatchObject({
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
    await expectPassword(email, "Chef-2026!");
  });

test("links:void ends the validity of mailed links, and of nothing else", async () => {
  const later = anHourFromNow();
  await addUser({ email: "lien@a.fr", reset_token_hash: "r", reset_token_expires_at: later });
  await addUser({
    email: "essai@a.fr",
    confirmation_token_hash: "c",
    confirmation_token_expires_at: later,
  });
  expect(await run("links-void")).toEqual({
    code: 0,
    text: onDatabase("Liens annulés : 1 pour un mot de passe, 1 pour une confirmation d'adresse."),
  });
  const valid = await query(
    "SELECT id FROM users WHERE reset_token_expires_at > now() OR confirmation_token_expires_at > now()",
  );
  expect(valid).toEqual([]);
});

test("db:seed leaves a database with users alone, fills an empty one, and makes a large catalogue", async () => {
  const countProducts = async () =>
    (await query<{ count: number }>("SELECT count(*)::int AS count FROM products"))[0]?.count;
  const [refused, wrong] = await Promise.all([
    run("db-seed", { args: ["--products", "100"] }),
    run("db-seed", { args: ["--products", "beaucoup"] }),
  ]);
  expect([refused.code, wrong.code]).toEqual([1, 1]);
  expect(refused.text).toContain("Cette base de données contient déjà des utilisateurs");
  expect(wrong.text).toContain("--products est incorrect (« beaucoup »)");
  expect(await countProducts()).toBe(0);

  await query("DELETE FROM users");
  expect((await run("db-seed")).code).toBe(0);
  expect(await countProducts()).toBeGreaterThan(50);
  const links = await query<{ link: string }>(
    "SELECT download_link AS link FROM products WHERE download_link LIKE '/downloads/%'",
  );
  expect(links.length).toBeGreaterThan(10);
  expect(readdirSync(downloads).sort()).toEqual(
    links.map(({ link }) => link.replace("/downloads/", "")).sort(),
  );
  expect((await run("db-seed", { args: ["--products", "300"] })).code).toBe(0);
  expect(await countProducts()).toBe(300);
});
