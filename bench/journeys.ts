import { type Browser, devices, type Locator, type Page, type Request } from "@playwright/test";
import { medianOf, NAME_SHIM } from "@/bench/browser";
import { formatFigure, printTable } from "@/bench/report";
import { hydrated } from "@/e2e/hydration";

// The main user journeys: milliseconds from a click, tap, choice or key to the frame that shows its
// outcome. On a desktop, and on an emulated phone with CPU throttling as in Lighthouse; the network is
// not throttled.

/** Lighthouse's CPU throttling for phones. */
const CPU_SLOWDOWN = 4;
const ATTEMPTS = 5;
/** Without responses for this long, prefetching has finished. */
const NETWORK_IDLE_MS = 500;

const { defaultBrowserType: _, ...PHONE } = devices["Pixel 7"];
const DEVICES = {
  computer: { viewport: { width: 1440, height: 900 } },
  telephone: PHONE,
} as const;
type Device = keyof typeof DEVICES;

declare global {
  interface Window {
    benchMeter: {
      /** Measures from the next event of this type on; with null from now on. */
      start(event: string | null): void;
      /** `startedAt` is the time of the event, in milliseconds since 1970. */
      read(): { startedAt: number; interaction: number; shift: number };
    };
  }
}

/** One figure per attempt, in milliseconds unless noted otherwise. */
export interface JourneyResult {
  name: string;
  device: Device;
  /** From the event to the frame. */
  paint: number[];
  /** The slowest interaction, as for INP. */
  interaction: number[];
  /** Layout shift, summed. */
  shift: number[];
  /** Pages requested between the two: none where prefetching was enough. */
  pagesRequested: number[];
}

/** The expected outcome of a journey. */
interface Outcome {
  /** Matches path and query. */
  url: RegExp;
  /** An element that must be visible. */
  selector: string;
  /** Its text must change. */
  mustChange?: boolean;
}

interface Journey extends Outcome {
  name: string;
  devices?: readonly Device[];
  from: string;
  /** Runs before the measured event. */
  prepare?: (page: Page, attempt: number) => Promise<unknown>;
  /** The measured event; history.back() has none. */
  event: "click" | "change" | "keydown" | null;
  act: (page: Page, attempt: number) => Promise<unknown>;
}

const PRODUCT = { url: /^\/product\/\d+/, selector: "#avis" };
const CATALOGUE = { url: /^\/products$/, selector: "#filter-search" };
/** A product of the server's response, not of the optimistic filter over loaded ones. */
const LOADED_PRODUCT = "main ul[aria-busy=false] article";

const CART_LINK = '#site-header a[href="/cart"]';

const card = (page: Page, i = 0) => page.locator("main article a:visible").nth(i);
const cartLink = (page: Page) => page.locator(CART_LINK).first();

/** Taps on a phone; hovers and clicks on a desktop. */
async function activate(locator: Locator, { fromAfar = true } = {}): Promise<void> {
  const page = locator.page();
  if (isTelephone(page)) return locator.tap();
  // The pointer is where the last attempt left it: hovering needs a move.
  if (fromAfar) await page.mouse.move(0, 0);
  await locator.hover();
  await waitForIdle(page);
  await locator.click();
}

const isTelephone = (page: Page) => (page.viewportSize()?.width ?? 0) < 600;

/** Types a word of a product's name, a different one each time. */
async function typeWord({ page, box, attempt }: { page: Page; box: Locator; attempt: number }) {
  const name = (await page.locator("main article h3:visible").nth(attempt).textContent()) ?? "";
  const word = name.match(/\p{L}{4,}/u)?.[0] ?? name;
  await box.fill(word);
}

const catalogueBox = (page: Page) => page.getByRole("main").getByRole("searchbox");
const headerBox = (page: Page) =>
  page.locator("#site-header").getByRole("searchbox").filter({ visible: true });

