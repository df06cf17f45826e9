import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { type Database, db as shopDatabase, type Transaction } from "@/db";
import { countSales } from "@/db/count-sales";
import { buildReview, labelProducts } from "@/db/factories/catalogue";
import { buildInvoice } from "@/db/factories/invoices";
import { buildOrder, buildOrderLine, createCart } from "@/db/factories/orders";
import { buildAddress, buildUser, passwordHashOf } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { categories, products, tags } from "@/db/schema/catalogue";
import { invoices } from "@/db/schema/invoices";
import { documentNumbers, orderLines, orders } from "@/db/schema/orders";
import { reviews } from "@/db/schema/reviews";
import { shopSettings } from "@/db/schema/settings";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { stockMovements } from "@/db/schema/stock";
import { totalOf } from "@/lib/checkout/rules";
import { formatDocumentNumber, yearInFrance } from "@/lib/orders/document-numbers";
import { demoPaymentId } from "@/lib/payments/demo-payment";
import type { PostalAddress } from "@/lib/shop/postal-address";
import { progressOf, seedAfterSale, shippedPieces } from "./after-sale";
import {
  categorySeeds,
  type LabelSeed,
  type ProductSeed,
  productSeeds,
  tagSeeds,
} from "./catalogue";
import { demoAdmin, demoCustomer, demoSeller, type PersonSeed, peopleSeeds } from "./people";
import { createRandom, type Random } from "./random";
import { referencesOf } from "./references";
import { kindReviews, productReviews, type ReviewSeed, rejectedReviews } from "./reviews";
import { shippingSeeds } from "./shipping-methods";
import { demoTerms } from "./terms";
import { typeset } from "./typography";

type ProductRow = typeof products.$inferSelect;
type UserRow = typeof users.$inferSelect;

/** Row counts of the demonstration shop, printed after seeding. */
export interface DemoSummary {
  products: number;
  customers: number;
  orders: number;
  reviews: number;
}

const SEED = 20_260_101;
const DAY_MS = 86_400_000;
/** Orders of other customers than the demonstration account. */
const ORDER_COUNT = 205;
/** The age in days of the oldest orders. */
const YEAR_DAYS = 364;

/**
 * Fills an empty database with the demonstration shop, all or nothing. Only the dates depend on the
 * clock: the same `now` gives the same rows, a later `now` the same rows with later dates.
 */
export async function seedDemo({
  db = shopDatabase,
  now = new Date(),
  hasShipping = true,
}: {
  db?: Database;
  now?: Date;
  /** Whether to write shipping methods, which add to the price of a purchase. */
  hasShipping?: boolean;
} = {}): Promise<DemoSummary> {
  // Password hashing is slow by design: do it before the transaction.
  const hashes = {
    admin: await passwordHashOf(demoAdmin.password),
    customer: await passwordHashOf(demoCustomer.password),
  };
  return db.transaction(async (tx) => {
    const random = createRandom(SEED);
    const calendar = createCalendar(now);
    await tx
      .insert(shopSettings)
      .values({ ...demoSeller, terms: demoTerms, updatedAt: calendar.daysAgo(400) })
      .onConflictDoNothing();
    if (hasShipping)
      await tx
        .insert(shippingMethods)
        .values(shippingSeeds.map((method) => ({ ...method, ...stamp(calendar.daysAgo(400)) })));
    const catalogue = await seedCatalogue({ tx, calendar });
    const customers = await seedPeople({ tx, calendar, random, hashes });
    const sales = await seedOrders({ tx, calendar, random, catalogue, customers });
    await seedStock({ tx, calendar, catalogue });
    const reviewCount = await seedReviews({ tx, calendar, random, catalogue, sales });
    await seedCarts({ tx, calendar, catalogue, customers });
    return {
      products: productSeeds.length,
      customers: customers.length,
      orders: sales.length,
      reviews: reviewCount,
    };
  });
}

// Time -------------------------------------------------------------------------------------------

interface Calendar {
  now: Date;
  /** `days` before today, at a time of day in minutes (UTC, to be independent of the time zone) */
  daysAgo(days: number, minutes?: number): Date;
}

