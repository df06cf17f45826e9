import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base, expect } from "@playwright/test";
import Stripe from "stripe";
import { STRIPE_API_VERSION } from "@/lib/payment-settings";
import type { CallFault, WebhookFault } from "@/sandbox/cards/faults";
import { type CardSandbox, startCardSandbox } from "@/sandbox/cards/server";
import type { Summary } from "@/sandbox/cards/summary";

// Fixtures of the sandbox's tests: a running sandbox, a client of Stripe's own package, and a webhook
// receiver.

export const WEBHOOK_SECRET = "whsec_of_the_tests";

interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A fake of the shop's webhook endpoint. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** The status to answer with; "hang-up" closes the connection instead. */
  answer: (webhook: ReceivedWebhook) => number | "hang-up" = () => 200;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8");
      request.on("data", (chunk: string) => {
        body += chunk;
      });
      request.on("end", () => {
        const webhook = { headers: request.headers, body };
        receiver.received.push(webhook);
        const status = receiver.answer(webhook);
        if (status === "hang-up") request.socket.destroy();
        else response.writeHead(status).end();
      });
    });
    const receiver = new WebhookReceiver(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhook`;
  }

  /** In order of arrival, with signatures verified by Stripe's own package. */
  get events(): Stripe.Event[] {
    return this.received.map(({ body, headers }) =>
      Stripe.webhooks.constructEvent(body, String(headers["stripe-signature"]), WEBHOOK_SECRET),
    );
  }

  get types(): string[] {
    return this.events.map((event) => event.type);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function stripeFor(
  url: string,
  { maxNetworkRetries = 0, timeout = 10_000, apiKey = "sk_test_shop" } = {},
): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(apiKey, {
    host: hostname,
    port,
    protocol: "http",
    apiVersion: STRIPE_API_VERSION,
    maxNetworkRetries,
    timeout,
    telemetry: false,
  });
}

/** A client of the sandbox's control calls. */
export class Control {
  constructor(private readonly url: string) {}

  async fault(...faults: (Partial<CallFault> | Partial<WebhookFault>)[]): Promise<void> {
    const response = await fetch(`${this.url}/_sandbox/faults`, {
      method: "POST",
      body: JSON.stringify(faults),
    });
    expect(response.status, await response.text()).toBe(200);
  }

  async summary(): Promise<Summary> {
    const response = await fetch(`${this.url}/_sandbox/payments`);
    return (await response.json()) as Summary;
  }

  async reset(): Promise<void> {
    const response = await fetch(`${this.url}/_sandbox/reset`, { method: "POST" });
    expect(response.status).toBe(200);
  }
}

/** The Stripe error that the call is expected to fail with. */
export async function errorOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Stripe.errors.StripeError);
  return error as Stripe.errors.StripeError;
}

interface Fixtures {
  folder: string;
  receiver: WebhookReceiver;
  sandbox: CardSandbox;
  stripe: Stripe;
  control: Control;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), "cards-"));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  receiver: async ({}, use) => {
    const receiver = await WebhookReceiver.start();
    await use(receiver);
    await receiver.stop();
  },
  sandbox: async ({ folder, receiver }, use) => {
    const lines: string[] = [];
    const sandbox = await startCardSandbox({
      port: 0,
      dataFile: path.join(folder, "cards.jsonl"),
      webhookUrl: receiver.url,
      webhookSecret: WEBHOOK_SECRET,
      log: (line) => lines.push(line),
      retry: { firstMs: 20, maxMs: 200 },
    });
    await use(sandbox);
    await sandbox.stop();
    // Anything but undelivered webhooks is an error in the sandbox itself.
    expect(lines.filter((line) => !line.startsWith("Webhook "))).toEqual([]);
  },
  stripe: async ({ sandbox }, use) => use(stripeFor(sandbox.url)),
  control: async ({ sandbox }, use) => use(new Control(sandbox.url)),
});

export { expect };
