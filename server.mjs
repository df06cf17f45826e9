// @ts-check
import { createServer, Server, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import nextEnv from "@next/env";
import { LRUCache } from "lru-cache";
import next from "next";
import { readDocument } from "./cache-handler.mjs";

// The server for hosts with a process: Next.js, with what its own server leaves out. Slow requests have limits, the process
// shuts down without losing a request, the shop knows who is at the other end of a connection, and stored pages are sent as
// they are, compressed. It knows no page and no rule of the shop. `next start` answers every request alike.

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => undefined, error: console.error });
// For lib/http/server/network.ts: the header with the peer is this file's.
process.env.SHOP_SERVER = "1";

const port = Number(process.env.PORT?.trim() || 3000);
const host = process.env.LISTEN_ADDRESS?.trim() || undefined;
const drainDelay = Number(process.env.DRAIN_DELAY?.trim() || 0) * 1000;

/**
 * Milliseconds within which a request's headers have to arrive, and its body, and that an idle connection stays
 * open. Node.js's own timeouts are one minute and five; two minutes are for a picture of 8 MB over a slow line. Node.js
 * closes idle connections after 5 seconds, while a proxy may just be sending a purchase on one, which it may not retry:
 * the proxy has to close first. Varnish, nginx and load balancers do after 60 seconds, Traefik after 90, Caddy after 120.
 */
const TIMEOUTS = { headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 125_000 };
/**
 * Bytes of a request's headers, its URL among them: a search of 10,000 characters is valid (the shop truncates it), and
 * percent-encoded it has up to 12 bytes a character.
 */
const maxHeaderSize = 131_072;
/** Milliseconds for the open requests and the workers to finish. */
const SHUTDOWN_TIMEOUT = 20_000;

// --- Stored pages -----------------------------------------------------------------------------------------------------

/** By which the cache finds the page that was sent: lib/http/cache/stored-pages.ts. */
const KEY_HEADER = "x-page-key";
/** Longer addresses are no links of the shop, and clients could fill the memory with them. */
const MAX_KEY_LENGTH = 400;
/** Headers by which Next.js's router, or a client that imitates it, asks for something else than the document. */
const ROUTER_HEADER = /^(?:rsc$|next-|x-nextjs-|x-middleware-|x-matched-path$|x-now-|x-prerender-)/;

/** @typedef {{ name: string, headers: import("node:http").OutgoingHttpHeaders }} Sent */

/** How Next.js has sent each document. @type {LRUCache<string, Sent>} */
const sentPages = new LRUCache({ max: 10_000 });

/**
 * The key of a document in `sentPages`; null for a request for something else. It contains the host and the proxy's scheme,
 * on which Strict-Transport-Security depends: lib/http/security-headers.ts.
 *
 * @param {import("node:http").IncomingMessage} request
 */
function documentKeyOf({ method, url = "", headers }) {
  const key = `${headers["x-forwarded-proto"] ?? ""} ${headers.host ?? ""} ${url}`;
  const isDocument =
    (method === "GET" || method === "HEAD") &&
    key.length <= MAX_KEY_LENGTH &&
    !Object.keys(headers).some((name) => ROUTER_HEADER.test(name));
  return isDocument ? key : null;
}

/** Does the client take gzip, without refusing it by `q=0`? */
const GZIP = /\bgzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/;

/**
 * Sends the page as Next.js has sent it before, while it is fresh; false if Next.js has to.
 *
 * @param {string} key
 * @param {import("node:http").IncomingMessage} request
 * @param {ServerResponse} response
 */
function sendStoredPage(key, { method, headers }, response) {
  const sent = sentPages.get(key);
  const document = sent && GZIP.test(String(headers["accept-encoding"])) && readDocument(sent.name);
  if (!document) return false;
  response.writeHead(200, {
    ...sent.headers,
    "content-encoding": "gzip",
    "content-length": document.length,
  });
  response.end(method === "HEAD" ? undefined : document);
  return true;
}

/** @param {string} key @param {ServerResponse} response sent by Next.js */
function remember(key, response) {
  const name = response.getHeader(KEY_HEADER);
  const isStored = response.statusCode === 200 && response.getHeader("x-nextjs-cache") === "HIT";
  // A cookie is one visitor's.
  if (!isStored || typeof name !== "string" || response.hasHeader("set-cookie")) return;
  const { "content-length": _, connection: __, ...headers } = response.getHeaders();
  sentPages.set(key, { name, headers: { ...headers, vary: `${headers.vary}, Accept-Encoding` } });
}

// --- Requests ---------------------------------------------------------------------------------------------------------

/** Headers that proxies add, one or the other. */
const PROXY_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.*|.*-connecting-ip|true-client-ip)$/;

/**
 * The IP at the other end, and " local" behind it for a request from this machine that has come through no proxy.
 *
 * @param {import("node:http").IncomingMessage} request
 */