function createCalendar(now: Date): Calendar {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return {
    now,
    daysAgo: (days, minutes = 9 * 60) => new Date(today - days * DAY_MS + minutes * 60_000),
  };
}

// Catalogue --------------------------------------------------------------------------------------

interface CatalogueEntry {
  seed: ProductSeed;
  row: ProductRow;
}

async function seedCatalogue({
  tx,
  calendar,
}: {
  tx: Transaction;
  calendar: Calendar;
}): Promise<CatalogueEntry[]> {
  const opening = { createdAt: calendar.daysAgo(400), updatedAt: calendar.daysAgo(400) };
  const categoryIds = await tx
    .insert(categories)
    .values(
      categorySeeds.map(({ name, color, filters = [] }: LabelSeed) => ({
        name,
        color,
        filters: filters.map(typeset),
        ...opening,
      })),
    )
    .returning({ id: categories.id });
  const tagIds = await tx
    .insert(tags)
    .values(tagSeeds.map(({ name, color }) => ({ name, color, ...opening })))
    .returning({ id: tags.id });
  const categoryId = idsByKey(categorySeeds, categoryIds);
  const tagId = idsByKey(tagSeeds, tagIds);

  const rows = await tx
    .insert(products)
    .values(
      productSeeds.map((seed, place) => {
        const [picture, ...morePictures] = seed.pictures;
        const createdAt = seed.daysAgo === null ? null : calendar.daysAgo(seed.daysAgo);
        return {
          type: seed.type,
          name: seed.name,
          description: seed.description,
          priceCents: seed.priceCents,
          vatRateBp: seed.vatRateBp,
          image: picture.file,
          imageAlt: picture.alt,
          moreImages: morePictures.map(({ file, alt }) => ({ url: file, alt })),
          ...referencesOf({ category: seed.categories[0], type: seed.type, place }),
          defaultCategoryId: categoryId(seed.categories[0]),
          createdAt,
          updatedAt: createdAt ?? opening.updatedAt,
          ...(seed.type === "physical"
            ? { characteristics: [...seed.characteristics], weight: seed.weight }
            : {
                downloadLink: seed.downloadLink,
                fileSizeKb: seed.fileSizeKb,
                fileType: seed.fileType,
              }),
        };
      }),
    )
    .returning();
  const entries = productSeeds.map((seed, index) => ({ seed, row: at(rows, index) }));
  await labelProducts({
    db: tx,
    labels: entries.map(({ seed, row }) => ({
      productId: row.id,
      categoryIds: seed.categories.map(categoryId),
      tagIds: seed.tags.map(tagId),
    })),
  });
  return entries;
}

function idsByKey(
  seeds: readonly { key: string }[],
  rows: readonly { id: number }[],
): (key: string) => number {
  const ids = new Map(seeds.map(({ key }, index) => [key, at(rows, index).id]));
  return (key) => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`The seed names no ${key}.`);
    return id;
  };
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`There is no item ${index}.`);
  return item;
}

// People -----------------------------------------------------------------------------------------

interface Customer {
  row: UserRow;
  shipping: PostalAddress;
  billing: PostalAddress;
  /** days before today */
  since: number;
  canBuy: boolean;
}

