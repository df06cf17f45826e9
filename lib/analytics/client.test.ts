import { expect, test } from "@playwright/test";
import { startAnalytics, trackEvent, trackPageView } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";

interface FakeBrowser {
  window: { _paq?: unknown[][]; Matomo?: object; location: Partial<Location> };
  document: { title: string; scripts: string[] };
  /** Advances the clock in steps of 10 ms, and runs everything that waits for it. */
  pass: (milliseconds: number) => Promise<void>;
}

const real = { setInterval, clearInterval, now: Date.now };

function installBrowser(pathname: string): FakeBrowser {
  let now = 0;
  const timers = new Map<number, { run: () => void; every: number; next: number }>();
  const scripts: string[] = [];
  const browser = {
    window: { location: { origin: "https://shop.test", pathname, search: "" } },
    document: {
      title: "Accueil",
      scripts,
      head: { append: (script: { src: string }) => scripts.push(script.src) },
      createElement: () => ({}),
    },
  };
  Object.assign(globalThis, browser, {
    setInterval: (run: () => void, every: number) => {
      timers.set(timers.size, { run, every, next: now + every });
      return timers.size - 1;
    },
    clearInterval: (id: number) => timers.delete(id),
  });
  Date.now = () => now;
  return {
    ...browser,
    async pass(milliseconds) {
      for (const end = now + milliseconds; now < end; ) {
        now += 10;
        for (const timer of timers.values()) {
          if (timer.next > now) continue;
          timer.next += timer.every;
          timer.run();
        }
        await new Promise(setImmediate);
      }
    },
  };
}

test.afterEach(() => {
  Reflect.deleteProperty(globalThis, "window");
  Reflect.deleteProperty(globalThis, "document");
  Object.assign(globalThis, { setInterval: real.setInterval, clearInterval: real.clearInterval });
  Date.now = real.now;
});

const methods = (browser: FakeBrowser) => browser.window._paq?.map(([method]) => method) ?? [];

test("without a Matomo URL nothing is loaded and events wait in the queue", async () => {
  const browser = installBrowser("/");
  startAnalytics(undefined);
  trackEvent({ ...EVENTS.search, name: "lampe" });
  trackPageView();
  await browser.pass(100);
  expect(browser.document.scripts).toEqual([]);
  expect(browser.window._paq).toEqual([
    ["setSiteId", "1"],
    ["trackEvent", "Catalogue", "Recherche", "lampe", undefined],
    ["setCustomUrl", "https://shop.test/"],
    ["setDocumentTitle", "Accueil"],
    ["trackPageView"],
  ]);
});

test("a page view waits for the tracker, at most three seconds", async () => {
  const start = () => {
    const browser = installBrowser("/contact");
    startAnalytics("https://stats.test/");
    trackPageView();
    return browser;
  };
  const loaded = start();
  expect(loaded.document.scripts).toEqual(["https://stats.test/matomo.js"]);
  expect(loaded.window._paq).toContainEqual(["setTrackerUrl", "https://stats.test/matomo.php"]);
  await loaded.pass(1020);
  expect(methods(loaded)).not.toContain("trackPageView");
  loaded.window.Matomo = {};
  await loaded.pass(100);
  expect(methods(loaded)).toContain("trackPageView");

  const silent = start();
  await silent.pass(2980);
  expect(methods(silent)).not.toContain("trackPageView");
  await silent.pass(100);
  expect(methods(silent)).toContain("trackPageView");
});

test("a page view carries the title that the new page sets, and where the visitor came from", async () => {
  const browser = installBrowser("/products");
  startAnalytics(undefined);
  trackPageView();
  await browser.pass(100);
  browser.window.location = {
    origin: "https://shop.test",
    pathname: "/product/7",
    search: "?category=2",
  };
  browser.document.title = "";
  trackPageView();
  await browser.pass(100);
  expect(methods(browser).filter((method) => method === "trackPageView")).toHaveLength(1);
  browser.document.title = "Lampe - Mini Ecommerce";
  await browser.pass(100);
  expect(browser.window._paq?.slice(-4)).toEqual([
    ["setReferrerUrl", "https://shop.test/products"],
    ["setCustomUrl", "https://shop.test/product/7?category=2"],
    ["setDocumentTitle", "Lampe - Mini Ecommerce"],
    ["trackPageView"],
  ]);
});

test("secrets of links in mails do not reach the tracker", async () => {
  for (const path of ["/reset-password/", "/account-verification/"]) {
    const browser = installBrowser(`${path}0123456789abcdef`);
    startAnalytics(undefined);
    trackPageView();
    await browser.pass(100);
    expect(browser.window._paq).toContainEqual(["setCustomUrl", `https://shop.test${path}:token`]);
    expect(JSON.stringify(browser.window._paq)).not.toContain("0123456789abcdef");
  }
});

test("no personal data in paths or searches reaches the tracker", async () => {
  const browser = installBrowser("/order/4711/confirmation");
  browser.window.location.search = "?search=marie.dupont%40exemple.fr";
  startAnalytics(undefined);
  trackEvent({ ...EVENTS.search, name: "cadeau marie.dupont@exemple.fr 06 12 34 56 78, 50 cm" });
  trackPageView();
  await browser.pass(100);
  expect(browser.window._paq).toContainEqual([
    "trackEvent",
    "Catalogue",
    "Recherche",
    "cadeau :email :number, 50 cm",
    undefined,
  ]);
  expect(browser.window._paq).toContainEqual([
    "setCustomUrl",
    "https://shop.test/order/:id/confirmation?search=:email",
  ]);
});
