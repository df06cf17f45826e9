import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Response } from "@playwright/test";
import { openDatabase, queryRows } from "@/bench/database";
import type { Part } from "@/bench/measure";
import type { BenchOptions } from "@/bench/run";
import { startShop } from "@/bench/shop";
import { requireChromium } from "@/scripts/chromium";

// Bytes of HTML and JavaScript with which Chromium loads public pages, compared with those of an empty page of
// Next.js (app/bench).

export async function measureWeight({ services, products }: BenchOptions): Promise<Part> {
  const database = await openDatabase({ services, products });
  const shop = await startShop({ services, databaseUrl: database.url });
  const [product] = await queryRows<{ id: number }>({
    url: database.url,
    sql: "select id from products order by sales_count desc limit 1",
  });
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    // Chromium's sandbox does not work for root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const bare = await kilobytesOf(browser, `${shop.origin}/bench/1`);
  const rows = [];
  for (const path of ["/", "/products", `/product/${product?.id}`]) {
    const { document, script } = await kilobytesOf(browser, shop.origin + path);
    rows.push(
      { name: `${path}, JavaScript`, unit: "kB", shop: [script], other: [bare.script] },
      { name: `${path}, HTML`, unit: "kB", shop: [document], other: [bare.document] },
    );
  }
  await browser.close();
  await shop.stop({ isForced: false });
  await database.stop({ isForced: false });
  return { title: "Page weight, gzip, beside a bare page of Next.js", rows };
}

/** Compressed sizes of what a first visit loads. */
async function kilobytesOf(browser: Browser, url: string) {
  const page = await browser.newPage();
  const responses: Response[] = [];
  page.on("response", (response) => responses.push(response));
  await page.goto(url, { waitUntil: "networkidle" });
  const kilobytes = { document: 0, script: 0 };
  for (const response of responses) {
    const type = response.request().resourceType();
    if (type === "document" || type === "script")
      kilobytes[type] += gzipSync(await response.body()).length / 1_000;
  }
  await page.close();
  return kilobytes;
}