async function seedPeople({
  tx,
  calendar,
  random,
  hashes,
}: {
  tx: Transaction;
  calendar: Calendar;
  random: Random;
  hashes: { admin: string; customer: string };
}): Promise<Customer[]> {
  const opening = calendar.daysAgo(400);
  const { email, firstName, lastName } = demoAdmin;
  await tx.insert(users).values(
    buildUser({
      email,
      firstName,
      lastName,
      passwordHash: hashes.admin,
      roles: ["ROLE_USER", "ROLE_ADMIN"],
      createdAt: opening,
      updatedAt: opening,
    }),
  );

  // The demonstration account comes first, so that it has the lowest id of all customers.
  const demo = { since: 320, person: demoCustomer };
  const others = peopleSeeds.map((person) => ({
    since: person.state === "unverified" ? random.int(1, 4) : random.int(180, 395),
    person,
  }));
  const rows = await tx
    .insert(users)
    .values(
      [demo, ...others].map(({ since, person }) =>
        userOf({ person, since, calendar, passwordHash: hashes.customer }),
      ),
    )
    .returning();

  const [demoRow, ...otherRows] = rows;
  if (!demoRow) throw new Error("The demonstration account was not written.");
  await tx
    .insert(addresses)
    .values([
      ...demoCustomer.addresses.map((address) =>
        buildAddress({ ...address, userId: demoRow.id, ...stamp(calendar.daysAgo(demo.since)) }),
      ),
      ...others.flatMap(({ person, since }, index) =>
        addressesOf({ person, userId: at(otherRows, index).id, at: calendar.daysAgo(since) }),
      ),
    ]);

  return [
    {
      row: demoRow,
      shipping: postal(demoCustomer.addresses[0]),
      billing: postal(demoCustomer.addresses[3]),
      since: demo.since,
      canBuy: false, // its orders are written by hand below
    },
    ...others.map(({ person, since }, index) => ({
      row: at(otherRows, index),
      shipping: person.home,
      billing: person.billing ?? person.home,
      since,
      canBuy: person.state !== "unverified",
    })),
  ];
}

function userOf({
  person,
  since,
  calendar,
  passwordHash,
}: {
  person: Pick<PersonSeed, "firstName" | "lastName" | "email" | "state">;
  since: number;
  calendar: Calendar;
  passwordHash: string;
}): typeof users.$inferInsert {
  const { email, firstName, lastName, state } = person;
  const createdAt = calendar.daysAgo(since, 8 * 60);
  return buildUser({
    email,
    firstName,
    lastName,
    passwordHash,
    createdAt,
    updatedAt: createdAt,
    ...(state === "unverified" && {
      isVerified: false,
      confirmationTokenHash: createHash("sha256").update(email).digest("hex"),
      confirmationTokenExpiresAt: new Date(createdAt.getTime() + 2 * DAY_MS),
    }),
    ...(state === "deleted" && { isDeleted: true, deletedAt: calendar.daysAgo(15, 20 * 60) }),
  });
}

/** A default shipping address; also a default billing address if the person has one. */
function addressesOf({
  person,
  userId,
  at: date,
}: {
  person: PersonSeed;
  userId: number;
  at: Date;
}): (typeof addresses.$inferInsert)[] {
  const shipping = buildAddress({ ...person.home, userId, isDefault: true, ...stamp(date) });
  if (!person.billing) return [shipping];
  const billing = { ...person.billing, userId, type: "billing" as const, ...stamp(date) };
  return [shipping, buildAddress({ ...billing, isDefaultBilling: true })];
}

function stamp(date: Date): { createdAt: Date; updatedAt: Date } {
  return { createdAt: date, updatedAt: date };
}

function postal({ street, city, postalCode }: PostalAddress): PostalAddress {
  return { street, city, postalCode };
}

// Orders -----------------------------------------------------------------------------------------

interface Item {
  /** null for a product that is no longer sold */
  entry: CatalogueEntry | null;
  line: Omit<typeof orderLines.$inferInsert, "orderId">;
}

interface Sale {
  customer: Customer;
  date: Date;
  daysAgo: number;
  items: Item[];
}

/** Products that are no longer sold; the orders of a few customers still contain them. */
const FORMER_PRODUCTS = [
  { name: "Trousse en toile cirée", priceCents: 1650 },
  { name: "Calendrier de l'avent à broder", priceCents: 2800 },
];

