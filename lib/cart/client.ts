import { ApiError, type ApiRequest, callApi } from "@/lib/api-client";
import type { CartItemJson } from "./rules";

// The browser's copy of the cart, one per tab, and the calls that change it. Calls go one after the
// other, so that none overtakes another; each change is followed by a reading, since the server's
// cart is the only true one. Other tabs hear of each change and read it too.

export interface CartState {
  /** Null until the cart has been read, and after a logout. */
  items: readonly CartItemJson[] | null;
  /** The last reading failed; what was read before stays. */
  hasFailed: boolean;
}

interface WantedQuantity {
  quantity: number;
  /** The call, once it is under way. */
  call: Promise<unknown> | undefined;
  done: Promise<void>;
}

const NOTHING: CartState = { items: null, hasFailed: false };

let state = NOTHING;
/** As the server last gave it: without the quantities that it has yet to be told. */
let known: readonly CartItemJson[] | null = null;
/** Quantities that the server has yet to confirm, by item. */
const wanted = new Map<number, WantedQuantity>();
const listeners = new Set<() => void>();
/** Raised when somebody else's cart would be shown by answers to earlier calls. */
let generation = 0;

function publish(hasFailed = false): void {
  const items = known?.map((item) => {
    const quantity = wanted.get(item.id)?.quantity;
    return quantity === undefined ? item : { ...item, quantity };
  });
  state = { items: items ?? null, hasFailed };
  for (const listener of listeners) listener();
}

let channel: BroadcastChannel | undefined;

function tabs(): BroadcastChannel | undefined {
  if (!channel && typeof BroadcastChannel !== "undefined") {
    channel = new BroadcastChannel("cart");
    channel.onmessage = () => void refreshQuietly();
    // A page that the browser had put aside has heard nothing meanwhile.
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) void refreshQuietly();
    });
  }
  return channel;
}

/** Calls back after each change of what `cartState` gives. Returns the way to stop. */
export function subscribeToCart(onChange: () => void): () => void {
  tabs();
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

export const cartState = (): CartState => state;
/** The server knows nobody's cart. */
export const serverCartState = (): CartState => NOTHING;

/** Milliseconds after which a call counts as failed, so that those behind it need not wait. */
const TIMEOUT = 20_000;
const timeout = () => AbortSignal.timeout(TIMEOUT);

let queue: Promise<unknown> = Promise.resolve();

function enqueue<T>(run: () => Promise<T>): Promise<T> {
  const result = queue.then(run);
  queue = result.catch(() => undefined);
  return result;
}

/** A reading that is waiting or under way, and will see every change made so far. */
let reading: { isQuiet: boolean; done: Promise<void> } | undefined;

function read({ quietToken }: { quietToken?: string } = {}): Promise<void> {
  const isQuiet = quietToken !== undefined;
  if (reading && (isQuiet || !reading.isQuiet)) return reading.done;
  const startedIn = generation;
  const done = enqueue(async () => {
    let items: CartItemJson[] | null = null;
    let hasFailed = false;
    try {
      const cart = await callApi<{ items?: CartItemJson[] }>("/api/cart", {
        as: isQuiet ? { token: quietToken } : "session",
        signal: timeout(),
      });
      items = cart.items ?? null;
      hasFailed = items === null;
    } catch (error) {
      // On the way to the login there is nothing to be said.
      hasFailed = !(error instanceof ApiError && error.isSessionOver);
    }
    if (reading === mine) reading = undefined;
    if (startedIn !== generation) return;
    if (items) known = items;
    publish(hasFailed);
  });
  const mine = { isQuiet, done };
  reading = mine;
  return done;
}

/**
 * Reads the cart, after every change made so far; a session that is over leads to the login.
 * Failures are in the state.
 */
export const refreshCart = (): Promise<void> => read();

let sessionToken: string | null = null;

/**
 * Says whose cart it is, by the session's token; null after a logout. What is known by a former token
 * is forgotten: the next may be somebody else's, also without a logout that this tab has seen.
 */
export function openCart(token: string | null): void {
  if (token === sessionToken) return;
  if (sessionToken !== null) forgetAll();
  sessionToken = token;
  void refreshQuietly();
}

function forgetAll(): void {
  generation += 1;
  reading = undefined;
  known = null;
  wanted.clear();
  publish();
}

/** As `refreshCart`, but nobody is led anywhere: for what the visitor did not ask for. */
export async function refreshQuietly(): Promise<void> {
  if (sessionToken !== null) await read({ quietToken: sessionToken });
}

/** Runs a change, tells the other tabs, and has the cart read once it and those behind it are done. */
async function change<T>(run: () => Promise<T>): Promise<T> {
  reading = undefined;
  try {
    return await enqueue(run);
  } finally {
    tabs()?.postMessage("changed");
    void (sessionToken === null ? refreshCart() : refreshQuietly());
  }
}

/** Has a change stored, also where the page is left before it is. */
const send = (path: string, request: Pick<ApiRequest, "method" | "json">) =>
  callApi(path, { ...request, as: "session", signal: timeout(), keepalive: true });

/** @throws ApiError */
export async function addToCart(addition: { productId: number; quantity: number }): Promise<void> {
  await change(() => send("/api/cart/add", { method: "POST", json: addition }));
}

const sendQuantity = (id: number, entry: WantedQuantity): Promise<unknown> => {
  const { quantity } = entry;
  entry.call ??= send(`/api/cart/item/${id}`, { method: "PUT", json: { quantity } });
  return entry.call;
};

/** The page may not come back: what waits for its turn is sent now, or never. */
function sendWaiting(): void {
  if (document.visibilityState !== "hidden") return;
  // How it went is for those who wait for it.
  for (const [id, entry] of wanted) sendQuantity(id, entry).catch(() => undefined);
}

/**
 * Shows a quantity at once, and has it stored; of several that come faster than the answers only
 * the last is sent. Where it is refused, the former one is shown again.
 *
 * @throws ApiError
 */
export function updateCartItem({ id, quantity }: { id: number; quantity: number }): Promise<void> {
  document.addEventListener("visibilitychange", sendWaiting);
  const waiting = wanted.get(id);
  if (waiting && !waiting.call) {
    waiting.quantity = quantity;
    publish();
    return waiting.done;
  }
  const entry: WantedQuantity = { quantity, call: undefined, done: Promise.resolve() };
  entry.done = change(async () => {
    try {
      await sendQuantity(id, entry);
      const told = { quantity: entry.quantity };
      known = known?.map((item) => (item.id === id ? { ...item, ...told } : item)) ?? null;
    } finally {
      if (wanted.get(id) === entry) wanted.delete(id);
      publish();
    }
  });
  wanted.set(id, entry);
  publish();
  return entry.done;
}

/** @throws ApiError */
export function removeCartItem(id: number): Promise<void> {
  return change(async () => {
    await send(`/api/cart/item/${id}`, { method: "DELETE" });
    known = known?.filter((item) => item.id !== id) ?? null;
    publish();
  });
}

/** @throws ApiError */
export function emptyCart(): Promise<void> {
  return change(async () => {
    await send("/api/cart", { method: "DELETE" });
    known = [];
    publish();
  });
}

/** After the shop itself has changed the cart, as an order does: every tab reads it anew. */
export async function noteCartChange(): Promise<void> {
  tabs()?.postMessage("changed");
  await refreshQuietly();
}
