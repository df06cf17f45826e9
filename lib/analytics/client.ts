// The browser's side of Matomo. Everything goes through the queue `window._paq`, which exists with or
// without a tracker. Matomo's script replays the queue's commands and then replaces it.

const SITE_ID = "1";
const TIMEOUT_MS = 3000;
const POLL_MS = 50;

type Command = readonly [method: string, ...parameters: unknown[]];

declare global {
  interface Window {
    _paq?: { push: (command: Command) => unknown };
    Matomo?: object;
  }
}

function push(...command: Command): void {
  window._paq ??= [] as Command[];
  window._paq.push(command);
}

export interface AnalyticsEvent {
  category: string;
  action: string;
  name?: string;
  value?: number;
}

/** Records an event: `trackEvent({ ...EVENTS.search, name: text })`. No personal data, ever. */
export function trackEvent({ category, action, name, value }: AnalyticsEvent): void {
  push("trackEvent", category, action, name && withoutPersonalData(name), value);
}

/** Removes e-mail addresses, and numbers as long as a telephone number, from a text that a visitor typed. */
function withoutPersonalData(text: string): string {
  return text
    .replace(/[^\s@=&?]+(?:@|%40)[^\s@=&?]+/gi, ":email")
    .replace(/\d(?:[\s.+-]?\d){7,}/g, ":number");
}

let scriptReady = Promise.resolve();
let referrer: string | undefined;
let views = 0;

/**
 * Sets the queue up and loads the tracker.
 * @param matomoUrl base URL of the Matomo server; without it nothing is loaded
 */
export function startAnalytics(matomoUrl: string | undefined): void {
  push("setSiteId", SITE_ID);
  if (!matomoUrl) return;
  const base = matomoUrl.replace(/\/+$/, "");
  push("setTrackerUrl", `${base}/matomo.php`);
  const script = document.createElement("script");
  script.src = `${base}/matomo.js`;
  script.async = true;
  document.head.append(script);
  scriptReady = waitFor(() => window.Matomo !== undefined);
}

/** Resolves once the condition holds, or after the timeout. */
function waitFor(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const start = Date.now();
    const timer = setInterval(() => {
      if (!condition() && Date.now() - start < TIMEOUT_MS) return;
      clearInterval(timer);
      resolve();
    }, POLL_MS);
  });
}

/** How many views this document has had; the scroll depth is reported for each view. */
export const viewCount = () => views;

/**
 * Records a view if only the query of the last viewed page has changed, by a choice, a link or the history.
 * `Analytics` records views of other pages.
 */
export function trackQueryView(): void {
  const url = trackedUrl();
  if (referrer === undefined || referrer === url) return;
  if (new URL(referrer).pathname === window.location.pathname) void trackPageView();
}

/** Records a view of the current page, once the tracker has loaded or failed to load. */
export async function trackPageView(): Promise<void> {
  const url = trackedUrl();
  const from = referrer;
  referrer = url;
  views++;
  await scriptReady;
  // The router removes the old title a moment before it sets the new one.
  await waitFor(() => document.title !== "");
  if (from) push("setReferrerUrl", from);
  push("setCustomUrl", url);
  push("setDocumentTitle", document.title);
  push("trackPageView");
}

/** The current URL without the tokens of mailed links and without personal data. */
function trackedUrl(): string {
  const { origin, pathname, search } = window.location;
  return (
    origin +
    pathname
      .replace(/^(\/(?:reset-password|account-verification)\/).+/, "$1:token")
      .replace(/^(\/order\/)\d+/, "$1:id") +
    withoutPersonalData(search)
  );
}