/** The demonstration account's orders: physical and digital products, with and without reviews. */
const DEMO_ORDERS = [
  {
    daysAgo: 296,
    minutes: 1142,
    items: [
      ["theiere-en-fonte-emaillee", 1],
      ["carnet-a-pages-pointillees", 2],
    ],
  },
  {
    daysAgo: 158,
    minutes: 754,
    items: [
      ["cours-video-apprendre-a-tricoter", 1],
      ["pelotes-de-laine-merinos", 2],
    ],
  },
  {
    daysAgo: 61,
    minutes: 1208,
    items: [
      ["le-pain-a-la-maison", 1],
      ["tasse-a-cafe-en-gres", 4],
    ],
  },
  {
    daysAgo: 9,
    minutes: 1015,
    items: [
      ["planificateur-hebdomadaire-a-imprimer", 1],
      ["ours-en-peluche-basile", 1],
      ["miel-de-lavande-de-provence", 3],
    ],
  },
] as const;

/** The stock of a few products, counted this morning; the stock of the others is not tracked. */
const STOCK = [
  { slug: "miroir-dore-petale", stock: 12, lowStockThreshold: 3 },
  { slug: "lanterne-en-papier-de-riz", stock: 40, lowStockThreshold: 5 },
  { slug: "ficus-en-pot-de-terre-cuite", stock: 8, lowStockThreshold: 2 },
  { slug: "casque-audio-a-arceau", stock: 25, lowStockThreshold: 5 },
  { slug: "chapeau-de-paille-a-ruban", stock: 2, lowStockThreshold: 3 },
  { slug: "poste-de-radio-retro", stock: 0, lowStockThreshold: 2 },
] as const;

async function seedStock({
  tx,
  calendar,
  catalogue,
}: {
  tx: Transaction;
  calendar: Calendar;
  catalogue: readonly CatalogueEntry[];
}): Promise<void> {
  for (const { slug, ...figures } of STOCK) {
    const product = catalogue.find(({ seed }) => seed.slug === slug);
    if (!product) throw new Error(`There is no product ${slug}.`);
    const { id: productId } = product.row;
    await tx.update(products).set(figures).where(eq(products.id, productId));
    if (figures.stock === 0) continue;
    const counted = { productId, quantity: figures.stock, createdAt: calendar.daysAgo(0, 0) };
    await tx
      .insert(stockMovements)
      .values({ ...counted, kind: "correction", reason: "Inventaire" });
  }
}

async function seedOrders({
  tx,
  calendar,
  random,
  catalogue,
  customers,
}: {
  tx: Transaction;
  calendar: Calendar;
  random: Random;
  catalogue: readonly CatalogueEntry[];
  customers: readonly Customer[];
}): Promise<Sale[]> {
  const sales = [
    ...demoSales({ calendar, catalogue, customer: at(customers, 0) }),
    ...visitorSales({ calendar, random, catalogue, customers }),
  ].sort((a, b) => a.date.getTime() - b.date.getTime());

  const numbers = { order: new Map<number, number>(), invoice: new Map<number, number>() };
  const next = (kind: "order" | "invoice", date: Date) => {
    const year = yearInFrance(date);
    const number = (numbers[kind].get(year) ?? 0) + 1;
    numbers[kind].set(year, number);
    return formatDocumentNumber({ kind, year, number });
  };

  const progresses = progressOf({
    clock: calendar,
    purchases: sales.map(({ customer, date, daysAgo, items }) => ({
      date,
      daysAgo,
      isDemo: isDemo(customer),
      lines: linesOf(items),
    })),
  });
  const built = sales.map(({ customer, date, items }, index) => {
    const number = next("order", date);
    const { status, preparedAt, deliveredAt, cancelledAt } = at(progresses, index);
    return buildOrder({
      status,
      preparedAt,
      deliveredAt,
      cancelledAt,
      buyer: customer.row,
      lines: items.map(({ line }) => line),
      shipping: customer.shipping,
      billing: customer.billing,
      number,
      paymentIntentId: demoPaymentId({ number, totalCents: totalOf(linesOf(items)) }),
      orderedAt: date,
      updatedAt: date,
    });
  });
  const rows = await tx.insert(orders).values(built).returning();
  const lines = sales.flatMap(({ items }, index) => {
    const bought = linesOf(items);
    const shipped = shippedPieces({ lines: bought, progress: at(progresses, index) });
    return bought.map((line, place) => ({
      ...line,
      orderId: at(rows, index).id,
      shippedQuantity: at(shipped, place),
    }));
  });
  const writtenLines = await tx.insert(orderLines).values(lines).returning();
  await countSales(tx, { lines });

  const { legalName: name, ...seller } = demoSeller;
  const writtenInvoices = await tx
    .insert(invoices)
    .values(
      rows.map((order, index) =>
        buildInvoice({
          order,
          lines: at(sales, index).items.map(({ line }) => line),
          seller: { name, ...seller },
          number: next("invoice", order.orderedAt),
        }),
      ),
    )
    .returning();
  await tx
    .insert(documentNumbers)
    .values(
      (["order", "invoice"] as const).flatMap((kind) =>
        [...numbers[kind]].map(([year, lastNumber]) => ({ kind, year, lastNumber })),
      ),
    );
  await seedAfterSale({
    tx,
    clock: calendar,
    seededOrders: rows.map((order, index) => ({
      order,
      lines: writtenLines.filter(({ orderId }) => orderId === order.id),
      invoice: at(writtenInvoices, index),
      daysAgo: at(sales, index).daysAgo,
      isDemo: isDemo(at(sales, index).customer),
      progress: at(progresses, index),
    })),
  });
  return sales;
}

