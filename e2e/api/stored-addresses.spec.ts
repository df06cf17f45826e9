import { createProduct } from "@/db/factories/catalogue";
import { createAdmin, createUser } from "@/db/factories/people";
import { CHECKOUT_COOKIE } from "@/lib/guards";
import { PAGES, type PagePath } from "@/lib/pages";
import { ask } from "../answers";
import { sessionCookieOf } from "../browser-session";
import { expect, type Shop, test } from "../fixtures";
import { type ShopProcess, startNextAlone } from "../shop-process";

// Next.js writes the URL that it renders for into a page. A page that is stored and sent to everybody
// must not contain the first visitor's URL: tokens of mailed links, orders, e-mail addresses in a query.

const MARK = "zqxmark";

interface Visit {
  status: number;
  /** The URL with marks in token, id and query. */
  marked: string;
  /** The same page for somebody else. */
  other: string;
  cookie: string;
}

/** A page's URL with marks in all its parts, and another URL of the page. */
function addressesOf(path: PagePath, productId: number): Pick<Visit, "marked" | "other"> {
  const query = `?email=${MARK}%40exemple.fr&jeton=${MARK}&category=3`;
  if (path === "/product/:id")
    return { marked: `/product/${productId}${query}`, other: `/product/${productId}` };
  const fill = (id: string) => path.replace(/\/:path\*$/, "").replace(/:\w+\??/, id);
  return { marked: fill(`${MARK}1`) + query, other: fill("2") };
}

async function visits(shop: Shop): Promise<Record<string, Visit>> {
  const { database: db } = shop;
  const product = await createProduct({ db });
  const user = await sessionCookieOf(await createUser({ db }));
  const admin = await sessionCookieOf(await createAdmin({ db }));
  const cookies = {
    everybody: "",
    guest: "",
    user,
    admin,
    checkout: `${user}; ${CHECKOUT_COOKIE}=1`,
  };
  const pages = (Object.keys(PAGES) as PagePath[]).map((path): [string, Visit] => [
    path,
    { ...addressesOf(path, product.id), cookie: cookies[PAGES[path].access], status: 200 },
  ]);
  const everybodys = (marked: string, other: string, status = 200) =>
    [other, { marked, other, status, cookie: "" }] satisfies [string, Visit];
  const view = (query: string) =>
    everybodys(
      `/products?email=${MARK}%40exemple.fr&${query}&utm_source=${MARK}`,
      `/products?${query}`,
    );
  return Object.fromEntries([
    ...pages,
    view("type=digital&page=2"),
    view("search=tasse"),
    everybodys(`/rien/${MARK}?${MARK}`, "/rien", 404),
    everybodys(`/product/999999?${MARK}`, "/product/999999", 404),
  ]);
}

/** Requests for the document, and for the data (RSC) that the browser's router requests after a click. */
const KINDS = { document: {}, data: { RSC: "1" } };
type Kind = keyof typeof KINDS;

/** The whole response as text. Next.js redirects the router to a URL with a hash of its headers. */
async function answerOf(
  baseURL: string,
  { path, kind, cookie }: { path: string; kind: Kind; cookie: string },
): Promise<{ status: number; text: string }> {
  const headers = { ...KINDS[kind], ...(cookie && { Cookie: cookie }) };
  const { status, headers: answered, body } = await ask(baseURL, { path, headers });
  const { location } = answered;
  if (location?.includes("_rsc")) {
    const { pathname, search } = new URL(location, baseURL);
    return answerOf(baseURL, { path: pathname + search, kind, cookie });
  }
  return { status, text: JSON.stringify(answered) + body };
}

/** Expects no mark in responses to the second URL, however the first one was requested, also after expiry. */
async function expectNoMarks(
  shop: ShopProcess,
  name: string,
  { marked, other, cookie, status }: Visit,
) {
  for (const first of ["document", "data"] as const) {
    await shop.forgetCaches();
    for (const age of ["new", "expired"]) {
      if (age === "expired") await shop.advanceClock(600);
      const call = `${name}, ${age}, after ${first}`;
      const before = await answerOf(shop.baseURL, { path: marked, kind: first, cookie });
      expect(before.status, call).toBe(status);
      // The second round gets the page that was rendered in the background after expiry.
      for (const kind of ["document", "data", "document", "data"] as const) {
        const after = await answerOf(shop.baseURL, { path: other, kind, cookie });
        expect(after.status, `${call}: ${kind}`).toBe(status);
        expect(after.text.includes(MARK), `${call}: ${kind}`).toBe(false);
      }
    }
  }
}

test("no page contains the URL that another visitor requested", async ({ shopWith }) => {
  test.setTimeout(240_000);
  const shop = await shopWith();
  const rows = await visits(shop);
  for (const [name, visit] of Object.entries(rows)) await expectNoMarks(shop, name, visit);
  // Every stored page was given its own URL before it was stored …
  expect(shop.log()).not.toContain("another address");
  // … unless the URL is too long for one piece of the page's data: then the page is not stored.
  const long = { marked: `/?${MARK.repeat(1_000)}`, other: "/", cookie: "", status: 200 };
  await expectNoMarks(shop, "long", long);
  // Without server.mjs, and so without knowing who may read the mailbox.
  const { "/mailbox/:path*": _, ...others } = rows;
  const alone = await startNextAlone(shop.env);
  try {
    for (const [name, visit] of Object.entries(others)) await expectNoMarks(alone, name, visit);
  } finally {
    await alone.stop();
  }
});
