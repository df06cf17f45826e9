import { type Browser, devices, type Locator, type Page, type Request } from "@playwright/test";
import { medianOf, NAMED } from "@/bench/browser";
import { printTable, short } from "@/bench/report";
import { hydrated } from "@/e2e/hydration";

// The main ways through the shop: from the moment at which somebody clicks, taps, chooses or types to
// the frame in which what was wanted is on the screen. On a computer, and on a telephone with the
// processor slowed as Lighthouse does; the network is that of the machine on both.

/** How much slower a telephone's processor is, as Lighthouse supposes. */
const SLOWDOWN = 4;
const ATTEMPTS = 5;
/** Milliseconds without news after which all has arrived that links load ahead. */
const QUIET_MS = 500;

const { defaultBrowserType: _, ...PHONE } = devices["Pixel 7"];
const DEVICES = {
  computer: { viewport: { width: 1440, height: 900 } },
  telephone: PHONE,
} as const;
export type Device = keyof typeof DEVICES;

declare global {
  interface Window {
    benchMeter: {
      /** Measures from the next event of this kind on, or from now on. */
      start(event: string | null): void;
      /** `began` is when the event was, in milliseconds since 1970. */
      read(): { began: number; interaction: number; shift: number };
    };
  }
}

/** Milliseconds unless said otherwise, one figure per attempt. */
export interface Measured {
  name: string;
  device: Device;
  /** From the event to the frame. */
  paint: number[];
  /** The slowest interaction, as browsers measure it for INP. */
  interaction: number[];
  /** How much the page jumped by itself, summed. */
  shift: number[];
  /** Pages asked for between the two: none where what was loaded ahead was enough. */
  asked: number[];
}

/** What tells that the wanted thing is there. */
interface Wanted {
  /** Found in path and query. */
  address: RegExp;
  /** An element that is to be visible. */
  selector: string;
  /** Its text is to be another than it was. */
  isNew?: boolean;
}

interface Way extends Wanted {
  name: string;
  devices?: readonly Device[];
  from: string;
  /** What comes before the moment that counts. */
  prepare?: (page: Page, attempt: number) => Promise<unknown>;
  /** The event that counts; a step back has none. */
  event: "click" | "change" | "keydown" | null;
  act: (page: Page, attempt: number) => Promise<unknown>;
}

const PRODUCT = { address: /^\/product\/\d+/, selector: "#avis" };
const CATALOGUE = { address: /^\/products$/, selector: "#filter-search" };
/** The products of the server's answer, not those at hand that fit. */
const ANSWERED = "main ul[aria-busy=false] article";

const BAG = '#site-header a[href="/cart"]';

const card = (page: Page, i = 0) => page.locator("main article a:visible").nth(i);
const bag = (page: Page) => page.locator(BAG).first();

/** A finger on a telephone, a mouse that stays for a moment on a computer. */
async function press(locator: Locator, { fromAfar = true } = {}): Promise<void> {
  const page = locator.page();
  if (isTelephone(page)) return locator.tap();
  // It stands where the attempt before has left it, and has to come from elsewhere.
  if (fromAfar) await page.mouse.move(0, 0);
  await locator.hover();
  await settled(page);
  await locator.click();
}

const isTelephone = (page: Page) => (page.viewportSize()?.width ?? 0) < 600;

/** A word that some product bears, another one each time. */
async function typeWord({ page, box, attempt }: { page: Page; box: Locator; attempt: number }) {
  const name = (await page.locator("main article h3:visible").nth(attempt).textContent()) ?? "";
  const word = name.match(/\p{L}{4,}/u)?.[0] ?? name;
  await box.fill(word);
}

const catalogueBox = (page: Page) => page.getByRole("main").getByRole("searchbox");
const headerBox = (page: Page) =>
  page.locator("#site-header").getByRole("searchbox").filter({ visible: true });

