import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { residentMiB } from "@/bench/processes";
import { type Quantiles, quantilesOf } from "@/bench/report";
import type { Server } from "@/bench/shop";

// What other requests notice while invoices are drawn, and how many are drawn per second.

const INVOICES = 100;
/** Downloads at a time. */
const DOWNLOADERS = 8;
/** Rounds with and without invoices, in turns. */
const ROUNDS = 5;
/** Milliseconds between two requests for products. */
const INTERVAL_MS = 4;

export interface InvoiceRow {
  perSecond: number;
  /** Milliseconds of `GET /api/products` without and with invoices being drawn. */
  alone: Quantiles;
  beside: Quantiles;
  /** p99 with / p99 without. */
  ratio: number;
  /** Memory of the shop's process before the first and after the last invoice. */
  residentMiB: { before: number | null; most: number | null };
}

function get(agent: http.Agent, url: string, token?: string): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const request = http.get(url, { agent, headers }, (response) => {
      response.resume();
      response.on("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - begin);
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
    });
    request.on("error", reject);
  });
}

/** Requests products at a fixed rate until `work` is done. */
async function timeProducts(agent: http.Agent, shop: Server, work: Promise<unknown>) {
  const requests: Promise<number>[] = [];
  let isOver = false;
  const ending = work.finally(() => {
    isOver = true;
  });
  for (let next = performance.now(); !isOver; next += INTERVAL_MS) {
    requests.push(get(agent, `${shop.origin}/api/products?itemsPerPage=12`));
    await delay(Math.max(0, next + INTERVAL_MS - performance.now()));
  }
  await ending;
  return Promise.all(requests);
}

export async function measureInvoices({
  shop,
  token,
  invoiceIds,
}: {
  shop: Server;
  /** Of who may download all of them. */
  token: string;
  invoiceIds: readonly number[];
}): Promise<InvoiceRow> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  const before = residentMiB(shop.pid);
  let most = before;
  const drawInvoices = async () => {
    let remaining = INVOICES;
    await Promise.all(
      Array.from({ length: DOWNLOADERS }, async () => {
        while (remaining > 0) {
          const id = invoiceIds[remaining-- % invoiceIds.length];
          await get(agent, `${shop.origin}/api/invoices/${id}/download`, token);
        }
      }),
    );
    most = Math.max(most ?? 0, residentMiB(shop.pid) ?? 0);
  };
  // The first invoice loads what draws them.
  await drawInvoices();
  const [alone, beside]: [number[], number[]] = [[], []];
  let drawingMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    beside.push(...(await timeProducts(agent, shop, drawInvoices())));
    const elapsed = performance.now() - begin;
    drawingMs += elapsed;
    alone.push(...(await timeProducts(agent, shop, delay(elapsed))));
  }
  agent.destroy();
  const row = { alone: quantilesOf(alone), beside: quantilesOf(beside) };
  return {
    ...row,
    perSecond: (INVOICES * ROUNDS * 1000) / drawingMs,
    ratio: row.beside.p99 / row.alone.p99,
    residentMiB: { before, most },
  };
}
