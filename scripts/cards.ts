import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { FOLLOWED_EVENTS, SANDBOX_PORT, sandboxWebhookSecret } from "@/lib/checkout/provider";
import type { Env } from "@/lib/env";
import { OperatorError } from "@/lib/operator-error";
import { startCardSandbox } from "@/sandbox/cards/server";
import { say } from "@/scripts/command";
import { DATA_DIR, makeDataDir, ownLikeCheckout } from "@/scripts/database";
import { isPortFree } from "@/scripts/port";
import type { Services } from "@/scripts/services";

/** Ports that are tried where nobody has named one. */
const TRIES = 50;

const HERE = new Set(["127.0.0.1", "localhost"]);

/** Where the sandbox is to listen; null where the address names another machine. */
async function choosePort(apiBase: string | undefined): Promise<number | null> {
  if (apiBase !== undefined) {
    const { hostname, port, protocol } = new URL(apiBase);
    if (!HERE.has(hostname) || protocol !== "http:") return null;
    return Number(port || 80);
  }
  for (let port = SANDBOX_PORT; port < SANDBOX_PORT + TRIES; port++)
    if (await isPortFree({ port, host: "127.0.0.1" })) return port;
  throw new OperatorError(
    `Aucun port libre pour le bac à sable de cartes entre ${SANDBOX_PORT} et ${SANDBOX_PORT + TRIES - 1}. Donnez-en un dans STRIPE_API_BASE, par exemple : STRIPE_API_BASE=http://127.0.0.1:13000`,
  );
}

/**
 * Without Stripe's keys: starts the card sandbox, which keeps its state beside the database's.
 *
 * @returns where it listens; null where it is not needed
 */
export async function startCards({
  services,
  settings,
  secret,
}: {
  services: Services;
  settings: Env;
  /** The shop's AUTH_SECRET, from which both sides know how webhooks are signed. */
  secret: string;
}): Promise<string | null> {
  if (settings.STRIPE_SECRET_KEY !== undefined) return null;
  const port = await choosePort(settings.STRIPE_API_BASE);
  if (port === null) return null;
  // Books of one database only: several shops with databases of their own may share a folder. It
  // may be read-only for them, too: then the books end with the process.
  const name = settings.DATABASE_URL === undefined ? "cards.jsonl" : `cards-${settings.PORT}.jsonl`;
  const folder = makeDataDir() ? DATA_DIR : mkdtempSync(path.join(tmpdir(), "mini-ecommerce-"));
  const dataFile = path.join(folder, name);
  const { url } = await services.start(() =>
    startCardSandbox({
      port,
      dataFile,
      webhookUrl: `http://${webhookHost(settings.LISTEN_ADDRESS)}:${settings.PORT}/api/stripe/webhook`,
      webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? sandboxWebhookSecret(secret),
      enabledEvents: FOLLOWED_EVENTS,
      // A webhook that the shop does not take is sent again: worth no line while it still starts.
      log: (line) => {
        if (!line.startsWith("Webhook ")) say(line);
      },
    }),
  );
  if (existsSync(dataFile)) ownLikeCheckout(dataFile);
  return url;
}

/** An address of this machine at which the shop listens. */
function webhookHost(listenAddress: string | undefined): string {
  if (listenAddress === undefined || /^(?:0\.0\.0\.0|::|localhost)$/.test(listenAddress))
    return "127.0.0.1";
  return listenAddress.includes(":") ? `[${listenAddress}]` : listenAddress;
}
