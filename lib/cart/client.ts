import { type ApiRequest, callApi, ignoreMissing } from "@/lib/api-client";
import { ApiError } from "@/lib/api-error";
import type { CartItemJson, CartJson, CartShippingJson } from "./rules";

// The browser's copy of the cart, one per tab, and the calls that change it. Calls are queued, so that none
// overtakes another. A fetch follows each change, since the server's cart is the source of truth. Other
// tabs are notified of each change and fetch the cart, too.

export interface CartState {
  /** Null until the cart has been read, and after a logout. */
  items: readonly CartItemJson[] | null;
  /** From the server's cart; null if there is nothing to ship, or no method to choose. */
  shipping: CartShippingJson | null;
  /** False if the seller is outside VAT. */
  isVatIncluded: boolean;
  /** The last fetch failed; the items are those of an earlier one. */
  hasFailed: boolean;
}

interface PendingQuantity {
  quantity: number;
  /** The call, once it was sent. */
  call: Promise<unknown> | undefined;
  done: Promise<void>;
}

const NOTHING: CartState = { items: null, shipping: null, isVatIncluded: true, hasFailed: false };

let state = NOTHING;
/** The items of the last response, without the pending quantities. */
let serverItems: readonly CartItemJson[] | null = null;
let shipping: CartShippingJson | null = null;
let isVatIncluded = true;
/** Quantities that the server has not confirmed yet, by item: optimistic updates. */
const pendingQuantities = new Map<number, PendingQuantity>();
const listeners = new Set<() => void>();
/** Raised when the user changes, so that responses to earlier calls are ignored. */
let generation = 0;

function publish(hasFailed = false): void {
  const items = serverItems?.map((item) => {
    const quantity = pendingQuantities.get(item.id)?.quantity;
    return quantity === undefined ? item : { ...item, quantity };
  });
  state = { items: items ?? null, shipping, isVatIncluded, hasFailed };
  for (const listener of listeners) listener();
}

let channel: BroadcastChannel | undefined;

function tabChannel(): BroadcastChannel | undefined {
  if (!channel && typeof BroadcastChannel !== "undefined") {
    channel = new BroadcastChannel("cart");
    channel.onmessage = () => {
      // A fetch that is already running may have been answered before the other tab's change.
      if (pendingFetch?.isRunning) pendingFetch = undefined;
      void refreshInBackground();
    };
    // A page restored from the back/forward cache has missed the notifications.
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) void refreshInBackground();
    });
  }
  return channel;
}

