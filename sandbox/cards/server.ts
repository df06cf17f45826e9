import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OperatorError } from "@/lib/operator-error";
import { Api } from "@/sandbox/cards/api";
import { control } from "@/sandbox/cards/control";
import { Faults } from "@/sandbox/cards/faults";
import { jsonReply, type Reply, send } from "@/sandbox/cards/http";
import { sandboxPage } from "@/sandbox/cards/page";
import { Store } from "@/sandbox/cards/store";
import { summarize } from "@/sandbox/cards/summary";
import { type RetryDelays, WebhookSender } from "@/sandbox/cards/webhooks";
import { takeLock } from "@/sandbox/lock";

interface CardSandboxOptions {
  /** 0 takes any free one. */
  port: number;
  /** Keeps everything over restarts; its folder is made where it is missing. */
  dataFile: string;
  /** Where the shop takes events. */
  webhookUrl: string;
  /** "whsec_…", with which they are signed. */
  webhookSecret: string;
  /** Those that the shop has asked for, as at Stripe's; all if not given. */
  enabledEvents?: readonly string[] | undefined;
  log: (line: string) => void;
  /** For tests that cannot wait as long as people can. */
  retry?: RetryDelays;
}

export interface CardSandbox {
  /** e.g. "http://127.0.0.1:12111" */
  url: string;
  /** May be called more than once. */
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";
const addressOf = (port: number) => `http://${HOST}:${port}`;

const RETRY: RetryDelays = { firstMs: 1_000, maxMs: 5 * 60_000 };

/**
 * A card provider that runs on this machine: the part of Stripe's API that the shop uses, with
 * Stripe's test cards. It listens on 127.0.0.1 alone.
 *
 * @throws OperatorError where the port or the file are in use
 */
export async function startCardSandbox(options: CardSandboxOptions): Promise<CardSandbox> {
  const { port, dataFile } = options;
  const release = await takeLock({
    file: `${dataFile}.lock`,
    launcher: null,
    command: "bac à sable de cartes",
    address: port === 0 ? null : addressOf(port),
  });
  let store: Store | undefined;
  try {
    store = new Store(dataFile);
    const running = await serve({ ...options, store });
    const end = async () => {
      await running.stop();
      store?.close();
      release();
    };
    let ending: Promise<void> | undefined;
    return {
      url: running.url,
      stop: () => {
        ending ??= end();
        return ending;
      },
    };
  } catch (error) {
    store?.close();
    release();
    throw error;
  }
}

async function serve({
  port,
  store,
  webhookUrl,
  webhookSecret,
  enabledEvents,
  log,
  retry = RETRY,
}: CardSandboxOptions & { store: Store }): Promise<CardSandbox> {
  const stopping = new AbortController();
  const faults = new Faults();
  const api = new Api({ store, faults, stopping: stopping.signal, log });
  const webhooks = new WebhookSender({
    store,
    faults,
    url: webhookUrl,
    secret: webhookSecret,
    enabledEvents,
    retry,
    log,
  });
  store.onEvent = (event) => webhooks.push(event);

  /** What is not Stripe's. */
  const answerOwn = async (request: IncomingMessage, path: string): Promise<Reply> => {
    if (path === "/" && request.method === "GET") return sandboxPage(summarize(store));
    return control({ request, path, store, faults, webhooks });
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? "";
    if (!target.startsWith("/") || !URL.canParse(target, addressOf(port))) {
      send(
        response,
        jsonReply({ status: 400, value: { error: { message: "Adresse mal formée." } } }),
      );
      return;
    }
    const url = new URL(target, addressOf(port));
    if (url.pathname.startsWith("/v1/")) await api.handle(request, response, url);
    else send(response, await answerOwn(request, url.pathname));
  };

  const atWork = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = handle(request, response)
      .catch((error: unknown) => {
        log(`Bac à sable de cartes : ${error instanceof Error ? error.stack : error}`);
        response.destroy();
      })
      .finally(() => atWork.delete(work));
    atWork.add(work);
  });
  server.listen({ port, host: HOST });
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new OperatorError(
      `Le port ${port} du bac à sable de cartes est déjà pris par un autre programme. Arrêtez-le, ou donnez un autre port dans STRIPE_API_BASE (par exemple ${addressOf(port + 1)}).`,
    );
  });
  webhooks.resume();

  return {
    url: addressOf((server.address() as AddressInfo).port),
    stop: async () => {
      stopping.abort();
      webhooks.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, ...atWork]);
    },
  };
}