const waysOf = (productPath: string): Way[] => [
  {
    name: "home → product",
    from: "/",
    event: "click",
    act: (page) => press(card(page)),
    ...PRODUCT,
  },
  {
    name: "home → catalogue",
    from: "/",
    event: "click",
    act: (page) =>
      press(page.getByRole("main").getByRole("link", { name: "Parcourir le catalogue" })),
    ...CATALOGUE,
  },
  {
    name: "catalogue → product",
    from: "/products",
    event: "click",
    act: (page, i) => press(card(page, i)),
    ...PRODUCT,
  },
  {
    name: "product → back to the catalogue",
    from: "/products",
    prepare: async (page, i) => {
      await press(card(page, i));
      await page.locator(PRODUCT.selector).waitFor();
      await settled(page);
    },
    event: null,
    act: (page) => page.evaluate(() => history.back()),
    ...CATALOGUE,
  },
  {
    name: "catalogue, one category",
    from: "/products",
    event: "click",
    act: (page, i) => press(page.locator("main fieldset button").nth(1 + (i % 5))),
    address: /category=\d/,
    selector: ANSWERED,
  },
  {
    name: "catalogue, one type",
    from: "/products",
    prepare: (page) => page.getByLabel("Type").focus(),
    event: "change",
    act: (page) => page.keyboard.press("ArrowDown"),
    address: /type=/,
    selector: ANSWERED,
  },
  {
    name: "catalogue, page 2",
    from: "/products",
    event: "click",
    act: (page) => press(page.getByRole("link", { name: "Page 2", exact: true })),
    address: /page=2/,
    selector: ANSWERED,
  },
  {
    name: "search in the catalogue",
    from: "/products",
    prepare: (page, attempt) => typeWord({ page, box: catalogueBox(page), attempt }),
    event: "keydown",
    act: (page) => catalogueBox(page).press("Enter"),
    address: /search=/,
    selector: ANSWERED,
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
    address: /search=/,
    selector: ANSWERED,
  },
  {
    name: "add to cart → said",
    from: productPath,
    event: "click",
    act: (page) => press(page.getByRole("button", { name: "Ajouter au panier" })),
    address: PRODUCT.address,
    selector: "main [role=status].text-success",
  },
  {
    name: "add to cart → number in the header",
    from: productPath,
    prepare: (page) => page.locator(`${BAG} .tabular-nums`).waitFor(),
    event: "click",
    act: (page) => press(page.getByRole("button", { name: "Ajouter au panier" })),
    address: PRODUCT.address,
    selector: BAG,
    isNew: true,
  },
  {
    name: "bag → cart in short",
    devices: ["telephone"],
    from: productPath,
    event: "click",
    act: (page) => bag(page).tap(),
    address: PRODUCT.address,
    selector: 'section[aria-label="Panier"] li',
  },
  {
    name: "product → cart",
    from: productPath,
    prepare: (page) => (isTelephone(page) ? bag(page).tap() : bag(page).hover()),
    event: "click",
    // The cart in short closes when the mouse goes elsewhere.
    act: (page) =>
      press(
        page.getByLabel("Panier", { exact: true }).getByRole("link", { name: "Aller au panier" }),
        { fromAfar: false },
      ),
    address: /^\/cart$/,
    selector: "main h2 a",
  },
];

