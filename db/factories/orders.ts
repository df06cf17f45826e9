import { createHash } from "node:crypto";
import { inArray } from "drizzle-orm";
import { countSales } from "@/db/count-sales";
import type { ProductRow } from "@/db/factories/catalogue";
import { buildInvoice, takeDocumentNumber } from "@/db/factories/invoices";
import { type Connection, single, type UserRow, unique } from "@/db/factories/people";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { checkouts } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orderLines, orders } from "@/db/schema/orders";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { withdrawals } from "@/db/schema/withdrawals";
import { totalOf } from "@/lib/checkout/rules";
import { addressColumnsOf, firstStatus, shippedAtOnce } from "@/lib/orders/rules";
import type { PostalAddress } from "@/lib/shop/postal-address";
import { recordSale, takeUnheld } from "@/lib/stock/mutations";
import { refundDate } from "@/lib/withdrawals/rules";

export type OrderRow = typeof orders.$inferSelect;
export type NewOrder = typeof orders.$inferInsert;
export type NewOrderLine = typeof orderLines.$inferInsert;
type NewWithdrawal = typeof withdrawals.$inferInsert;

/** An active shipping method of 4,90 € for any weight. */
export async function createShippingMethod({
  db,
  ...values
}: { db: Connection } & Partial<typeof shippingMethods.$inferInsert>) {
  const row = {
    name: `Colis ${unique()}`,
    priceCents: 490,
    delay: "2 à 3 jours ouvrés",
    ...values,
  };
  return single(db.insert(shippingMethods).values(row).returning());
}

/** A checkout of a user or, without one, of an erased account. It waits for its payment. */
export async function createCheckout({
  db,
  user,
  ...values
}: { db: Connection; user?: Buyer } & Partial<typeof checkouts.$inferInsert>) {
  const address = { street: "1 rue A", city: "Lyon", postalCode: "69001" };
  const row = {
    userId: user?.id ?? null,
    fingerprint: unique(),
    lines: [],
    totalCents: 0,
    shippingAddress: address,
    billingAddress: address,
    buyerEmail: user?.email ?? "a@exemple.test",
    buyerFirstName: user?.firstName ?? "Camille",
    buyerLastName: user?.lastName ?? "Martin",
    ...values,
  };
  return single(db.insert(checkouts).values(row).returning());
}

// Orders and invoices ----------------------------------------------------------------------------

type Buyer = Pick<UserRow, "id" | "email" | "firstName" | "lastName">;
type BoughtProduct = Pick<
  ProductRow,
  "id" | "type" | "name" | "image" | "priceCents" | "vatRateBp" | "downloadLink"
>;

/** An order line: a copy of the product's name, price and file. */
export function buildOrderLine({
  product,
  quantity = 1,
  ...values
}: { product: BoughtProduct; quantity?: number } & Partial<NewOrderLine>): Omit<
  NewOrderLine,
  "orderId"
> {
  return {
    productId: product.id,
    productType: product.type,
    name: product.name,
    image: product.image,
    unitPriceCents: product.priceCents,
    vatRateBp: product.vatRateBp,
    downloadLink: product.downloadLink,
    quantity,
    shippedQuantity: shippedAtOnce({ productType: product.type, quantity }),
    ...values,
  };
}

/** A paid order with the total of its lines; billed to the shipping address by default. */
export function buildOrder({
  buyer,
  lines,
  shipping = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" },
  billing = shipping,
  ...values
}: {
  buyer: Buyer;
  lines: readonly Omit<NewOrderLine, "orderId">[];
  shipping?: PostalAddress;
  billing?: PostalAddress;
} & Partial<NewOrder> &
  Pick<NewOrder, "number">): NewOrder {
  return {
    userId: buyer.id,
    buyerEmail: buyer.email,
    buyerFirstName: buyer.firstName,
    buyerLastName: buyer.lastName,
    ...(firstStatus(lines) === "delivered" && {
      status: "delivered",
      deliveredAt: values.orderedAt ?? new Date(),
    }),
    totalCents: totalOf(lines),
    productNames: lines.map(({ name }) => name).join(" "),
    ...addressColumnsOf({ shippingAddress: shipping, billingAddress: billing }),
    ...values,
  };
}