/** Subscribes to changes of `cartState`. Returns the unsubscribe function. */
export function subscribeToCart(onChange: () => void): () => void {
  tabChannel();
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

export const cartState = (): CartState => state;
/** The state in the server's HTML. */
export const serverCartState = (): CartState => NOTHING;

/** Milliseconds per call, so that calls queued behind it do not wait for ever. */
const TIMEOUT = 20_000;
const timeout = () => AbortSignal.timeout(TIMEOUT);

let queue: Promise<unknown> = Promise.resolve();

function enqueue<T>(run: () => Promise<T>): Promise<T> {
  const result = queue.then(run);
  queue = result.catch(() => undefined);
  return result;
}

interface PendingFetch {
  isBackground: boolean;
  isRunning: boolean;
  done: Promise<void>;
}

/** A fetch that is queued or running, and will include every change made so far. */
let pendingFetch: PendingFetch | undefined;

function fetchCart({ backgroundToken }: { backgroundToken?: string } = {}): Promise<void> {
  const isBackground = backgroundToken !== undefined;
  if (pendingFetch && (isBackground || !pendingFetch.isBackground)) return pendingFetch.done;
  const startedIn = generation;
  const mine: PendingFetch = { isBackground, isRunning: false, done: Promise.resolve() };
  pendingFetch = mine;
  mine.done = enqueue(async () => {
    mine.isRunning = true;
    let cart: Partial<CartJson> = {};
    let hasFailed = false;
    try {
      cart = await callApi<CartJson>("/api/cart", {
        as: isBackground ? { token: backgroundToken } : "session",
        signal: timeout(),
      });
      hasFailed = !cart.items;
    } catch (error) {
      // The visitor is redirected to the login.
      hasFailed = !(error instanceof ApiError && error.isSessionOver);
    }
    if (pendingFetch === mine) pendingFetch = undefined;
    if (startedIn !== generation) return;
    if (cart.items) {
      serverItems = cart.items;
      shipping = cart.shipping ?? null;
      isVatIncluded = cart.vatIncluded ?? true;
    }
    publish(hasFailed);
  });
  return mine.done;
}

/**
 * Fetches the cart after every change made so far; an expired session redirects to the login. Failures
 * are in the state.
 */
export const refreshCart = (): Promise<void> => fetchCart();

let sessionToken: string | null = null;

/**
 * Sets the session's token; null after a logout. Another token discards the cart: it may belong to
 * another user, even without a logout in this tab.
 */
export function setCartToken(token: string | null): void {
  if (token === sessionToken) return;
  if (sessionToken !== null) resetCart();
  sessionToken = token;
  void refreshInBackground();
}

function resetCart(): void {
  generation += 1;
  pendingFetch = undefined;
  serverItems = null;
  shipping = null;
  pendingQuantities.clear();
  publish();
}

/** Like `refreshCart`, but without a redirect: for fetches that the visitor did not ask for. */
export async function refreshInBackground(): Promise<void> {
  if (sessionToken !== null) await fetchCart({ backgroundToken: sessionToken });
}

const refreshAfterChange = () => (sessionToken === null ? refreshCart() : refreshInBackground());

/** Queues a change, then notifies the other tabs and fetches the cart. */
async function change<T>(run: () => Promise<T>): Promise<T> {
  pendingFetch = undefined;
  try {
    return await enqueue(run);
  } finally {
    tabChannel()?.postMessage("changed");
    void refreshAfterChange();
  }
}

/** Sends a change, even while the page is being left. */
const send = (path: string, request: Pick<ApiRequest, "method" | "json">) =>
  callApi(path, { ...request, as: "session", signal: timeout(), keepalive: true });

const piecesOf = (productId: number) =>
  serverItems && (serverItems.find(({ product }) => product.id === productId)?.quantity ?? 0);

/**
 * Adds pieces of a product. If the response is lost but the cart then has the pieces, this counts as
 * success: a retry would add them twice.
 *
 * @throws ApiError
 */
export async function addToCart(addition: { productId: number; quantity: number }): Promise<void> {
  const { productId, quantity } = addition;
  const before = piecesOf(productId);
  try {
    await change(() => send("/api/cart/add", { method: "POST", json: addition }));
  } catch (error) {
    const isUncertain = error instanceof ApiError && (error.status === 0 || error.status >= 500);
    if (!isUncertain || before === null) throw error;
    await refreshAfterChange();
    if (piecesOf(productId) !== before + quantity) throw error;
  }
}

const sendQuantity = (id: number, entry: PendingQuantity): Promise<unknown> => {
  const { quantity } = entry;
  entry.call ??= send(`/api/cart/item/${id}`, { method: "PUT", json: { quantity } });
  return entry.call;
};

/** Sends queued quantities at once when the page is hidden or left: it may be closed. */
function flushPending({ type }: Event): void {
  if (type !== "pagehide" && document.visibilityState !== "hidden") return;
  // Errors are handled where the call is awaited.
  for (const [id, entry] of pendingQuantities) sendQuantity(id, entry).catch(() => undefined);
}

/**
 * Shows a quantity at once and sends it. If several changes come faster than the responses, only the last
 * one is sent. If the server refuses the quantity, the former one is shown again.
 *
 * @throws ApiError
 */
export function updateCartItem({ id, quantity }: { id: number; quantity: number }): Promise<void> {
  document.addEventListener("visibilitychange", flushPending);
  // Some browsers send no `visibilitychange` when a page is left.
  window.addEventListener("pagehide", flushPending);
  const pending = pendingQuantities.get(id);
  if (pending && !pending.call) {
    pending.quantity = quantity;
    publish();
    return pending.done;
  }
  const entry: PendingQuantity = { quantity, call: undefined, done: Promise.resolve() };
  entry.done = change(async () => {
    try {
      await sendQuantity(id, entry);
      const confirmed = { quantity: entry.quantity };
      serverItems =
        serverItems?.map((item) => (item.id === id ? { ...item, ...confirmed } : item)) ?? null;
    } finally {
      if (pendingQuantities.get(id) === entry) pendingQuantities.delete(id);
      publish();
    }
  });
  pendingQuantities.set(id, entry);
  publish();
  return entry.done;
}

/** @throws ApiError */
export function removeCartItem(id: number): Promise<void> {
  return change(async () => {
    await ignoreMissing(send(`/api/cart/item/${id}`, { method: "DELETE" }));
    serverItems = serverItems?.filter((item) => item.id !== id) ?? null;
    publish();
  });
}

/** @throws ApiError */
export function emptyCart(): Promise<void> {
  return change(async () => {
    await send("/api/cart", { method: "DELETE" });
    serverItems = [];
    publish();
  });
}

/** For changes of the cart by the server, such as an order: every tab fetches the cart. */
export async function announceCartChange(): Promise<void> {
  tabChannel()?.postMessage("changed");
  await refreshInBackground();
}
