import { fail } from "@/lib/errors";
import { type Exchange, onceEnded, type Step } from "@/lib/http/server/exchange";
import { networkOf } from "@/lib/http/server/network";
import { RENDERED_PAGE, RESIZED_PICTURE } from "@/lib/http/server/page";
import { readSemaphore } from "@/lib/http/server/read-semaphore";
import { refuseForOverload } from "@/lib/http/server/refusal";
import { runInRequest } from "@/lib/http/server/request-context";
import { isPageStored, sendStoredPage } from "@/lib/http/server/stored-page";
import { isApiUrl } from "@/lib/http/url";
import { createSemaphore } from "@/lib/semaphore";

/** Health checks are answered also, and above all, under load. */
const PROBES = /^\/api\/(?:health|ready)(?:\?|$)/;
/** Files that are made from the database. */
const READ_PER_REQUEST = /^\/(?:sitemap\.xml|og)(?:[/?]|$)/;

/** Refuses requests that render or query the database beyond the limits: docs/decisions/031. */
export const limitReads: Step = (exchange, next) => {
  const { method = "GET", url = "" } = exchange.request;
  const isRead = isApiUrl(url)
    ? (method === "GET" || method === "HEAD") && !PROBES.test(url)
    : RENDERED_PAGE.test(url) || READ_PER_REQUEST.test(url);
  if (isRead) passWithPermit(exchange, next);
  else if (url.startsWith(RESIZED_PICTURE))
    passWithPermit(exchange, () => waitForTurn(exchange, next));
  else next();
};

/** Pictures that Next.js resizes, or reads from the disk, at a time: one may have 50 million pixels. */
const MAX_PICTURES = 2;
/** Milliseconds that a picture waits for its turn. */
const MAX_PICTURE_WAIT = 20_000;

const pictures = createSemaphore(MAX_PICTURES);

function waitForTurn(exchange: Exchange, next: () => void): void {
  const ended = new Promise<void>((resolve) =>
    onceEnded({ ...exchange, event: "prefinish", callback: resolve }),
  );
  const resize = async () => {
    if (exchange.request.socket.destroyed) return;
    next();
    await ended;
  };
  const wait = { atMost: MAX_PICTURE_WAIT, error: fail.unavailable };
  pictures.run(resize, wait).catch(() => refuseForOverload(exchange));
}

/** By the path of a page that a request with a permit waits for: the requests that wait for its document. */
const underWay = new Map<string, (() => void)[]>();

/**
 * Refuses a public page that is not stored beyond the same limits, before Next.js renders it: there are any
 * number of searches and views of the catalogue, and the frame of a page and the error page in its place take
 * memory, too. The rendering takes the permit over. A request needs none while another one with a permit waits
 * for the same page, which Next.js joins, or where the stored page has expired: it is sent, and rendered again
 * behind it. The document of a search, which Next.js does not store, is waited for here.
 */
export const limitRenderings: Step = (exchange, next) => {
  const { pagePath, keep, isDocument } = exchange.context;
  if (pagePath === undefined) return next();
  const waiting = underWay.get(pagePath);
  if (!keep && (waiting || isPageStored(pagePath))) return next();
  if (keep && !isDocument) return passWithPermit(exchange, next);
  if (waiting) {
    waiting.push(() => sendOrRender(exchange, next));
    return;
  }
  passWithPermit(exchange, () => {
    const others: (() => void)[] = [];
    underWay.set(pagePath, others);
    const callback = () => {
      underWay.delete(pagePath);
      for (const resume of others) resume();
    };
    onceEnded({ ...exchange, event: "prefinish", callback });
    next();
  });
};

/** After another request has ended: its document, or a rendering if there is none, since it failed. */
function sendOrRender(exchange: Exchange, next: () => void): void {
  if (exchange.request.socket.destroyed) return;
  runInRequest(exchange.context, () =>
    sendStoredPage(exchange, () => passWithPermit(exchange, next)),
  );
}

/**
 * Passes a request on with a permit, until the response has been made or the client is gone; refuses it
 * where none is left. A client that reads slowly holds no permit.
 */
function passWithPermit(exchange: Exchange, next: () => void): void {
  const { request, context } = exchange;
  const release = readSemaphore().tryAcquire(networkOf(request));
  if (!release) {
    refuseForOverload(exchange);
    return;
  }
  context.permit = release;
  onceEnded({ ...exchange, event: "prefinish", callback: () => context.takePermit()?.() });
  next();
}
