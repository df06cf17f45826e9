import { expect, test } from "@playwright/test";
import {
  addToCart,
  cartState,
  refreshCart,
  refreshInBackground,
  removeCartItem,
  setCartToken,
  subscribeToCart,
  updateCartItem,
} from "@/lib/cart/client";

// The browser's copy of the cart, with a fetch() whose responses the test controls.

interface Call {
  method: string;
  path: string;
  token: string | undefined;
  body: unknown;
  /** Sent even if the page is closed meanwhile. */
  isKept: boolean;
  answer: (status: number, body?: unknown) => void;
}

let calls: Call[] = [];

/** The parts of a browser that the client uses, besides fetch(). */
const browser = {
  localStorage: { getItem: (key: string) => (key === "token" ? "jeton" : null) },
  document: Object.assign(new EventTarget(), { visibilityState: "visible" }),
  window: new EventTarget(),
};

// Test files share a worker: a stubbed fetch() left behind would never answer in the files that come after.
const realFetch = fetch;
const real = Object.keys(browser).map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
);

test.beforeAll(() => {
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { configurable: true, value });
  globalThis.fetch = (path, init) =>
    new Promise((resolve) => {
      calls.push({
        method: init?.method ?? "GET",
        path: String(path),
        token: new Headers(init?.headers).get("authorization")?.replace("Bearer ", ""),
        isKept: init?.keepalive === true,
        body: init?.body ? JSON.parse(String(init.body)) : undefined,
        answer: (status, body) =>
          resolve(new Response(body === undefined ? null : JSON.stringify(body), { status })),
      });
    });
});

test.afterAll(() => {
  globalThis.fetch = realFetch;
  for (const [name, property] of real)
    if (property) Object.defineProperty(globalThis, name, property);
    else Reflect.deleteProperty(globalThis, name);
});

const cartOf = (...quantities: number[]) => ({
  items: quantities.map((quantity, i) => ({
    id: i + 1,
    quantity,
    product: { id: i + 1, name: "Lampe", image: null, price: 10 },
  })),
});

const quantities = () => cartState().items?.map(({ quantity }) => quantity) ?? null;
const paths = () => calls.map(({ method, path }) => `${method} ${path}`);

/** The latest call, once there are this many. */
async function call(number: number): Promise<Call> {
  await expect.poll(() => calls.length).toBe(number);
  const last = calls.at(-1);
  if (!last) throw new Error("There was no call.");
  return last;
}

test.beforeEach(async () => {
  calls = [];
  setCartToken("jeton");
  (await call(1)).answer(200, cartOf(1, 5));
  await expect.poll(quantities).toEqual([1, 5]);
  calls = [];
});

test.afterEach(() => setCartToken(null));

test("concurrent fetches make one request, and subscribers are notified", async () => {
  let notifications = 0;
  const stop = subscribeToCart(() => {
    notifications++;
  });
  const both = Promise.all([refreshCart(), refreshCart()]);
  (await call(1)).answer(200, cartOf(3));
  await both;
  expect(quantities()).toEqual([3]);
  expect(notifications).toBe(1);
  stop();
  expect(paths()).toEqual(["GET /api/cart"]);
});

test("a page from the back/forward cache fetches the cart, a loaded one does not", async () => {
  const stop = subscribeToCart(() => undefined);
  for (const persisted of [false, true])
    browser.window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
  (await call(1)).answer(200, { items: [] });
  await expect.poll(quantities).toEqual([]);
  expect(paths()).toEqual(["GET /api/cart"]);
  stop();
});

test("several quick changes of a quantity show at once, and only the first and the last are sent", async () => {
  const changes = [2, 3, 4].map((quantity) => updateCartItem({ id: 1, quantity }));
  expect(quantities()).toEqual([4, 5]);
  const first = await call(1);
  const later = [6, 7].map((quantity) => updateCartItem({ id: 1, quantity }));
  expect(first).toMatchObject({ method: "PUT", path: "/api/cart/item/1", body: { quantity: 4 } });
  first.answer(200, {});
  const second = await call(2);
  expect(second.body).toEqual({ quantity: 7 });
  expect(quantities()).toEqual([7, 5]);
  second.answer(200, {});
  await Promise.all([...changes, ...later]);
  // One fetch for both changes, and its result counts.
  (await call(3)).answer(200, cartOf(7, 8));
  await expect.poll(quantities).toEqual([7, 8]);
  expect(paths().at(-1)).toBe("GET /api/cart");
});

