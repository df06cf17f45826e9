import { parseArgs } from "node:util";
import { OperatorError } from "@/lib/operator-error";
import { startCardSandbox } from "@/sandbox/cards/server";

// Runs the sandbox as a program of its own:
//   STRIPE_WEBHOOK_SECRET=whsec_… node --import tsx sandbox/cards/program.ts
//     --port 12111 --data .data/cards.jsonl --webhook http://localhost:3000/api/stripe/webhook
// It prints its URL, and shuts down on SIGINT and SIGTERM.

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string" },
      data: { type: "string" },
      webhook: { type: "string" },
      /** The events that are sent; all if not given. May be given more than once. */
      event: { type: "string", multiple: true },
      /** Milliseconds before an undelivered webhook is sent again for the first time. */
      retry: { type: "string", default: "1000" },
    },
  });
  const { port, data, webhook, event, retry } = values;
  const secret = process.env.STRIPE_WEBHOOK_SECRET;
  if (!port || !data || !webhook || !secret)
    throw new OperatorError("Il faut --port, --data, --webhook et STRIPE_WEBHOOK_SECRET.");
  const sandbox = await startCardSandbox({
    port: Number(port),
    dataFile: data,
    webhookUrl: webhook,
    webhookSecret: secret,
    enabledEvents: event,
    log: (line) => console.log(line),
    retry: { firstMs: Number(retry), maxMs: 5 * 60_000 },
  });
  const stop = () => {
    sandbox.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  console.log(`Bac à sable de cartes : ${sandbox.url}`);
}

run().catch((error: unknown) => {
  console.error(error instanceof OperatorError ? error.message : error);
  process.exit(1);
});
