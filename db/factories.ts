import { createHash } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db";
import { countSales } from "@/db/count-sales";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { cartItems, carts } from "@/db/schema/cart";
import { categories, productCategories, products, productTags, tags } from "@/db/schema/catalogue";
import type { PostalAddress } from "@/db/schema/checkout";
import { type InvoiceSnapshot, invoices } from "@/db/schema/invoices";
import { orderLines, orders } from "@/db/schema/orders";
import { creditNotes, refundLines, refunds } from "@/db/schema/refunds";
import { reviews } from "@/db/schema/reviews";
import { shippingMethods } from "@/db/schema/shipping";
import { stockMovements } from "@/db/schema/stock";
import { withdrawals } from "@/db/schema/withdrawals";
import { hashPassword } from "@/lib/auth/password";
import { totalOf } from "@/lib/checkout/rules";
import { type DocumentKind, nextDocumentNumber } from "@/lib/orders/numbers";
import { firstStatus, shippedAtOnce } from "@/lib/orders/rules";
import { recordSale, takeUnheld } from "@/lib/stock/mutations";
import { refundDate } from "@/lib/withdrawals/rules";

// Rows with sensible defaults, for the demonstration shop and for tests alike: `buildX` gives the
// values of a row and touches nothing, `createX` writes it and what it needs, and returns the row.

/** The database itself or a transaction in it. */
export type Connection = Database | Transaction;

type UserRow = typeof users.$inferSelect;
type ProductRow = typeof products.$inferSelect;
type OrderRow = typeof orders.$inferSelect;
type NewUser = typeof users.$inferInsert;
type NewAddress = typeof addresses.$inferInsert;
type NewProduct = typeof products.$inferInsert;
type NewOrder = typeof orders.$inferInsert;
type NewOrderLine = typeof orderLines.$inferInsert;
type NewInvoice = typeof invoices.$inferInsert;
type NewReview = typeof reviews.$inferInsert;
type NewWithdrawal = typeof withdrawals.$inferInsert;

let lastNumber = 0;

/** Differs at every call and, by the process id, between the processes that share a database. */
function unique(): string {
  lastNumber += 1;
  return `${process.pid.toString(36)}${lastNumber}`;
}

async function single<T>(rows: Promise<T[]>): Promise<T> {
  const [row] = await rows;
  if (row === undefined) throw new Error("The row was not written.");
  return row;
}

// Accounts ---------------------------------------------------------------------------------------

/** What users made without a password log in with. */
export const DEFAULT_PASSWORD = "Motdepasse-2026!";

const hashes = new Map<string, Promise<string>>();