for (const event of ["visibilitychange", "pagehide"] as const)
  test(`at the page's ${event} queued quantities are sent although it closes, and not again later`, async () => {
    const change = updateCartItem({ id: 1, quantity: 2 });
    const first = await call(1);
    const last = updateCartItem({ id: 1, quantity: 3 });
    expect(calls).toHaveLength(1);
    if (event === "visibilitychange") browser.document.visibilityState = "hidden";
    for (const target of [browser.document, browser.window]) target.dispatchEvent(new Event(event));
    const second = await call(2);
    expect(second).toMatchObject({ method: "PUT", body: { quantity: 3 }, isKept: true });
    browser.document.visibilityState = "visible";
    first.answer(200, {});
    second.answer(200, {});
    await Promise.all([change, last]);
    (await call(3)).answer(200, cartOf(3, 8));
    await expect.poll(quantities).toEqual([3, 8]);
    expect(paths()).toEqual(["PUT /api/cart/item/1", "PUT /api/cart/item/1", "GET /api/cart"]);
  });

test("a refused quantity is rolled back, even if the cart cannot be fetched", async () => {
  const change = updateCartItem({ id: 2, quantity: 9 });
  expect(quantities()).toEqual([1, 9]);
  (await call(1)).answer(500);
  await expect(change).rejects.toMatchObject({ status: 500 });
  expect(quantities()).toEqual([1, 5]);
  (await call(2)).answer(503);
  await expect.poll(() => cartState().hasFailed).toBe(true);
  expect(quantities()).toEqual([1, 5]);
});

test("a fetch from before a change does not undo it", async () => {
  const reading = refreshCart();
  const old = await call(1);
  const removal = removeCartItem(1);
  old.answer(200, cartOf(1, 5));
  await reading;
  (await call(2)).answer(204);
  await removal;
  expect(quantities()).toEqual([5]);
  (await call(3)).answer(200, { items: [] });
  await expect.poll(quantities).toEqual([]);
});

test("another tab's change is fetched, even while an earlier fetch is running", async () => {
  const stop = subscribeToCart(() => undefined);
  const otherTab = new BroadcastChannel("cart");
  const earlier = refreshInBackground();
  const fetchFromBefore = await call(1);
  // Both notifications are received before the fetch is answered, and lead to one more.
  otherTab.postMessage("changed");
  otherTab.postMessage("changed");
  await new Promise((received) => setTimeout(received, 100));
  fetchFromBefore.answer(200, cartOf(1, 5));
  await earlier;
  (await call(2)).answer(200, { items: [] });
  await expect.poll(quantities).toEqual([]);
  expect(paths()).toEqual(["GET /api/cart", "GET /api/cart"]);
  otherTab.close();
  stop();
});

test("after a logout nothing is shown, not even the response to an earlier fetch", async () => {
  const reading = refreshCart();
  const late = await call(1);
  setCartToken(null);
  expect(quantities()).toBeNull();
  late.answer(200, cartOf(4));
  await reading;
  expect(quantities()).toBeNull();
});

test("another user sees nothing of the former one's cart, even if theirs cannot be fetched", async () => {
  const reading = refreshInBackground();
  const late = await call(1);
  setCartToken("autre jeton");
  expect(quantities()).toBeNull();
  late.answer(200, cartOf(4));
  await reading;
  const mine = await call(2);
  expect([late.token, mine.token]).toEqual(["jeton", "autre jeton"]);
  expect(quantities()).toBeNull();
  mine.answer(503);
  await expect.poll(cartState).toMatchObject({ items: null, shipping: null, hasFailed: true });
});

test("a response without a cart counts as a failure", async () => {
  setCartToken(null);
  const reading = refreshCart();
  (await call(1)).answer(200, { message: "?" });
  await reading;
  expect(cartState()).toMatchObject({ items: null, hasFailed: true });
});

test("the cart is fetched after an addition, even without subscribers", async () => {
  const adding = addToCart({ productId: 7, quantity: 2 });
  const added = await call(1);
  expect(added).toMatchObject({ path: "/api/cart/add", body: { productId: 7, quantity: 2 } });
  added.answer(201, {});
  await adding;
  (await call(2)).answer(200, cartOf(2));
  await expect.poll(quantities).toEqual([2]);
});

for (const { pieces, isAdded } of [
  { pieces: 3, isAdded: true },
  { pieces: 1, isAdded: false },
])
  test(`an addition whose response is lost has ${isAdded ? "succeeded if" : "failed unless"} the cart has got it`, async () => {
    const outcome = addToCart({ productId: 1, quantity: 2 }).then(
      () => true,
      () => false,
    );
    (await call(1)).answer(503);
    (await call(2)).answer(200, cartOf(pieces, 5));
    expect(await outcome).toBe(isAdded);
    expect(paths()).toEqual(["POST /api/cart/add", "GET /api/cart"]);
  });