const journeysOf = (productPath: string): Journey[] => [
  {
    name: "home → product",
    from: "/",
    event: "click",
    act: (page) => activate(card(page)),
    ...PRODUCT,
  },
  {
    name: "home → catalogue",
    from: "/",
    event: "click",
    act: (page) =>
      activate(page.getByRole("main").getByRole("link", { name: "Parcourir le catalogue" })),
    ...CATALOGUE,
  },
  {
    name: "catalogue → product",
    from: "/products",
    event: "click",
    act: (page, i) => activate(card(page, i)),
    ...PRODUCT,
  },
  {
    name: "product → back to the catalogue",
    from: "/products",
    prepare: async (page, i) => {
      await activate(card(page, i));
      await page.locator(PRODUCT.selector).waitFor();
      await waitForIdle(page);
    },
    event: null,
    act: (page) => page.evaluate(() => history.back()),
    ...CATALOGUE,
  },
  {
    name: "catalogue, one category",
    from: "/products",
    event: "click",
    act: (page, i) => activate(page.locator("main fieldset button").nth(1 + (i % 5))),
    url: /category=\d/,
    selector: LOADED_PRODUCT,
  },
  {
    name: "catalogue, one type",
    from: "/products",
    prepare: (page) => page.getByLabel("Type").focus(),
    event: "change",
    act: (page) => page.keyboard.press("ArrowDown"),
    url: /type=/,
    selector: LOADED_PRODUCT,
  },
  {
    name: "catalogue, page 2",
    from: "/products",
    event: "click",
    act: (page) => activate(page.getByRole("link", { name: "Page 2", exact: true })),
    url: /page=2/,
    selector: LOADED_PRODUCT,
  },
  {
    name: "search in the catalogue",
    from: "/products",
    prepare: (page, attempt) => typeWord({ page, box: catalogueBox(page), attempt }),
    event: "keydown",
    act: (page) => catalogueBox(page).press("Enter"),
    url: /search=/,
    selector: LOADED_PRODUCT,
  },
  {
    name: "search in the header",
    from: "/",
    prepare: async (page, attempt) => {
      if (isTelephone(page)) await page.getByRole("button", { name: "Rechercher" }).tap();
      await typeWord({ page, box: headerBox(page), attempt });
    },
    event: "keydown",
    act: (page) => headerBox(page).press("Enter"),
    url: /search=/,
    selector: LOADED_PRODUCT,
  },
  {
    name: "add to cart → confirmation",
    from: productPath,
    event: "click",
    act: (page) => activate(page.getByRole("button", { name: "Ajouter au panier" })),
    url: PRODUCT.url,
    selector: "main [role=status].text-success",
  },
  {
    name: "add to cart → count in the header",
    from: productPath,
    prepare: (page) => page.locator(`${CART_LINK} .tabular-nums`).waitFor(),
    event: "click",
    act: (page) => activate(page.getByRole("button", { name: "Ajouter au panier" })),
    url: PRODUCT.url,
    selector: CART_LINK,
    mustChange: true,
  },
  {
    name: "cart link → mini cart",
    devices: ["telephone"],
    from: productPath,
    event: "click",
    act: (page) => cartLink(page).tap(),
    url: PRODUCT.url,
    selector: 'section[aria-label="Panier"] li',
  },
  {
    name: "product → cart",
    from: productPath,
    prepare: (page) => (isTelephone(page) ? cartLink(page).tap() : cartLink(page).hover()),
    event: "click",
    // The mini cart closes when the pointer leaves it.
    act: (page) =>
      activate(
        page.getByLabel("Panier", { exact: true }).getByRole("link", { name: "Aller au panier" }),
        { fromAfar: false },
      ),
    url: /^\/cart$/,
    selector: "main h2 a",
  },
];

/** Measures each journey several times in a context that emulates the device. */
export async function measureJourneys({
  browser,
  device,
  origin,
  productPath,
  logIn,
}: {
  browser: Browser;
  device: Device;
  origin: string;
  productPath: string;
  /** Logs in. */
  logIn: (page: Page) => Promise<void>;
}): Promise<JourneyResult[]> {
  const context = await browser.newContext({
    ...DEVICES[device],
    locale: "fr-FR",
    baseURL: origin,
  });
  try {
    await context.addInitScript(NAME_SHIM);
    await context.addInitScript(installMeter);
    const page = await context.newPage();
    const requests: Request[] = [];
    page.on("request", (request) => {
      const headers = request.headers();
      if (headers.rsc && !headers["next-router-prefetch"]) requests.push(request);
    });
    await logIn(page);
    if (device === "telephone") {
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    }
    const measured: JourneyResult[] = [];
    for (const journey of journeysOf(productPath)) {
      if (journey.devices && !journey.devices.includes(device)) continue;
      const result: JourneyResult = {
        name: journey.name,
        device,
        paint: [],
        interaction: [],
        shift: [],
        pagesRequested: [],
      };
      for (let i = 0; i < ATTEMPTS; i++) {
        await page.goto(journey.from);
        await hydrated(page);
        await waitForIdle(page);
        await journey.prepare?.(page, i);
        requests.length = 0;
        const text = journey.mustChange
          ? await page.locator(journey.selector).first().textContent()
          : null;
        await page.evaluate((event) => window.benchMeter.start(event), journey.event);
        await journey.act(page, i);
        const paint = await waitForFrame({ page, ...journey, text }).catch((cause) => {
          throw new Error(`${device}: ${journey.name}, attempt ${i + 1}`, { cause });
        });
        result.paint.push(paint);
        await waitForIdle(page);
        const { startedAt, interaction, shift } = await page.evaluate(() =>
          window.benchMeter.read(),
        );
        // Without prefetches before the event or on the resulting page.
        const times = requests.map((request) => request.timing().startTime - startedAt);
        result.pagesRequested.push(times.filter((ms) => ms >= 0 && ms < paint).length);
        result.interaction.push(interaction);
        result.shift.push(shift);
      }
      measured.push(result);
    }
    return measured;
  } finally {
    await context.close();
  }
}