function peerOf({ headers, socket: { remoteAddress = "", localAddress } }) {
  const isProxied = Object.keys(headers).some((name) => PROXY_HEADER.test(name));
  const isOwn = remoteAddress === localAddress || /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress);
  return isOwn && !isProxied ? `${remoteAddress} local` : remoteAddress;
}

/**
 * Every server accepts a target in absolute form (`GET http://shop.test/products`); its host replaces the header's (RFC
 * 9112, 3.2.2). False for a target without a path.
 *
 * @param {import("node:http").IncomingMessage} request
 */
function toOriginForm(request) {
  const { url = "", headers } = request;
  const [origin, host] = /^https?:\/\/([\w.:[\]-]+)(?=[/?#]|$)/i.exec(url) ?? [];
  if (origin !== undefined) {
    const target = url.slice(origin.length);
    request.url = target.startsWith("/") ? target : `/${target}`;
    headers.host = host;
  }
  return request.url?.startsWith("/") ?? false;
}

/** The length of a streamed response, which Next.js does not send: lib/http/headers.ts. */
const LENGTH_HEADER = "x-body-length";

/** @extends {ServerResponse<import("node:http").IncomingMessage>} */
class Response extends ServerResponse {
  /** @param {any[]} args @override */
  writeHead(...args) {
    const length = this.getHeader(LENGTH_HEADER);
    if (length !== undefined) {
      this.removeHeader(LENGTH_HEADER);
      this.setHeader("Content-Length", length);
    }
    return super.writeHead(.../** @type {[number]} */ (args));
  }
}

/** @type {Set<ServerResponse>} */
const open = new Set();

class ShopServer extends Server {
  /**
   * Node.js takes a connection for idle, and closes it, as soon as its response has been written: a client that still
   * reads it would lose the rest.
   *
   * @override
   */
  closeIdleConnections() {
    if (![...open].some(({ writableEnded }) => writableEnded)) super.closeIdleConnections();
  }
}

const app = next({
  dir: process.cwd(),
  port,
  // With another name, Next.js takes the rewrites of middleware.ts for those to another server.
  hostname: "localhost",
  quiet: true,
  // Next.js would take upgrades (WebSocket) over, and never answer them. Without a listener they are plain requests.
  httpServer: createServer(),
});
const answer = app.getRequestHandler();
let isDraining = false;

/** Next.js answers some others (TRACE) with 500. */
const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

const server = new ShopServer(
  { ...TIMEOUTS, maxHeaderSize, ServerResponse: Response },
  (request, response) => {
    const { headers, method = "" } = request;
    const isPath = toOriginForm(request);
    if (!METHODS.includes(method))
      return void response.writeHead(405, { Allow: METHODS.join(", ") }).end();
    if (!isPath) return void response.writeHead(404).end();
    open.add(response);
    response.once("close", () => open.delete(response));
    if (isDraining) response.setHeader("Connection", "close");
    headers["x-shop-peer"] = peerOf(request);
    // Next.js would write the client's nonce into the page.
    delete headers["content-security-policy"];
    const key = documentKeyOf(request);
    if (key !== null) {
      if (sendStoredPage(key, request, response)) return;
      response.once("finish", () => remember(key, response));
    }
    answer(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  },
);

// --- Start and end ----------------------------------------------------------------------------------------------------

/** Reports that the process is not ready, answers for DRAIN_DELAY seconds more, then finishes what is under way. */
async function shutDown() {
  if (isDraining) return;
  isDraining = true;
  await tell("shop:drain");
  await delay(drainDelay);
  setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT);
  const closing = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(closing);
  await tell("shop:stop");
  // Waits for work that Next.js does after its responses: runs of the workers, which take no further item now.
  await app.close();
  await tell("shop:end");
  process.exit(0);
}

/** Emits an event to the shop (lib/process/stop.ts), and waits for what it then does. @param {string} event */
async function tell(event) {
  /** @type {Promise<unknown>[]} */
  const pending = [];
  process.emit(/** @type {any} */ (event), /** @type {any} */ (pending));
  await Promise.allSettled(pending);
}

/** @param {unknown} error */
function fail(error) {
  console.error(error);
  process.exit(1);
}

// `disconnect`: the command that started this process is gone.
for (const event of ["SIGTERM", "SIGINT", "disconnect"]) process.on(event, () => void shutDown());
server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.syscall !== "listen") return fail(error);
  const place = [`PORT=${port}`, host && `LISTEN_ADDRESS=${host}`].filter(Boolean).join(", ");
  console.error(`La boutique ne peut pas écouter là (${place}) : ${error.code}.`);
  process.exit(1);
});
await app.prepare().catch(fail);
server.listen(port, host, () => process.send?.("ready"));