const isDemo = ({ row }: Customer) => row.email === demoCustomer.email;

/** The lines to insert; their product type says whether the order needs shipping. */
const linesOf = (items: readonly Item[]) => items.map(({ line }) => line);

function demoSales({
  calendar,
  catalogue,
  customer,
}: {
  calendar: Calendar;
  catalogue: readonly CatalogueEntry[];
  customer: Customer;
}): Sale[] {
  return DEMO_ORDERS.map(({ daysAgo, minutes, items }) => {
    const date = calendar.daysAgo(daysAgo, minutes);
    return {
      customer,
      date,
      daysAgo,
      items: items.map(([slug, quantity]) => {
        const entry = catalogue.find(({ seed }) => seed.slug === slug);
        if (!entry) throw new Error(`The catalogue has no ${slug}.`);
        return boughtItem({ entry, quantity, date, daysAgo });
      }),
    };
  });
}

function visitorSales({
  calendar,
  random,
  catalogue,
  customers,
}: {
  calendar: Calendar;
  random: Random;
  catalogue: readonly CatalogueEntry[];
  customers: readonly Customer[];
}): Sale[] {
  const buyers = customers.filter(({ canBuy }) => canBuy);
  // A few faithful customers, many occasional ones; a few favourites, many quiet products.
  const fidelity = buyers.map(() => 0.4 + random.next() ** 3 * 4);
  const popularity = catalogue.map(({ seed }) => {
    const isRecent = seed.daysAgo !== null && seed.daysAgo < 150;
    return (0.7 + random.next() ** 4 * 7) * (isRecent ? 3 : 1);
  });
  const ownedFiles = new Set<string>();
  const sales: Sale[] = [];
  while (sales.length < ORDER_COUNT) {
    // The exponent favours recent days: the shop grows.
    const daysAgo = Math.max(1, Math.round(YEAR_DAYS * (1 - random.next() ** 0.72)));
    const customer = at(buyers, random.weighted(fidelity));
    const date = calendar.daysAgo(daysAgo, random.int(6 * 60, 21 * 60));
    if (customer.since <= daysAgo || (customer.row.deletedAt ?? date) < date) continue;

    const chosen = new Set<number>();
    const items: Item[] = [];
    const size = 1 + random.weighted([46, 30, 15, 6, 3]);
    for (let tries = 0; items.length < size && tries < 20; tries++) {
      const index = random.weighted(popularity);
      const entry = at(catalogue, index);
      const file = `${customer.row.id} ${entry.row.id}`;
      if (chosen.has(index) || ownedFiles.has(file)) continue;
      // A product without a date is older than every order.
      if ((entry.seed.daysAgo ?? Number.POSITIVE_INFINITY) <= daysAgo + 1) continue;
      chosen.add(index);
      // Nobody buys the same file twice; small physical products are bought in several pieces.
      if (entry.seed.type === "digital") ownedFiles.add(file);
      items.push(boughtItem({ entry, quantity: quantityOf({ entry, random }), date, daysAgo }));
    }
    if (daysAgo > 240 && random.chance(0.18)) items.push(formerItem({ random, date }));
    if (items.length > 0) sales.push({ customer, date, daysAgo, items });
  }
  return sales;
}