/** Each distinct password is hashed once per process: a good hash is slow. */
export function passwordHashOf(password: string): Promise<string> {
  const known = hashes.get(password);
  if (known) return known;
  const hash = hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** A verified customer. */
export function buildUser(values: Partial<NewUser> & Pick<NewUser, "passwordHash">): NewUser {
  return {
    email: `cliente-${unique()}@exemple.test`,
    firstName: "Camille",
    lastName: "Martin",
    isVerified: true,
    ...values,
  };
}

/** A verified customer who logs in with `password`; pass `roles` for an administrator. */
export async function createUser({
  db,
  password = DEFAULT_PASSWORD,
  ...values
}: { db: Connection; password?: string } & Partial<NewUser>): Promise<UserRow> {
  const passwordHash = values.passwordHash ?? (await passwordHashOf(password));
  return single(
    db
      .insert(users)
      .values(buildUser({ ...values, passwordHash }))
      .returning(),
  );
}

export async function createAdmin({
  db,
  ...values
}: { db: Connection; password?: string } & Partial<NewUser>): Promise<UserRow> {
  return createUser({
    db,
    email: `admin-${unique()}@exemple.test`,
    lastName: "Administration",
    roles: ["ROLE_USER", "ROLE_ADMIN"],
    ...values,
  });
}

/** A shipping address that is no default. */
export function buildAddress(values: Partial<NewAddress> & Pick<NewAddress, "userId">): NewAddress {
  return { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003", ...values };
}

export async function createAddress({
  db,
  ...values
}: { db: Connection } & Partial<NewAddress> & Pick<NewAddress, "userId">) {
  return single(db.insert(addresses).values(buildAddress(values)).returning());
}

// Catalogue --------------------------------------------------------------------------------------

export async function createCategory({
  db,
  ...values
}: { db: Connection } & Partial<typeof categories.$inferInsert>) {
  const row = { name: `Catégorie ${unique()}`, color: "#2563eb", ...values };
  return single(db.insert(categories).values(row).returning());
}

export async function createTag({
  db,
  ...values
}: { db: Connection } & Partial<typeof tags.$inferInsert>) {
  const row = { name: `Étiquette ${unique()}`, color: "#0d7377", ...values };
  return single(db.insert(tags).values(row).returning());
}

/** A product of 19,90 €, physical unless said otherwise, with the fields of its kind alone. */
function buildProduct(
  values: Partial<NewProduct> & Pick<NewProduct, "defaultCategoryId">,
): NewProduct {
  const common = {
    name: `Produit ${unique()}`,
    description: "Un bel objet, choisi avec soin et expédié sous deux jours.",
    priceCents: 1990,
    image: "placeholder.webp",
  };
  return values.type === "digital"
    ? {
        ...common,
        downloadLink: "/downloads/exemple.pdf",
        fileSizeKb: 2400,
        fileType: "PDF",
        ...values,
        type: "digital",
      }
    : {
        ...common,
        characteristics: [{ name: "Matière", value: "Bois de hêtre" }],
        ...values,
        type: "physical",
      };
}

/**
 * A product in its categories. Without `categoryIds` it stands in its default category only, and
 * without that one a new category is made.
 */
export async function createProduct({
  db,
  categoryIds,
  tagIds = [],
  ...values
}: { db: Connection; categoryIds?: number[]; tagIds?: number[] } & Partial<NewProduct>) {
  const defaultCategoryId =
    values.defaultCategoryId ?? categoryIds?.[0] ?? (await createCategory({ db })).id;
  const product = await single(
    db
      .insert(products)
      .values(buildProduct({ ...values, defaultCategoryId }))
      .returning(),
  );
  const { id: productId, stock } = product;
  if (stock)
    await db
      .insert(stockMovements)
      .values({ productId, kind: "correction", quantity: stock, reason: "Inventaire" });
  await labelProducts({
    db,
    labels: [{ productId: product.id, categoryIds: categoryIds ?? [defaultCategoryId], tagIds }],
  });
  return product;
}

/** Puts products into categories and gives them tags. */
export async function labelProducts({
  db,
  labels,
}: {
  db: Connection;
  labels: readonly { productId: number; categoryIds: number[]; tagIds: number[] }[];
}): Promise<void> {
  const inCategories = labels.flatMap(({ productId, categoryIds }) =>
    categoryIds.map((categoryId) => ({ productId, categoryId })),
  );
  const withTags = labels.flatMap(({ productId, tagIds }) =>
    tagIds.map((tagId) => ({ productId, tagId })),
  );
  if (inCategories.length > 0) await db.insert(productCategories).values(inCategories);
  if (withTags.length > 0) await db.insert(productTags).values(withTags);
}

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

// Orders and invoices ----------------------------------------------------------------------------

type Buyer = Pick<UserRow, "id" | "email" | "firstName" | "lastName">;
type BoughtProduct = Pick<
  ProductRow,
  "id" | "type" | "name" | "image" | "priceCents" | "vatRateBp" | "downloadLink"
>;

/** A line as bought: the product's name, price and file of that day. */
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

/** A paid order with the total of its lines, to one address unless said otherwise. */
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
    shippingStreet: shipping.street,
    shippingCity: shipping.city,
    shippingPostalCode: shipping.postalCode,
    billingStreet: billing.street,
    billingCity: billing.city,
    billingPostalCode: billing.postalCode,
    ...values,
  };
}

/** The payment provider's id of a payment, derived from what it pays. */
export function paymentIntentIdOf(orderNumber: string): string {
  const digest = createHash("sha256").update(orderNumber).digest("base64url");
  return `pi_${digest.replace(/[-_]/g, "0").slice(0, 24)}`;
}

/**
 * A paid order of `user`: takes the next number of its year, counts the pieces as sold, takes them out
 * of the stock, and writes the invoice too unless `invoiced` is false. Run it in a transaction where others may look.
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
  const number = values.number ?? (await takeNumber(db, { kind: "order", date: orderedAt }));
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
  const invoice = invoiced ? await createInvoice({ db, order, lines: written }) : null;
  return { order, lines: written, invoice };
}

const DEFAULT_SELLER: InvoiceSnapshot["seller"] = {
  name: "Mini Ecommerce SAS",
  address: ["12 rue des Artisans", "69001 Lyon", "France"],
  siren: "123 456 782",
  vatNumber: "FR11 123456782",
  email: "bonjour@mini-ecommerce.test",
};

/** The invoice of an order, issued when it was paid. */
export function buildInvoice({
  order,
  lines,
  seller = DEFAULT_SELLER,
  ...values
}: {
  order: Pick<OrderRow, "id" | "orderedAt"> & NewOrder;
  lines: readonly Pick<NewOrderLine, "name" | "quantity" | "unitPriceCents" | "vatRateBp">[];
  seller?: InvoiceSnapshot["seller"];
} & Partial<NewInvoice> &
  Pick<NewInvoice, "number">): NewInvoice {
  return {
    userId: order.userId,
    orderId: order.id,
    source: "checkout",
    totalCents: order.totalCents,
    paymentId: order.paymentIntentId,
    issuedAt: order.orderedAt,
    updatedAt: order.orderedAt,
    snapshot: {
      seller,
      buyer: {
        firstName: order.buyerFirstName,
        lastName: order.buyerLastName,
        email: order.buyerEmail,
      },
      shippingAddress: {
        street: order.shippingStreet,
        city: order.shippingCity,
        postalCode: order.shippingPostalCode,
      },
      billingAddress: {
        street: order.billingStreet,
        city: order.billingCity,
        postalCode: order.billingPostalCode,
      },
      orderNumber: order.number,
      lines: lines.map(({ name, quantity, unitPriceCents, vatRateBp }) => ({
        name,
        quantity,
        unitPriceCents,
        vatRateBp,
      })),
    },
    ...values,
  };
}

