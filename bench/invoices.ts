import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { residentMiB } from "@/bench/processes";
import { formatFigure, type Quantiles, quantilesOf } from "@/bench/report";
import type { Server } from "@/bench/shop";

// What other requests notice while invoices are drawn, and how many are drawn per second.

const INVOICES = 100;
/** Downloads at a time. */
const DOWNLOADERS = 8;
/** Rounds with and without invoices, in turns. */
const ROUNDS = 5;
/** As in the other measurements of the API. */
const CONNECTIONS = 16;
/** Milliseconds between two requests at a fixed rate. */
const INTERVAL_MS = 4;

/** `GET /api/products` with and without invoices being drawn. */
interface Comparison {
  /** Invoices per second meanwhile. */
  invoices: number;
  /** Milliseconds. */
  alone: Quantiles;
  beside: Quantiles;
  /** p99 beside / p99 alone. */
  ratio: number;
}

export interface InvoiceRow {
  /** All connections request products, one after the other. */
  busy: Comparison;
  /** Products are requested at a fixed rate that leaves most of the time to others. */
  steady: Comparison;
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

/** Requests products until it is over. @returns milliseconds of each request */
type Load = (request: () => Promise<number>, isOver: () => boolean) => Promise<number[]>;

const allConnections: Load = async (request, isOver) => {
  const times: number[] = [];
  const repeat = async () => {
    while (!isOver()) times.push(await request());
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, repeat));
  return times;
};

const fixedRate: Load = async (request, isOver) => {
  const times: Promise<number>[] = [];
  for (let next = performance.now(); !isOver(); next += INTERVAL_MS) {
    times.push(request());
    await delay(Math.max(0, next + INTERVAL_MS - performance.now()));
  }
  return Promise.all(times);
};

async function compare({
  load,
  request,
  drawInvoices,
}: {
  load: Load;
  request: () => Promise<number>;
  drawInvoices: () => Promise<void>;
}): Promise<Comparison> {
  const timesDuring = async (work: Promise<unknown>) => {
    let isOver = false;
    const ending = work.finally(() => {
      isOver = true;
    });
    const times = await load(request, () => isOver);
    await ending;
    return times;
  };
  const [alone, beside]: [number[], number[]] = [[], []];
  let drawingMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    beside.push(...(await timesDuring(drawInvoices())));
    const elapsed = performance.now() - begin;
    drawingMs += elapsed;
    alone.push(...(await timesDuring(delay(elapsed))));
  }
  const row = { alone: quantilesOf(alone), beside: quantilesOf(beside) };
  return {
    ...row,
    invoices: (INVOICES * ROUNDS * 1000) / drawingMs,
    ratio: row.beside.p99 / row.alone.p99,
  };
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
  const request = () => get(agent, `${shop.origin}/api/products?itemsPerPage=12`);
  const busy = await compare({ load: allConnections, request, drawInvoices });
  const steady = await compare({ load: fixedRate, request, drawInvoices });
  agent.destroy();
  return { busy, steady, residentMiB: { before, most } };
}

/** A line for people. */
export function sentenceOf({ residentMiB, ...loads }: InvoiceRow): string {
  const f = formatFigure;
  const parts = Object.entries(loads).map(
    ([name, { invoices, alone, beside }]) =>
      `${name}: ${f(invoices)} invoices per second; GET /api/products takes ${f(beside.p50)} ms (p99 ${f(beside.p99)}), without invoices ${f(alone.p50)} ms (p99 ${f(alone.p99)})`,
  );
  return `Invoices as PDF, ${parts.join("; ")}. The shop's memory went from ${f(residentMiB.before)} to ${f(residentMiB.most)} MiB.`;
}