function quantityOf({ entry, random }: { entry: CatalogueEntry; random: Random }): number {
  if (entry.seed.type === "digital" || entry.seed.priceCents > 4000) return 1;
  return 1 + random.weighted([70, 20, 7, 3]);
}

/** Older orders have lower prices for some products, which became more expensive since. */
function boughtItem({
  entry,
  quantity,
  date,
  daysAgo,
}: {
  entry: CatalogueEntry;
  quantity: number;
  date: Date;
  daysAgo: number;
}): Item {
  const { row } = entry;
  const wasCheaper = daysAgo > 170 && row.id % 5 === 0;
  const unitPriceCents = wasCheaper
    ? Math.round((row.priceCents * 0.93) / 10) * 10
    : row.priceCents;
  return {
    entry,
    line: buildOrderLine({ product: row, quantity, unitPriceCents, createdAt: date }),
  };
}

function formerItem({ random, date }: { random: Random; date: Date }): Item {
  const { name, priceCents } = random.pick(FORMER_PRODUCTS);
  return {
    entry: null,
    line: {
      productId: null,
      productType: "physical",
      name: typeset(name),
      image: null,
      unitPriceCents: priceCents,
      vatRateBp: 2000,
      quantity: 1,
      downloadLink: null,
      createdAt: date,
    },
  };
}

// Reviews ----------------------------------------------------------------------------------------

/** Minimum and maximum days between an order and its review. */
const REVIEW_DELAY = [4, 32] as const;
/** Reviews younger than this wait for a moderator. */
const PENDING_DAYS = 9;

/** The demonstration account's reviews: one in every state. */
const DEMO_REVIEWS = [
  {
    slug: "theiere-en-fonte-emaillee",
    daysAgo: 281,
    status: "VALIDATED",
    rating: 5,
    content: "Elle a remplacé ma vieille théière en verre dès le premier jour. Une vraie réussite.",
  },
  {
    slug: "cours-video-apprendre-a-tricoter",
    daysAgo: 130,
    status: "VALIDATED",
    rating: 4,
    content: "Leçons très claires. Je regrette seulement de ne pas avoir commencé plus tôt !",
  },
  {
    slug: "le-pain-a-la-maison",
    daysAgo: 2,
    status: "PENDING",
    rating: 5,
    content: "Ma première miche avait la forme d'une galette, la deuxième était parfaite.",
  },
  {
    slug: "carnet-a-pages-pointillees",
    daysAgo: 270,
    status: "REJECTED",
    rating: 2,
    content: "Je cherchais plutôt un carnet ligné, comme celui que vend la papeterie de ma rue.",
    rejectionReason: "L’avis ne porte pas sur le produit.",
  },
] as const;

function kindOf({ type, fileType }: ProductRow): keyof typeof kindReviews {
  if (type === "physical") return "physical";
  switch (fileType) {
    case "EPUB":
      return "book";
    case "PDF":
      return "printable";
    case "MP4":
      return "course";
    case "ZIP":
    case "OTF":
      return "software";
    default:
      return "audio";
  }
}

