import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { extractText, getDocumentProxy } from "unpdf";
import { createAdmin } from "@/db/factories/people";
import { migrateDatabase } from "@/db/migrate";
import { seedDemo } from "@/db/seed/demo";
import { tokenOf } from "./accounts";
import { createApi } from "./api-client";
import { expectBalance } from "./balance";
import { type Buyer, confirm, createBuyerWithCart, payCart } from "./buying";
import { type Cards, expectDelivered, startCards } from "./cards";
import { openDatabase } from "./database-fixtures";
import { digests } from "./digests";
import { expect, test } from "./fixtures";
import { type ShopEnv, type ShopProcess, startShop } from "./shop-process";
import { findSystemPostgres, startSystemPostgres } from "./system-postgres";

// Executes the commands of docs/backup.md.

const ROOT = path.resolve(import.meta.dirname, "..");
const programs = findSystemPostgres();

test.skip(
  programs === null && !process.env.CI,
  "pg_dump and pg_restore are missing: apt-get install postgresql",
);

/** The commands of docs/backup.md under this name. */
function documented(name: string): string {
  const text = readFileSync(path.join(ROOT, "docs/backup.md"), "utf8");
  const [, commands] = new RegExp(`\`\`\`sh ${name}\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  if (!commands) throw new Error(`docs/backup.md has no commands "${name}".`);
  return commands;
}

/** Runs the commands of this name as an operator does. Returns their output. */
async function operate(name: string, env: Record<string, string | undefined>): Promise<string> {
  // Asynchronously, because the card sandbox runs in this process.
  const { stdout } = await promisify(execFile)("/bin/sh", ["-ec", documented(name)], {
    cwd: ROOT,
    env: { ...process.env, ...env, PATH: `${programs}:${process.env.PATH}` },
  });
  return stdout;
}

/** A shop with these variables, and its tools. The shop is stopped before the next one starts. */
async function open({ env, cards }: { env: ShopEnv; cards: Cards }) {
  const shop = await startShop(env);
  await cards.sendWebhooksTo(shop.baseURL);
  const { database, close } = openDatabase(String(env.DATABASE_URL));
  const end = async () => {
    await close();
    expect(await shop.end(), shop.log()).toBe(0);
  };
  return { shop, api: createApi(shop), database, cards, end };
}

type OpenShop = Awaited<ReturnType<typeof open>>;

interface Purchase {
  buyer: Buyer;
  orderId: number;
  number: string;
  invoiceNumber: string;
}

async function buy({ api, database, cards }: OpenShop): Promise<Purchase> {
  const { buyer } = await createBuyerWithCart({ api, db: database });
  const secret = await payCart({ api, buyer, cards });
  const { status, json, text } = await confirm({ api, buyer, secret });
  expect(status, text).toBeLessThan(300);
  const { orderId } = json;
  const order = await api.get<Purchase>(`/api/orders/${orderId}`, { token: buyer.token });
  const { number, invoiceNumber } = order.json;
  // The provider's events change the database. None may be left for a later shop.
  await expectDelivered(cards);
  return { buyer, orderId, number, invoiceNumber };
}

/** The text of the order's invoice, as its buyer downloads it. */
async function invoiceText({ shop, database }: OpenShop, { buyer, orderId }: Purchase) {
  const [row] = await database.execute<{ id: number }>(
    `select id from invoices where order_id = ${orderId}`,
  );
  const answer = await fetch(`${shop.baseURL}/api/invoices/${row?.id}/download`, {
    headers: { Authorization: `Bearer ${buyer.token}` },
  });
  expect(answer.status).toBe(200);
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
  return (await extractText(pdf, { mergePages: true })).text;
}

const rankOf = (number: string) => Number(number.split("-")[2]);

test("a backup restores orders, invoices, numbers and files; payments without an order are found", async ({
  shopEnv,
}) => {
  test.slow();
  const server = await startSystemPostgres(String(programs));
  const cards = await startCards(String(shopEnv.AUTH_SECRET));
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-backup-"));
  const shops: ShopProcess[] = [];
  /** A place for a shop: an empty database, and folders for its files. */
  const createEnv = async (name: string): Promise<ShopEnv> => ({
    ...shopEnv,
    DATABASE_URL: await server.createDatabase(name),
    UPLOADS_DIR: path.join(folder, name, "uploads"),
    DOWNLOADS_DIR: path.join(folder, name, "downloads"),
    STRIPE_API_BASE: cards.url,
    // The shop's URL stays the same on every machine.
    SITE_URL: "http://127.0.0.1:3000",
    SHOP_DEMO: "0",
  });
  const start = async (env: ShopEnv) => {
    const opened = await open({ env, cards });
    shops.push(opened.shop);
    return opened;
  };
  const BACKUP = path.join(folder, "backup");
  mkdirSync(BACKUP);
  try {
    console.log(`PostgreSQL ${server.version}`);
    const env = await createEnv("shop");
    for (const each of [env.UPLOADS_DIR, env.DOWNLOADS_DIR])
      mkdirSync(String(each), { recursive: true });
    writeFileSync(path.join(String(env.UPLOADS_DIR), "lampe.webp"), "a picture");
    writeFileSync(path.join(String(env.DOWNLOADS_DIR), "guide.pdf"), "a file that is sold");
    await migrateDatabase({ url: String(env.DATABASE_URL) });
    const seeding = openDatabase(String(env.DATABASE_URL));
    await seedDemo({ db: seeding.database, hasShipping: false });
    await seeding.close();

    const first = await start(env);
    await buy(first);
    const last = await buy(first);
    const invoice = await invoiceText(first, last);
    expect(invoice).toContain(last.invoiceNumber);
    const mails = async ({ database }: OpenShop) =>
      (await database.execute("select 1 from mail_outbox where status = 'pending'")).length;
    await expect.poll(() => mails(first)).toBe(0);
    const before = await digests(first.database);
    await operate("backup", { ...env, BACKUP });
    await first.end();

    // No sale since the backup: everything is restored, and new documents continue the numbers.
    const whole = await createEnv("whole");
    await operate("restore", { ...whole, BACKUP });
    const second = await start(whole);
    expect(await digests(second.database)).toEqual(before);
    expect(await invoiceText(second, last)).toBe(invoice);
    expect((await second.api.get("/api/ready")).status).toBe(200);
    for (const [dir, file] of [
      [whole.UPLOADS_DIR, "lampe.webp"],
      [whole.DOWNLOADS_DIR, "guide.pdf"],
    ])
      expect(readFileSync(path.join(String(dir), String(file)), "utf8")).toMatch(/^a /);
    const admin = await tokenOf(await createAdmin({ db: second.database }));
    const listed = await second.api.get<unknown[]>("/api/orders", { token: admin });
    expect(listed.text).toContain(last.number);
    const next = await buy(second);
    expect(rankOf(next.number)).toBe(rankOf(last.number) + 1);
    expect(rankOf(next.invoiceNumber)).toBe(rankOf(last.invoiceNumber) + 1);
    const { database } = second;
    await expectBalance({ database, cards, title: "restored", orders: 3, isAlone: true });
    await second.end();

    // If the second shop fails too, and only the same backup is left, the second shop's sale is lost.
    const older = await createEnv("older");
    await operate("restore", { ...older, BACKUP });
    const third = await start(older);
    const about = {
      ...older,
      SHOP_URL: third.shop.baseURL,
      BACKUP_TIME: new Date(Date.now() - 3_600_000).toISOString(),
      LOST: "1",
    };
    const compared = JSON.parse(await operate("compare", about));
    expect(compared).toMatchObject({
      paid: 3,
      ordered: 2,
      open: 0,
      lost: [{ payment: expect.stringMatching(/^pi_/), amountCents: 4290 }],
      settled: null,
    });
    await expect.poll(() => third.shop.log()).toContain("money was taken without an order");
    const refunded = JSON.parse(await operate("refund", about));
    expect(refunded).toMatchObject({ settled: { refunded: 1, postponed: 0 } });
    expect(JSON.parse(await operate("refund", about))).toMatchObject({
      paid: 2,
      ordered: 2,
      lost: [],
    });
    await expectBalance({ database: third.database, cards, title: "refunded", orders: 2 });
    // The lost sale's number is not given out again, even if the backup has no number of that kind and
    // year.
    await third.database.execute("delete from document_numbers where kind = 'credit-note'");
    await operate("numbers", about);
    const [credit] = await third.database.execute<{ last_number: number }>(
      "select last_number from document_numbers where kind = 'credit-note'",
    );
    expect(credit?.last_number).toBe(1);
    const later = await buy(third);
    expect(rankOf(later.invoiceNumber)).toBe(rankOf(next.invoiceNumber) + 1);
    expect(rankOf(later.number)).toBe(rankOf(next.number) + 1);
    await third.end();
  } finally {
    for (const shop of shops) await shop.stop();
    await cards.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
