import { expect } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createAddress, createUser } from "@/db/factories/people";
import { orders } from "@/db/schema/orders";
import { tokenOf } from "./accounts";
import type { Api, ApiAnswer } from "./api-client";
import { type Cards, paymentIdOf } from "./cards";

// Shared by tests of purchases: a buyer, and the steps of a purchase.

export interface Confirmation {
  orderId: number;
  orderTotal: number;
}

/** A logged-in customer with one address for both purposes. */
export interface Buyer {
  id: number;
  email: string;
  token: string;
  addressId: number;
}

export async function createBuyer(db: Database): Promise<Buyer> {
  const user = await createUser({ db });
  const { id: addressId } = await createAddress({ db, userId: user.id });
  return { id: user.id, email: user.email, token: await tokenOf(user), addressId };
}

/** A customer whose cart holds a new product. */
export async function createBuyerWithCart({
  api,
  db,
  priceCents = 4290,
  quantity = 1,
  stock = null,
}: {
  api: Api;
  db: Database;
  priceCents?: number;
  quantity?: number;
  /** Pieces in stock; null if stock is not counted. */
  stock?: number | null;
}) {
  const buyer = await createBuyer(db);
  const product = await createProduct({ db, priceCents, stock });
  await addToCart({ api, buyer, productId: product.id, quantity });
  return { buyer, product };
}

export async function addToCart({
  api,
  buyer: { token },
  productId,
  quantity = 1,
}: {
  api: Api;
  buyer: Buyer;
  productId: number;
  quantity?: number;
}): Promise<void> {
  const { status, text } = await api.post("/api/cart/add", {
    token,
    json: { productId, quantity },
  });
  expect(status, text).toBe(201);
}

/** `POST /api/cart/payment-intent`, whatever the status. */
export const requestPayment = ({
  api,
  buyer: { token, addressId },
  ...more
}: {
  api: Api;
  buyer: Buyer;
  total?: number;
  shippingAddressId?: unknown;
  billingAddressId?: unknown;
  shippingMethodId?: unknown;
}): Promise<ApiAnswer<{ clientSecret: string; error: string }>> =>
  api.post("/api/cart/payment-intent", {
    token,
    json: { shippingAddressId: addressId, billingAddressId: addressId, ...more },
    mayFail: true,
  });

/** Opens the payment of the buyer's cart. Returns its client secret. */
export async function openPayment(options: {
  api: Api;
  buyer: Buyer;
  shippingMethodId?: unknown;
}): Promise<string> {
  const { status, text, json } = await requestPayment(options);
  expect(status, text).toBe(200);
  return json.clientSecret;
}

/** `POST /api/cart/confirm-order`, whatever the status. */
export const confirm = ({
  api,
  buyer: { token, addressId },
  secret,
}: {
  api: Api;
  buyer: Buyer;
  secret: string;
}): Promise<ApiAnswer<Confirmation & { error: string }>> =>
  api.post("/api/cart/confirm-order", {
    token,
    json: {
      shippingAddressId: addressId,
      billingAddressId: addressId,
      paymentIntentId: paymentIdOf(secret),
    },
    mayFail: true,
  });

/** Opens the payment and pays it, as a browser does. Returns its client secret. */
export async function payCart({
  cards,
  card,
  ...options
}: {
  api: Api;
  buyer: Buyer;
  cards: Cards;
  /** The test card, if not the usual one. */
  card?: string;
  shippingMethodId?: unknown;
}): Promise<string> {
  const secret = await openPayment(options);
  const paid = await cards.pay(secret, card);
  expect(paid.json.status, JSON.stringify(paid.json)).toBe("succeeded");
  return secret;
}

/** Pays the cart while the shop receives neither the provider's events nor the browser's request. */
export async function payCartUnheard(options: {
  api: Api;
  buyer: Buyer;
  cards: Cards;
}): Promise<string> {
  await options.cards.fault({ webhook: "*", effect: "never", times: 5 });
  const secret = await payCart(options);
  await options.cards.clearFaults();
  return secret;
}

export const ordersOf = (db: Database, userId: number) =>
  db.select().from(orders).where(eq(orders.userId, userId));
