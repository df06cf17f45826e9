import { expect, type Page, type Request } from "@playwright/test";
import { deferred } from "./deferred";

/** Holds the page's requests to this URL. Returns a function that releases them. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = deferred();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Releases held requests to this URL, and waits until the page has handled the response. */
export async function releaseAndSettle({
  page,
  url,
  release,
}: {
  page: Page;
  url: string;
  release: () => void;
}): Promise<void> {
  const answered = page.waitForResponse(url);
  const settled = requestsEnd(page);
  release();
  await answered;
  await settled();
}

/** Milliseconds without a request after which the page is taken to have handled the responses. */
const QUIET_MS = 500;

/**
 * Watches the requests that begin from now on. The returned function settles when they have ended, and
 * none has begun for a while. Playwright's "networkidle" also waits for requests of earlier documents,
 * and may never learn that they have ended.
 */
function requestsEnd(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let lastAt = Date.now();
  const begin = (request: Request) => void open.add(request);
  const end = (request: Request) => {
    open.delete(request);
    lastAt = Date.now();
  };
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  return async () => {
    const isQuiet = () => open.size === 0 && Date.now() - lastAt >= QUIET_MS;
    await expect.poll(isQuiet, { intervals: [50] }).toBe(true);
    page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  };
}