export function printJourneys(journeys: readonly JourneyResult[]): void {
  const worst = (numbers: readonly number[]) => Math.max(...numbers);
  for (const device of ["computer", "telephone"] as const) {
    const title = device === "telephone" ? `${device}, CPU ÷ ${CPU_SLOWDOWN}` : device;
    console.log("");
    printTable(
      [title, "median ms", "worst ms", "interaction ms", "CLS", "page requests"],
      journeys
        .filter((journey) => journey.device === device)
        .map(({ name, paint, interaction, shift, pagesRequested }) => [
          name,
          formatFigure(medianOf(paint)),
          formatFigure(worst(paint)),
          formatFigure(worst(interaction)),
          worst(shift).toFixed(3),
          String(worst(pagesRequested)),
        ]),
    );
  }
}

/** Waits until prefetches and visible pictures have loaded. */
async function waitForIdle(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction(
    ({ ms, since }) => {
      const ends = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const last = Math.max(since, ...ends.map(({ responseEnd }) => responseEnd));
      return document.readyState === "complete" && performance.now() - last > ms;
    },
    { ms: NETWORK_IDLE_MS, since },
  );
}

/** Milliseconds from the event to the frame that shows the outcome, across documents. */
async function waitForFrame({
  page,
  url,
  selector,
  text,
}: Outcome & { page: Page; text: string | null }): Promise<number> {
  const shown = await page.waitForFunction(
    ({ url, selector, text }) => {
      if (!new RegExp(url).test(location.pathname + location.search)) return 0;
      const element = document.querySelector(selector);
      if (!element?.checkVisibility() || element.textContent === text) return 0;
      // A message event comes right after the frame is painted.
      return new Promise<number>((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const startedAt = Number(sessionStorage.getItem("bench-startedAt"));
          resolve(performance.timeOrigin + performance.now() - startedAt);
        };
        channel.port2.postMessage(null);
      });
    },
    { url: url.source, selector, text },
    { polling: "raf" },
  );
  return (await shown.jsonValue()) as number;
}

/** Runs in the page. Keeps its figures in session storage, across documents. */
function installMeter(): void {
  if (!location.protocol.startsWith("http")) return;
  const keep = (key: string, value: unknown) =>
    sessionStorage.setItem(`bench-${key}`, String(value));
  const kept = (key: string) => sessionStorage.getItem(`bench-${key}`) ?? "";
  for (const kind of ["click", "change", "keydown"]) {
    const note = (event: Event) => {
      if (kept("event") !== kind) return;
      keep("event", "");
      keep("startedAt", performance.timeOrigin + event.timeStamp);
    };
    addEventListener(kind, note, { capture: true });
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) keep("shift", Number(kept("shift")) + value);
    }
  }).observe({ type: "layout-shift" });
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      if (performance.timeOrigin + startTime < Number(kept("started"))) continue;
      keep("interaction", Math.max(Number(kept("interaction")), duration));
    }
  }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  window.benchMeter = {
    start(event) {
      const now = performance.timeOrigin + performance.now();
      keep("started", now);
      keep("startedAt", now);
      keep("event", event ?? "");
      keep("interaction", 0);
      keep("shift", 0);
    },
    read: () => ({
      startedAt: Number(kept("startedAt")),
      interaction: Number(kept("interaction")),
      shift: Number(kept("shift")),
    }),
  };
}
