import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Env } from "@/lib/env-schema";
import { OperatorError } from "@/lib/operator-error";
import { HANDLED_EVENTS, SANDBOX_PORT, sandboxWebhookSecret } from "@/lib/payment-provider";
import { startCardSandbox } from "@/sandbox/cards/server";
import { isPortFree } from "@/sandbox/ports";
import { print } from "@/scripts/command";
import { chownToCheckoutOwner, DATA_DIR, makeDataDir } from "@/scripts/database";
import type { Services } from "@/scripts/services";

/** How many ports are tried where STRIPE_API_BASE names none. */
const PORT_ATTEMPTS = 50;

const LOCAL_HOSTS = new Set(["127.0.0.1", "localhost"]);

/** The port for the sandbox; null where STRIPE_API_BASE is on another machine. */
async function choosePort(apiBase: string | undefined): Promise<number | null> {
  if (apiBase !== undefined) {
    const { hostname, port, protocol } = new URL(apiBase);
    if (!LOCAL_HOSTS.has(hostname) || protocol !== "http:") return null;
    return Number(port || 80);
  }
  for (let port = SANDBOX_PORT; port < SANDBOX_PORT + PORT_ATTEMPTS; port++)
    if (await isPortFree(port)) return port;
  throw new OperatorError(
    `Aucun port libre pour le bac à sable de cartes entre ${SANDBOX_PORT} et ${SANDBOX_PORT + PORT_ATTEMPTS - 1}. Donnez-en un dans STRIPE_API_BASE, par exemple : STRIPE_API_BASE=http://127.0.0.1:13000`,
  );
}

/**
 * Without Stripe's keys: starts the card sandbox, which keeps its state beside the database's.
 *
 * @returns its URL; null where it is not needed
 */
export async function startCards({
  services,
  settings,
  secret,
}: {
  services: Services;
  settings: Env;
  /** The shop's AUTH_SECRET, from which both sides derive the webhook secret. */
  secret: string;
}): Promise<string | null> {
  if (settings.STRIPE_SECRET_KEY !== undefined) return null;
  const port = await choosePort(settings.STRIPE_API_BASE);
  if (port === null) return null;
  // One file per database: several shops with databases of their own may share a folder. Where the
  // folder is read-only, payments are forgotten with the process.
  const name = settings.DATABASE_URL === undefined ? "cards.jsonl" : `cards-${settings.PORT}.jsonl`;
  const folder = makeDataDir() ? DATA_DIR : mkdtempSync(path.join(tmpdir(), "mini-ecommerce-"));
  const dataFile = path.join(folder, name);
  const { url } = await services.start(() =>
    startCardSandbox({
      port,
      dataFile,
      webhookUrl: `http://${webhookHost(settings.LISTEN_ADDRESS)}:${settings.PORT}/api/stripe/webhook`,
      webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? sandboxWebhookSecret(secret),
      enabledEvents: HANDLED_EVENTS,
      // Webhooks are retried: a failed one is not worth a line while the shop still starts.
      log: (line) => {
        if (!line.startsWith("Webhook ")) print(line);
      },
    }),
  );
  if (existsSync(dataFile)) chownToCheckoutOwner(dataFile);
  return url;
}

/** A host of this machine on which the shop listens. */
function webhookHost(listenAddress: string | undefined): string {
  if (listenAddress === undefined || /^(?:0\.0\.0\.0|::|localhost)$/.test(listenAddress))
    return "127.0.0.1";
  return listenAddress.includes(":") ? `[${listenAddress}]` : listenAddress;
}
