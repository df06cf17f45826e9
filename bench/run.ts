import { parseArgs } from "node:util";
import type { Tool } from "@/bench/load";
import { OperatorError } from "@/lib/operator-error";
import { runCommand } from "@/scripts/command";
import { Services } from "@/scripts/services";

// npm run bench [-- [throughput|crawl|purchases|vendure|bodies|backoffice|front|lighthouse] [--products N] [--only pages|api|search|browser|scale] [--seconds S]]
// Measures the built shop on a database of its own: docs/performance.md.

const USAGE = [
  "npm run bench -- [throughput | crawl | purchases | vendure | bodies | backoffice | front | lighthouse] [options]",
  "  --products N   size of the catalogue (20000); from 100000 on it is compared with 1,000 instead",
  "  --only PART    pages, api, search, browser or scale; may be given more than once",
  "  --seconds S    length of a burst of requests (3; with a large catalogue 10)",
  "  --latency MS   how much later the database's answers arrive (purchases; 0)",
  "  --tool TOOL    wrk or autocannon (wrk where it is installed)",
  "  --explain      print the plans of what is slow (scale)",
].join("\n");

const SECTIONS = ["pages", "api", "search", "browser", "scale"] as const;
export type Section = (typeof SECTIONS)[number];

/** From here on a catalogue is compared with a small one. */
const LARGE = 100_000;

export interface BenchOptions {
  services: Services;
  products: number;
  sections: readonly Section[];
  seconds: number;
  /** Milliseconds. */
  latency: number;
  tool: Tool | undefined;
  explain: boolean;
}

/** One file per word: `npm run bench -- crawl`. Its `run` returns the exit code. */
const BENCHES: Record<string, () => Promise<{ run(options: BenchOptions): Promise<number> }>> = {
  throughput: () => import("@/bench/throughput"),
  crawl: () => import("@/bench/crawl"),
  backoffice: () => import("@/bench/backoffice"),
  purchases: () => import("@/bench/purchases"),
  vendure: () => import("@/bench/vendure"),
  bodies: () => import("@/bench/bodies"),
  front: () => import("@/bench/front"),
  lighthouse: () => import("@/bench/lighthouse"),
};

function readNumber({ name, text, min }: { name: string; text: string; min: number }): number {
  const number = /^\d{1,8}(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (number < min) throw new OperatorError(`--${name} ${text}?\n${USAGE}`);
  return number;
}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        products: { type: "string", default: "20000" },
        only: { type: "string", multiple: true },
        seconds: { type: "string" },
        latency: { type: "string", default: "0" },
        tool: { type: "string" },
        explain: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${USAGE}`);
  }
}

void runCommand(async () => {
  const { values, positionals } = readOptions();
  const [name = "throughput", ...more] = positionals;
  const load = BENCHES[name];
  if (!load || more.length > 0) throw new OperatorError(`${positionals.join(" ")}?\n${USAGE}`);
  const products = readNumber({ name: "products", text: values.products, min: 1_000 });
  const only = values.only?.flatMap((text) => text.split(","));
  const sections = SECTIONS.filter((section) =>
    only ? only.includes(section) : (section === "scale") === products >= LARGE,
  );
  if (only?.some((name) => !SECTIONS.some((section) => section === name))) {
    throw new OperatorError(`--only ${only}?\n${USAGE}`);
  }
  const tool = (["wrk", "autocannon"] as const).find((name) => name === values.tool);
  if (values.tool && !tool) throw new OperatorError(`--tool ${values.tool}?\n${USAGE}`);
  const services = new Services(130);
  const { run } = await load();
  return run({
    services,
    products,
    sections,
    // In three seconds a large catalogue answers some hundred searches, which have no reliable p99.
    seconds: readNumber({
      name: "seconds",
      text: values.seconds ?? (products >= LARGE ? "10" : "3"),
      min: 1,
    }),
    latency: readNumber({ name: "latency", text: values.latency, min: 0 }),
    tool,
    explain: values.explain,
  });
});
