import type { Page } from "@playwright/test";
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
  release();
  await answered;
  await page.waitForLoadState("networkidle");
}
