import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

// What the back office searches its lists by: expressions with a trigram index each; index and query
// must use the same one. Each begins with a space, so that every word follows one and the beginning of
// a word can be searched for, too (lib/backoffice/search.ts).

/** An expression over columns, of the table itself (in its index) or of an alias (in a query). */
type SearchText = (alias?: string) => SQL;

function searchText(write: (column: (name: string) => string) => string): SearchText {
  return (alias) => {
    const column = (name: string) => (alias === undefined ? `"${name}"` : `${alias}."${name}"`);
    return sql.raw(`(' ' || search_normalise(${write(column)}))`);
  };
}

/** Names and e-mail address. */
export const userText = searchText(
  (column) =>
    `${column("first_name")} || ' ' || ${column("last_name")} || ' ' || ${column("email")}`,
);

/** Street, postal code and city. */
export const addressText = searchText(
  (column) => `${column("street")} || ' ' || ${column("postal_code")} || ' ' || ${column("city")}`,
);

/** Number and buyer. */
export const orderText = searchText(
  (column) =>
    `${column("number")} || ' ' || ${column("buyer_first_name")} || ' ' || ${column("buyer_last_name")} || ' ' || ${column("buyer_email")}`,
);

/** Number, payment and buyer. */
export const invoiceText = searchText((column) => {
  const buyer = (key: string) => `coalesce(${column("snapshot")}->'buyer'->>'${key}', '')`;
  return `${column("number")} || ' ' || coalesce(${column("payment_id")}, '') || ' ' || ${buyer("firstName")} || ' ' || ${buyer("lastName")} || ' ' || ${buyer("email")}`;
});

/**
 * Order and buyer of a withdrawal. Without an index: withdrawals are few.
 */
export const withdrawalText = searchText((column) => {
  const text = (name: string) => `coalesce(${column(name)}, '')`;
  return `${text("order_number")} || ' ' || ${text("buyer_first_name")} || ' ' || ${text("buyer_last_name")} || ' ' || ${text("buyer_email")}`;
});

/**
 * Numbers of a credit note, its invoice and its order, and the buyer. Without an index, too: credit notes
 * are few beside invoices.
 */
export const creditNoteText = searchText((column) => {
  const of = (path: string) => `coalesce(${column("snapshot")}${path}, '')`;
  const buyer = (key: string) => of(`->'buyer'->>'${key}'`);
  return `${column("number")} || ' ' || ${of("->'invoice'->>'number'")} || ' ' || ${of("->>'orderNumber'")} || ' ' || ${buyer("firstName")} || ' ' || ${buyer("lastName")} || ' ' || ${buyer("email")}`;
});

/** What was written. */
export const reviewText = searchText((column) => `left(${column("content")}, 2000)`);

/** Does a text without an index contain what is searched? Nothing contains a search without letters and digits. */
export const contains = (text: SQLWrapper, search: string): SQL =>
  sql`strpos(search_normalise(${text}), nullif(search_normalise(${search}), '')) > 0`;
