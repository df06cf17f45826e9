import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { accessOf } from "@/lib/guards";
import { EVERY_PAGE } from "@/lib/http/cache-tags";
import { isPurging } from "@/lib/http/purge";

// What a cache in front of the shop (Varnish, a CDN) is told about a cached page: docs/decisions/038.

/** Names the tags of what a page shows, for the cache to forget it by. Not for visitors. */
const TAGS_HEADER = "Cache-Tag";

/** An entry of cache-handler.mjs. */
interface Page {
  tags: readonly string[];
  /** When the reading began that made it, in milliseconds. */
  lastModified: number;
}

/** The answer to one request, in which cache-handler.mjs notes the page that it shows. */
interface Answer {
  page?: Page;
}

interface Store {
  isExpired(page: Page): boolean;
}

const ANSWER = Symbol.for("mini-ecommerce.answer");
const STORE = Symbol.for("mini-ecommerce.cache");
const shared = globalThis as { [ANSWER]?: AsyncLocalStorage<Answer>; [STORE]?: Store };

/** Called when the server starts; only the first call counts. */
export function watchCachedAnswers(): void {
  if (shared[ANSWER]) return;
  const answers = new AsyncLocalStorage<Answer>();
  shared[ANSWER] = answers;
  const hasTags = isPurging();
  // A channel of node:http itself, published before the server's own request event.
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const answer: Answer = {};
    answers.enterWith(answer);
    const path = pathOf(request.url ?? "/");
    const { writeHead } = response;
    response.writeHead = ((...args: unknown[]) => {
      const { page } = answer;
      if (page && !response.headersSent) {
        describePage({ response, path, page, hasTags, isExpired: isExpired(page) });
      }
      return Reflect.apply(writeHead, response, args);
    }) as typeof writeHead;
  });
}

const isExpired = (page: Page) => shared[STORE]?.isExpired(page) ?? false;

const pathOf = (url: string) => url.split("?", 1)[0] ?? url;

/**
 * Sets the headers of a page that is about to be sent.
 *
 * @param isExpired what it shows has changed since it was read: a request that came while the page
 *   was being rendered is answered with it all the same, after the caches were told to forget it
 * @param hasTags is there a cache in front that is told what to forget?
 */
export function describePage({
  response,
  path,
  page,
  hasTags,
  isExpired,
}: {
  response: Pick<ServerResponse, "setHeader">;
  path: string;
  page: Page;
  hasTags: boolean;
  isExpired: boolean;
}): void {
  // The middleware looks at each visitor of a guarded page: nobody may show it in the shop's place.
  if (isExpired || accessOf(path) !== null) {
    response.setHeader("Cache-Control", "private, no-cache, no-store, max-age=0, must-revalidate");
  } else if (hasTags) {
    response.setHeader(TAGS_HEADER, [EVERY_PAGE, ...page.tags.filter(isOwn)].join(","));
  }
}

/** Next.js adds a tag for every part of a page's path. */
const isOwn = (tag: string) => !tag.startsWith("_N_T_");