async function seedReviews({
  tx,
  calendar,
  random,
  catalogue,
  sales,
}: {
  tx: Transaction;
  calendar: Calendar;
  random: Random;
  catalogue: readonly CatalogueEntry[];
  sales: readonly Sale[];
}): Promise<number> {
  const texts = createTexts({ catalogue, random });
  const written = new Map<string, typeof reviews.$inferInsert>();
  const write = (review: typeof reviews.$inferInsert) =>
    written.set(`${review.userId} ${review.productId}`, review);

  for (const { slug, daysAgo, content, ...review } of DEMO_REVIEWS) {
    const sale = sales.find(({ customer, items }) => {
      const isDemo = customer.row.email === demoCustomer.email;
      return isDemo && items.some(({ entry }) => entry?.seed.slug === slug);
    });
    const entry = catalogue.find(({ seed }) => seed.slug === slug);
    if (!sale || !entry) throw new Error(`The demonstration account never bought ${slug}.`);
    write(
      buildReview({
        ...review,
        productId: entry.row.id,
        userId: sale.customer.row.id,
        content: typeset(content),
        purchasedAt: sale.date,
        ...dated(calendar.daysAgo(daysAgo, 1090)),
      }),
    );
  }

  const rejected = [...rejectedReviews];
  for (const { customer, date, daysAgo, items } of sales) {
    if (customer.row.email === demoCustomer.email) continue;
    for (const { entry } of items) {
      if (!entry || written.has(`${customer.row.id} ${entry.row.id}`)) continue;
      const writtenDaysAgo = daysAgo - random.int(...REVIEW_DELAY);
      if (writtenDaysAgo < 0 || !random.chance(0.8)) continue;
      const base = {
        productId: entry.row.id,
        userId: customer.row.id,
        purchasedAt: date,
        ...dated(calendar.daysAgo(Math.max(writtenDaysAgo, 1), random.int(7 * 60, 21 * 60))),
      };
      const refused = random.chance(0.04) ? rejected.pop() : undefined;
      if (refused) {
        const { rating, content, reason } = refused;
        write(
          buildReview({
            ...base,
            rating,
            content: typeset(content),
            status: "REJECTED",
            rejectionReason: typeset(reason),
          }),
        );
        continue;
      }
      const text = texts.next(entry);
      if (!text) continue;
      const [rating, content] = text;
      const status = writtenDaysAgo <= PENDING_DAYS ? "PENDING" : "VALIDATED";
      write(buildReview({ ...base, rating, content: typeset(content), status }));
    }
  }
  const rows = [...written.values()].sort(
    (a, b) => (a.publishedAt?.getTime() ?? 0) - (b.publishedAt?.getTime() ?? 0),
  );
  await tx.insert(reviews).values(rows);
  return rows.length;
}

function dated(date: Date): { publishedAt: Date; createdAt: Date; updatedAt: Date } {
  return { publishedAt: date, createdAt: date, updatedAt: date };
}

/** Uses every review text once: texts about the product first, then texts about its kind. */
function createTexts({
  catalogue,
  random,
}: {
  catalogue: readonly CatalogueEntry[];
  random: Random;
}): { next(entry: CatalogueEntry): ReviewSeed | undefined } {
  const shuffled = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => ({ item, key: random.next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  const ofProduct = new Map(
    catalogue.map(({ seed }) => [seed.slug, shuffled(productReviews[seed.slug] ?? [])]),
  );
  const ofKind = new Map(
    Object.entries(kindReviews).map(([kind, texts]) => [kind, shuffled<ReviewSeed>(texts)]),
  );
  return {
    next: ({ seed, row }) => ofProduct.get(seed.slug)?.pop() ?? ofKind.get(kindOf(row))?.pop(),
  };
}

// Carts ------------------------------------------------------------------------------------------

/** Carts of other customers, for the back office; the demonstration account's cart is empty. */
async function seedCarts({
  tx,
  calendar,
  catalogue,
  customers,
}: {
  tx: Transaction;
  calendar: Calendar;
  catalogue: readonly CatalogueEntry[];
  customers: readonly Customer[];
}): Promise<void> {
  const contents = [
    [
      3,
      [
        [12, 1],
        [40, 2],
      ],
    ],
    [7, [[55, 1]]],
    [
      11,
      [
        [24, 1],
        [31, 1],
        [2, 3],
      ],
    ],
    [18, []],
  ] as const;
  for (const [customer, items] of contents) {
    await createCart({
      db: tx,
      userId: at(customers, customer).row.id,
      createdAt: calendar.daysAgo(1 + (customer % 7), 1200),
      items: items.map(([index, quantity]) => ({
        productId: at(catalogue, index).row.id,
        quantity,
      })),
    });
  }
}
