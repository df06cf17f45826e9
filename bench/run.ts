import { parseArgs } from "node:util";
import { type Part, printTable } from "@/bench/measure";
import { measurePages } from "@/bench/pages";
import { measurePurchases } from "@/bench/purchases";
import { measureScale } from "@/bench/scale";
import { buildShop } from "@/bench/shop";
import { measureWeight } from "@/bench/weight";
import { OperatorError } from "@/lib/errors/operator-error";
import { runCommand } from "@/scripts/command";
import { Services } from "@/scripts/services";

// npm run bench – measures the built shop on databases of its own, and prints one table: docs/performance.md.

const USAGE = `npm run bench -- [pages] [purchases] [scale] [weight] [options]; without a name all of them
  --rows N      size of the large tables that are compared with a thousand rows (scale; 1000000)
  --products N  size of the catalogue (pages, weight; 20000)
  --seconds S   length of each burst of requests or purchases (3)`;

export interface BenchOptions {
  services: Services;
  rows: number;
  products: number;
  seconds: number;
}

const PARTS: Record<string, (options: BenchOptions) => Promise<Part>> = {
  pages: measurePages,
  purchases: measurePurchases,
  scale: measureScale,
  weight: measureWeight,
};

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        rows: { type: "string", default: "1000000" },
        products: { type: "string", default: "20000" },
        seconds: { type: "string", default: "3" },
      },
    });
    const number = (text: string, min: number) => {
      if (!/^\d{1,8}$/.test(text) || Number(text) < min) throw new Error(`${text}?`);
      return Number(text);
    };
    const parts = Object.keys(PARTS);
    const unknown = positionals.find((name) => !parts.includes(name));
    if (unknown !== undefined) throw new Error(`${unknown}?`);
    return {
      names: positionals.length > 0 ? positionals : parts,
      rows: number(values.rows, 2_000),
      products: number(values.products, 1_000),
      seconds: number(values.seconds, 1),
    };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${USAGE}`);
  }
}

void runCommand(async () => {
  const { names, ...options } = readOptions();
  const services = new Services(130);
  console.log("Building the shop…");
  await buildShop(services);
  const parts: Part[] = [];
  for (const name of names) {
    console.log(`Measuring: ${name}…`);
    const part = await PARTS[name]?.({ ...options, services });
    if (part) parts.push(part);
  }
  console.log();
  printTable(parts);
  return services.shutDown(0);
});