/** Gives an order back as a whole: the succeeded refund, and its credit note. */
export async function createCreditNote({
  db,
  orderId,
  reason = "Article rendu",
  issuedAt = new Date(),
}: {
  db: Connection;
  orderId: number;
  reason?: string;
  issuedAt?: Date;
}) {
  const order = await single(db.select().from(orders).where(eq(orders.id, orderId)));
  const invoice = await single(db.select().from(invoices).where(eq(invoices.orderId, orderId)));
  const refund = await single(
    db
      .insert(refunds)
      .values({
        orderId,
        paymentIntentId: order.paymentIntentId ?? "",
        origin: "staff",
        status: "succeeded",
        amountCents: order.totalCents,
        reason,
        createdAt: issuedAt,
        settledAt: issuedAt,
      })
      .returning(),
  );
  await db.insert(refundLines).select(
    db
      .select({
        refundId: sql<number>`${refund.id}::int`.as("refund_id"),
        orderLineId: orderLines.id,
        quantity: orderLines.quantity,
        amountCents: sql<number>`${orderLines.quantity} * ${orderLines.unitPriceCents}`.as(
          "amount_cents",
        ),
      })
      .from(orderLines)
      .where(eq(orderLines.orderId, orderId)),
  );
  await db.update(orders).set({ refundedCents: order.totalCents }).where(eq(orders.id, orderId));
  return single(
    db
      .insert(creditNotes)
      .values({
        number: await takeNumber(db, { kind: "credit-note", date: issuedAt }),
        refundId: refund.id,
        invoiceId: invoice.id,
        orderId,
        userId: order.userId,
        totalCents: order.totalCents,
        issuedAt,
        snapshot: {
          ...invoice.snapshot,
          invoice: { number: invoice.number, issuedAt: invoice.issuedAt.toISOString() },
          reason,
        },
      })
      .returning(),
  );
}

/** That the buyer withdraws from all objects of an order, received now. */
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

async function createInvoice({
  db,
  order,
  lines,
  ...values
}: {
  db: Connection;
  order: OrderRow;
  lines: readonly Pick<NewOrderLine, "name" | "quantity" | "unitPriceCents" | "vatRateBp">[];
  seller?: InvoiceSnapshot["seller"];
} & Partial<NewInvoice>) {
  const number =
    values.number ?? (await takeNumber(db, { kind: "invoice", date: order.orderedAt }));
  return single(
    db
      .insert(invoices)
      .values(buildInvoice({ ...values, order, lines, number }))
      .returning(),
  );
}

/** The next number of a kind of document. */
async function takeNumber(
  db: Connection,
  request: { kind: DocumentKind; date: Date },
): Promise<string> {
  const { taken, number } = nextDocumentNumber(db, request);
  return (await single(db.with(taken).select({ number }).from(taken))).number;
}

// Reviews and carts ------------------------------------------------------------------------------

/** A visible review of five stars; `status` says otherwise. */
export function buildReview(
  values: Partial<NewReview> & Pick<NewReview, "productId" | "userId">,
): NewReview {
  return {
    rating: 5,
    content: "Très bel objet, conforme à la description. Je recommande.",
    status: "VALIDATED",
    ...values,
  };
}

/** Writes a review; the database itself keeps the product's rating. The buyer is not checked. */
export async function createReview({
  db,
  ...values
}: { db: Connection } & Partial<NewReview> & Pick<NewReview, "productId" | "userId">) {
  return single(db.insert(reviews).values(buildReview(values)).returning());
}

/** A customer's cart, whose lines show the products as they are now. */
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
          seenName: product.name,
          seenImage: product.image,
          seenPriceCents: product.priceCents,
          createdAt,
        };
      }),
    )
    .returning();
  return { cart, items: written };
}
