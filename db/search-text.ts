import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

// The expressions that the back office searches its lists by. Most have a trigram index; index and query
// must use the same expression. Each begins with a space, so that a space precedes every word and the
// beginning of a word can be searched (lib/backoffice/search.ts).

/** An expression over the columns of the table itself (in its index) or of an alias (in a query). */
type SearchText = (alias?: string) => SQL;

type Write = (column: (name: string) => string) => string;

const expression =
  (write: Write): SearchText =>
  (alias) =>
    sql.raw(write((name) => (alias === undefined ? `"${name}"` : `${alias}."${name}"`)));

const searchText = (write: Write) =>
  expression((column) => `(' ' || search_normalise(${write(column)}))`);

/** Names and e-mail address. */
export const userText = searchText(
  (column) =>
    `${column("first_name")} || ' ' || ${column("last_name")} || ' ' || ${column("email")}`,
);

/** Street, postal code and city. */
export const addressText = searchText(
  (column) => `${column("street")} || ' ' || ${column("postal_code")} || ' ' || ${column("city")}`,
);

/** Number, buyer, both addresses and products: a stored column, since normalising so long a text is slow. */
export const orderText = searchText((column) =>
  [
    "number",
    "buyer_first_name",
    "buyer_last_name",
    "buyer_email",
    "shipping_street",
    "shipping_postal_code",
    "shipping_city",
    "billing_street",
    "billing_postal_code",
    "billing_city",
    "product_names",
  ]
    .map(column)
    .join(" || ' ' || "),
);

/** Number, payment and buyer. */
export const invoiceText = searchText((column) => {
  const buyer = (key: string) => `coalesce(${column("snapshot")}->'buyer'->>'${key}', '')`;
  return `${column("number")} || ' ' || coalesce(${column("payment_id")}, '') || ' ' || ${buyer("firstName")} || ' ' || ${buyer("lastName")} || ' ' || ${buyer("email")}`;
});

/**
 * Order and buyer of a withdrawal. It has no index: withdrawals are few.
 */
export const withdrawalText = searchText((column) => {
  const text = (name: string) => `coalesce(${column(name)}, '')`;
  return `${text("order_number")} || ' ' || ${text("buyer_first_name")} || ' ' || ${text("buyer_last_name")} || ' ' || ${text("buyer_email")}`;
});

/**
 * Numbers of a credit note, its invoice and its order, and the buyer. It has no index: credit notes are few
 * compared with invoices.
 */
export const creditNoteText = searchText((column) => {
  const of = (path: string) => `coalesce(${column("snapshot")}${path}, '')`;
  const buyer = (key: string) => of(`->'buyer'->>'${key}'`);
  return `${column("number")} || ' ' || ${of("->'invoice'->>'number'")} || ' ' || ${of("->>'orderNumber'")} || ' ' || ${buyer("firstName")} || ' ' || ${buyer("lastName")} || ' ' || ${buyer("email")}`;
});

/** The review's first 2,000 characters. */
export const reviewText = searchText((column) => `left(${column("content")}, 2000)`);

/** A reference without case, spaces and punctuation; null if nothing is left. */
const whole = (text: string) => `nullif(replace(search_normalise(${text}), ' ', ''), '')`;

/** A parcel's tracking number, with an index for `matchesReference`. */
export const trackingReference = expression((column) => whole(column("tracking_number")));

/** The order's number on an invoice, kept after the order is deleted; with an index for `matchesReference`. */
export const orderReference = expression((column) =>
  whole(`${column("snapshot")}->>'orderNumber'`),
);

/** Whether a reference equals the search, ignoring case, spaces and punctuation. */
export const matchesReference = (reference: SQL, search: string): SQL =>
  sql`${reference} = nullif(replace(search_normalise(${search}), ' ', ''), '')`;

/** Whether a text without an index contains the search. A search without letters and digits has no matches. */
export const contains = (text: SQLWrapper, search: string): SQL =>
  sql`strpos(search_normalise(${text}), nullif(search_normalise(${search}), '')) > 0`;