/** The payment provider's id of a payment, derived from the order's number. */
function paymentIntentIdOf(orderNumber: string): string {
  const digest = createHash("sha256").update(orderNumber).digest("base64url");
  return `pi_${digest.replace(/[-_]/g, "0").slice(0, 24)}`;
}

/**
 * Creates a paid order of `user`: takes the next number of its year, counts the pieces as sold, takes them
 * out of the stock, and writes the invoice unless `invoiced` is false. Run it in a transaction if others
 * read concurrently.
 */
export async function createOrder({
  db,
  user,
  items,
  invoiced = true,
  orderedAt = new Date(),
  ...values
}: {
  db: Connection;
  user: Buyer;
  items: readonly { product: BoughtProduct; quantity?: number }[];
  shipping?: PostalAddress;
  billing?: PostalAddress;
  invoiced?: boolean;
} & Partial<NewOrder>) {
  const lines = items.map((item) => buildOrderLine({ ...item, createdAt: orderedAt }));
  const number =
    values.number ?? (await takeDocumentNumber(db, { kind: "order", date: orderedAt }));
  const order = await single(
    db
      .insert(orders)
      .values(
        buildOrder({
          paymentIntentId: paymentIntentIdOf(number),
          ...values,
          buyer: user,
          lines,
          number,
          orderedAt,
        }),
      )
      .returning(),
  );
  const written = await db
    .insert(orderLines)
    .values(lines.map((line) => ({ ...line, orderId: order.id })))
    .returning();
  const counted = await countSales(db, { lines });
  const { taken, short } = await takeUnheld(db, { lines, counted });
  if (short.length > 0) throw new Error("There are fewer pieces than the order wants.");
  await recordSale(db, { orderId: order.id, taken });
  if (!invoiced) return { order, lines: written, invoice: null };
  const invoiceNumber = await takeDocumentNumber(db, { kind: "invoice", date: orderedAt });
  const issued = buildInvoice({ order, lines: written, number: invoiceNumber });
  const invoice = await single(db.insert(invoices).values(issued).returning());
  return { order, lines: written, invoice };
}

/** A withdrawal from all physical products of an order, received now. */
export function buildWithdrawal({
  order,
  lines,
  createdAt = new Date(),
  ...values
}: {
  order: Pick<OrderRow, "id" | "orderedAt"> & NewOrder;
  lines: readonly Pick<NewOrderLine, "productType" | "name" | "quantity" | "unitPriceCents">[];
} & Partial<NewWithdrawal>): NewWithdrawal {
  return {
    orderId: order.id,
    userId: order.userId,
    buyerEmail: order.buyerEmail,
    buyerFirstName: order.buyerFirstName,
    buyerLastName: order.buyerLastName,
    items: "",
    orderNumber: order.number,
    orderedAt: order.orderedAt,
    totalCents: order.totalCents,
    objects: lines
      .filter(({ productType }) => productType === "physical")
      .map(({ name, quantity, unitPriceCents }) => ({ name, quantity, unitPriceCents })),
    refundBy: refundDate(createdAt),
    createdAt,
    ...values,
  };
}

export const createWithdrawal = ({
  db,
  ...withdrawal
}: { db: Connection } & Parameters<typeof buildWithdrawal>[0]) =>
  single(db.insert(withdrawals).values(buildWithdrawal(withdrawal)).returning());

/** A customer's cart; the names and prices seen by its lines are the products' current ones. */
export async function createCart({
  db,
  userId,
  items,
  createdAt = new Date(),
}: {
  db: Connection;
  userId: number;
  items: readonly { productId: number; quantity?: number }[];
  createdAt?: Date;
}) {
  const cart = await single(
    db.insert(carts).values({ userId, createdAt, updatedAt: createdAt }).returning(),
  );
  if (items.length === 0) return { cart, items: [] };
  const ids = items.map(({ productId }) => productId);
  const shown = await db.select().from(products).where(inArray(products.id, ids));
  const written = await db
    .insert(cartItems)
    .values(
      items.map(({ productId, quantity = 1 }) => {
        const product = shown.find(({ id }) => id === productId);
        if (!product) throw new Error(`There is no product ${productId}.`);
        return {
          cartId: cart.id,
          productId,
          quantity,
          addedName: product.name,
          addedImage: product.image,
          addedPriceCents: product.priceCents,
          createdAt,
        };
      }),
    )
    .returning();
  return { cart, items: written };
}
