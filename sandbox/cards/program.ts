import { parseArgs } from "node:util";
import { startCardSandbox } from "@/sandbox/cards/server";

// Runs the sandbox as a program of its own:
//   STRIPE_WEBHOOK_SECRET=whsec_… node --import tsx sandbox/cards/program.ts
//     --port 12111 --data .data/cards.jsonl --webhook http://localhost:3000/api/stripe/webhook
// It prints its URL, and shuts down on SIGINT and SIGTERM.

const text = { type: "string", default: "" } as const;
const { values } = parseArgs({
  options: {
    port: text,
    data: text,
    webhook: text,
    /** The event types to send; all by default. */
    event: { type: "string", multiple: true },
    /** Milliseconds before the first retry of an undelivered webhook. */
    retry: { type: "string", default: "1000" },
  },
});
const sandbox = await startCardSandbox({
  port: Number(values.port),
  dataFile: values.data,
  webhookUrl: values.webhook,
  webhookSecret: process.env.STRIPE_WEBHOOK_SECRET ?? "",
  enabledEvents: values.event,
  log: console.log,
  retry: { firstMs: Number(values.retry), maxMs: 5 * 60_000 },
});
const stop = () => sandbox.stop().finally(() => process.exit());
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
console.log(`Bac à sable de cartes : ${sandbox.url}`);