/** Goes each way some times, with a browser of its own for each device. */
export async function walk({
  browser,
  device,
  origin,
  productPath,
  enter,
}: {
  browser: Browser;
  device: Device;
  origin: string;
  productPath: string;
  /** Logs in. */
  enter: (page: Page) => Promise<void>;
}): Promise<Measured[]> {
  const context = await browser.newContext({
    ...DEVICES[device],
    locale: "fr-FR",
    baseURL: origin,
  });
  try {
    await context.addInitScript(NAMED);
    await context.addInitScript(meter);
    const page = await context.newPage();
    const requests: Request[] = [];
    page.on("request", (request) => {
      const headers = request.headers();
      if (headers.rsc && !headers["next-router-prefetch"]) requests.push(request);
    });
    await enter(page);
    if (device === "telephone") {
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    }
    const measured: Measured[] = [];
    for (const way of waysOf(productPath)) {
      if (way.devices && !way.devices.includes(device)) continue;
      const result: Measured = {
        name: way.name,
        device,
        paint: [],
        interaction: [],
        shift: [],
        asked: [],
      };
      for (let i = 0; i < ATTEMPTS; i++) {
        await page.goto(way.from);
        await hydrated(page);
        await settled(page);
        await way.prepare?.(page, i);
        requests.length = 0;
        const text = way.isNew ? await page.locator(way.selector).first().textContent() : null;
        await page.evaluate((event) => window.benchMeter.start(event), way.event);
        await way.act(page, i);
        const paint = await waitForFrame({ page, ...way, text }).catch((cause) => {
          throw new Error(`${device}: ${way.name}, attempt ${i + 1}`, { cause });
        });
        result.paint.push(paint);
        await settled(page);
        const { began, interaction, shift } = await page.evaluate(() => window.benchMeter.read());
        // What links load ahead, before the event or on the page that the frame shows, is not counted.
        const times = requests.map((request) => request.timing().startTime - began);
        result.asked.push(times.filter((ms) => ms >= 0 && ms < paint).length);
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

export function printWays(ways: readonly Measured[]): void {
  const worst = (numbers: readonly number[]) => Math.max(...numbers);
  for (const device of ["computer", "telephone"] as const) {
    const title = device === "telephone" ? `${device}, processor ÷ ${SLOWDOWN}` : device;
    console.log("");
    printTable(
      [title, "median ms", "worst ms", "interaction ms", "CLS", "pages asked for"],
      ways
        .filter((way) => way.device === device)
        .map(({ name, paint, interaction, shift, asked }) => [
          name,
          short(medianOf(paint)),
          short(worst(paint)),
          short(worst(interaction)),
          worst(shift).toFixed(3),
          String(worst(asked)),
        ]),
    );
  }
}

/** What links load ahead and what pictures are in sight has arrived. */
async function settled(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction(
    ({ ms, since }) => {
      const ends = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const last = Math.max(since, ...ends.map(({ responseEnd }) => responseEnd));
      return document.readyState === "complete" && performance.now() - last > ms;
    },
    { ms: QUIET_MS, since },
  );
}

/** Milliseconds from the event to the frame that shows what is wanted, in whatever document. */
async function waitForFrame({
  page,
  address,
  selector,
  text,
}: Wanted & { page: Page; text: string | null }): Promise<number> {
  const shown = await page.waitForFunction(
    ({ address, selector, text }) => {
      if (!new RegExp(address).test(location.pathname + location.search)) return 0;
      const element = document.querySelector(selector);
      if (!element?.checkVisibility() || element.textContent === text) return 0;
      // This is before the frame is painted, a message comes right after.
      return new Promise<number>((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const began = Number(sessionStorage.getItem("bench-began"));
          resolve(performance.timeOrigin + performance.now() - began);
        };
        channel.port2.postMessage(null);
      });
    },
    { address: address.source, selector, text },
    { polling: "raf" },
  );
  return (await shown.jsonValue()) as number;
}

/** Runs in the page; what it notes stays when another document is loaded. */
function meter(): void {
  if (!location.protocol.startsWith("http")) return;
  const keep = (key: string, value: unknown) =>
    sessionStorage.setItem(`bench-${key}`, String(value));
  const kept = (key: string) => sessionStorage.getItem(`bench-${key}`) ?? "";
  for (const kind of ["click", "change", "keydown"]) {
    const note = (event: Event) => {
      if (kept("event") !== kind) return;
      keep("event", "");
      keep("began", performance.timeOrigin + event.timeStamp);
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
      keep("began", now);
      keep("event", event ?? "");
      keep("interaction", 0);
      keep("shift", 0);
    },
    read: () => ({
      began: Number(kept("began")),
      interaction: Number(kept("interaction")),
      shift: Number(kept("shift")),
    }),
  };
}
