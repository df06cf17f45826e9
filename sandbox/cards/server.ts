import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OperatorError } from "@/lib/errors/operator-error";
import { isOwnHost } from "@/lib/http/host";
import { Api } from "@/sandbox/cards/api";
import { handleControlRequest } from "@/sandbox/cards/control";
import { Faults } from "@/sandbox/cards/faults";
import { jsonReply, send } from "@/sandbox/cards/http";
import { renderSandboxPage } from "@/sandbox/cards/status-page";
import { Store } from "@/sandbox/cards/store";
import { summarize } from "@/sandbox/cards/summary";
import { type RetryDelays, WebhookSender } from "@/sandbox/cards/webhooks";
import { acquireLock } from "@/sandbox/lock";

interface CardSandboxOptions {
  /** 0 for any free port. */
  port: number;
  /** The file that keeps the data across restarts; a missing folder is created. */
  dataFile: string;
  /** The shop's webhook endpoint. */
  webhookUrl: string;
  /** "whsec_…", the endpoint's signing secret. */
  webhookSecret: string;
  /** The event types to send; all by default. */
  enabledEvents?: readonly string[] | undefined;
  log: (line: string) => void;
  /** Shorter delays for tests. */
  retry?: RetryDelays;
}

/** Shared by the parts of a running sandbox. */
export interface SandboxContext {
  store: Store;
  faults: Faults;
  /** Aborted when the server stops, to end pending delays and requests. */
  stopping: AbortSignal;
  log: (line: string) => void;
}

export interface CardSandbox {
  /** e.g. "http://127.0.0.1:12111" */
  url: string;
  /** May be called more than once. */
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";
const FOREIGN_HOST = {
  error: { message: "Le bac à sable de cartes ne répond qu'à localhost ou à une adresse IP." },
};
const urlOf = (port: number) => `http://${HOST}:${port}`;

/**
 * Starts a local payment provider: the part of Stripe's API that the shop uses, with Stripe's test
 * cards. Listens on 127.0.0.1 only.
 *
 * @throws OperatorError if the port or the data file is in use
 */
export async function startCardSandbox({
  port,
  dataFile,
  webhookUrl,
  webhookSecret,
  enabledEvents,
  log,
  retry = { firstMs: 1_000, maxMs: 5 * 60_000 },
}: CardSandboxOptions): Promise<CardSandbox> {
  const release = await acquireLock({
    file: `${dataFile}.lock`,
    command: "bac à sable de cartes",
    address: port === 0 ? null : urlOf(port),
  });
  try {
    const store = new Store(dataFile);
    const stopping = new AbortController();
    const faults = new Faults();
    const context = { store, faults, stopping: stopping.signal, log };
    const api = new Api(context);
    const endpoint = { url: webhookUrl, secret: webhookSecret, enabledEvents, retry };
    const webhooks = new WebhookSender({ ...context, ...endpoint });
    store.onEvent = (event) => webhooks.push(event);

    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const url = new URL(request.url ?? "", urlOf(port));
      const path = url.pathname;
      // DNS rebinding: a page whose domain resolves to this server would need neither a key nor CORS.
      if (!isOwnHost(request.headers.host)) send(response, jsonReply(FOREIGN_HOST, 421));
      else if (path.startsWith("/v1/")) await api.handle(request, response, url);
      else if (path === "/" && request.method === "GET")
        send(response, renderSandboxPage(summarize(store)));
      else send(response, await handleControlRequest({ request, path }, { ...context, webhooks }));
    };
    const server = createServer((request, response) => {
      handle(request, response).catch((error: unknown) => {
        log(`Bac à sable de cartes : ${error instanceof Error ? error.stack : error}`);
        response.destroy();
      });
    });
    server.listen({ port, host: HOST });
    await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") throw error;
      throw new OperatorError(
        `Le port ${port} du bac à sable de cartes est déjà pris par un autre programme. Arrêtez-le, ou donnez un autre port dans STRIPE_API_BASE (par exemple ${urlOf(port + 1)}).`,
      );
    });
    webhooks.resume();

    return {
      url: urlOf((server.address() as AddressInfo).port),
      stop: async () => {
        stopping.abort();
        webhooks.clear();
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await closed;
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
