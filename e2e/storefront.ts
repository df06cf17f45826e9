import { expect, type Locator, type Page, type Request, test } from "@playwright/test";
import type { createUser } from "@/db/factories/people";
import { issueToken } from "@/lib/auth/token";

// Shared by the browser tests of the public pages.

/** Widths that every page must fit: narrowest phone, tablet, and desktop. */
export const WIDTHS = { phone: 360, tablet: 768, desktop: 1440 } as const;

/** Checks a page on each kind of device, one after the other in the same browser window. */
export async function onEachDevice(page: Page, check: () => Promise<void>): Promise<void> {
  for (const [device, width] of Object.entries(WIDTHS))
    await test.step(`on a ${device}`, async () => {
      await page.setViewportSize({ width, height: 900 });
      await check();
    });
}

/** Replaces no-break spaces, as before "€" and (narrow) in "1 234,50", by plain ones. */
export const plainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, " ").trim();

/** The names of the visible product cards, in order. */
export const namesOf = async (area: Page | Locator) =>
  (await area.locator("article:visible h3").allTextContents()).map(plainSpaces);

/** The prices of the visible product cards in cents, in order. */
export async function pricesOf(area: Page | Locator): Promise<number[]> {
  // Reads only the price's element: in the card's whole text, a name that ends with a digit would adjoin
  // the price.
  const texts = await area
    .locator("article:visible")
    .evaluateAll((cards) =>
      cards.map((card) => Array.from(card.querySelectorAll("span"), (part) => part.textContent)),
    );
  return texts.map((parts) => {
    const [amount] = parts.flatMap(
      (part) =>
        /^([\d\u202f]+),(\d\d)\u00a0€$/
          .exec(part ?? "")
          ?.slice(1)
          .join("") ?? [],
    );
    if (amount === undefined) throw new Error(`No price in « ${parts.join(" | ")} ».`);
    return Number(amount.replaceAll("\u202f", ""));
  });
}

/** Writes to the browser's storage before the first page loads, and only then. */
export async function storeOnce(page: Page, values: Record<string, string>): Promise<void> {
  await page.addInitScript((given) => {
    if (sessionStorage.getItem("stored-by-test")) return;
    sessionStorage.setItem("stored-by-test", "yes");
    for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
  }, values);
}

/** Stores a session in the browser as a login does. Call it before the first page is opened. */
export async function storeSession(
  page: Page,
  user: Awaited<ReturnType<typeof createUser>>,
  token?: string,
): Promise<void> {
  await storeOnce(page, {
    token: token ?? (await issueToken({ user, type: "access" })),
    user: JSON.stringify({ id: user.id, email: user.email }),
    userId: String(user.id),
    userName: user.lastName,
    userLastName: user.firstName,
    roles: JSON.stringify(user.roles),
  });
}

/**
 * Fails if the page can be scrolled sideways, and names the elements that overflow. After a change of the
 * width, a chart takes a moment to adapt.
 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const culprits = () =>
    page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      return [...document.querySelectorAll("body *")]
        .filter((element) => element.getBoundingClientRect().right > width + 0.5)
        .map((element) => `<${element.tagName.toLowerCase()} class="${element.className}">`);
    });
  const message = `wider than ${page.viewportSize()?.width} px: ${page.url()}`;
  await expect.poll(culprits, { message }).toEqual([]);
}

/** Doubles the text size, as browsers do for users who have chosen so (WCAG 1.4.4). */
export const doubleText = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });

/** Undoes `doubleText`. */
export const normalText = (page: Page) =>
  page.evaluate(() => document.documentElement.style.removeProperty("font-size"));

/** Waits until fonts, visible pictures and everything marked busy are loaded. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isSeen = (element: Element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      // Pictures further along a row that scrolls sideways are not loaded.
      return bottom > 0 && top < window.innerHeight && right > 0 && left < window.innerWidth;
    };
    return (
      document.fonts.status === "loaded" &&
      document.querySelector("[aria-busy=true]") === null &&
      [...document.images].every((image) => image.complete || !isSeen(image))
    );
  });
}

/** Records layout shifts; call it before the first page is opened. */
export async function watchLayoutShifts(page: Page): Promise<{ list(): Promise<string[]> }> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { layoutShifts: shifts });
    type Shift = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    const placeOf = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const name =
            node instanceof Element ? `<${node.tagName} class="${node.className}">` : String(node);
          const text = node?.textContent?.slice(0, 50);
          return `${name} "${text}" from ${placeOf(previousRect)} to ${placeOf(currentRect)}`;
        });
        shifts.push(`${value.toFixed(4)} ${moved.join(" ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return {
    list: () =>
      page.evaluate(async () => {
        // A paint's shifts are reported in the next frame.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return (window as unknown as { layoutShifts: string[] }).layoutShifts;
      }),
  };
}

/** The commands that pages have sent to the analytics queue, `["trackEvent", …]` and the like. */
export const trackedBy = (page: Page) =>
  page.evaluate(() => {
    const { _paq = [] } = window as unknown as { _paq?: unknown[][] };
    return _paq.map((command) => [...command]);
  });

/** Points at the link, and waits until the page of this path is prefetched, with all its parts. */
export async function prefetch({
  page,
  link,
  path,
}: {
  page: Page;
  link: Locator;
  path: string;
}): Promise<void> {
  const running = new Set<Request>();
  let lastEnd: number | undefined;
  const start = (request: Request) => {
    if (new URL(request.url()).pathname === path) running.add(request);
  };
  const end = (request: Request) => {
    if (running.delete(request)) lastEnd = Date.now();
  };
  page.on("request", start).on("requestfinished", end).on("requestfailed", end);
  await link.hover();
  // The browser requests each part only after the previous response has listed it.
  const isOver = () => running.size === 0 && lastEnd !== undefined && Date.now() - lastEnd > 500;
  await expect.poll(isOver, { message: `prefetch of ${path}`, timeout: 20_000 }).toBe(true);
  page.off("request", start).off("requestfinished", end).off("requestfailed", end);
}

/** Records the paths and queries of requests for `path` from now on. */
export function watchRequests(page: Page, path: string): string[] {
  const seen: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === path) seen.push(`${pathname}${search}`);
  });
  return seen;
}

/**
 * After a control has disappeared: expects the focus on another element, so that keyboard users can go
 * on.
 */
export const expectFocusKept = (page: Page): Promise<void> =>
  expect(page.locator(":focus:not(body)")).toHaveCount(1);
