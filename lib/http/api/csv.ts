import { jsonMatches, rangesOf } from "@/lib/http/api/negotiate";

/** A column of a CSV file: its heading, and its value for an item. */
export interface CsvColumn<Item> {
  head: string;
  value: (item: Item) => string | number | boolean | null | undefined;
}

/** A list as a CSV file. */
export interface CsvTable {
  /** The file's name without date and ending: `commandes`. */
  name: string;
  /** Its lines from the heading on, many at a time. */
  lines: AsyncIterable<string>;
}

/**
 * French spreadsheets separate columns by semicolons, since the comma is in their numbers, and take a
 * file for UTF-8 only with a byte order mark.
 */
const SEPARATOR = ";";
const BYTE_ORDER_MARK = "\uFEFF";
const LINE_END = "\r\n";

/** The lines of a table, made batch by batch as somebody reads them. */
export async function* csvLines<Item>({
  columns,
  batches,
}: {
  columns: readonly CsvColumn<Item>[];
  batches: AsyncIterable<readonly Item[]>;
}): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + lineOf(columns.map(({ head }) => head));
  for await (const items of batches) {
    const lines = items.map((item) => lineOf(columns.map(({ value }) => cellOf(value(item)))));
    if (lines.length > 0) yield lines.join("");
  }
}

const lineOf = (cells: readonly string[]) => cells.map(quoted).join(SEPARATOR) + LINE_END;

function cellOf(value: ReturnType<CsvColumn<unknown>["value"]>): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "Oui" : "Non";
  if (typeof value === "number") return String(value).replace(".", ",");
  return withoutFormula(value);
}

/** A spreadsheet evaluates a text that begins like a formula; an apostrophe prevents it (CSV injection). */
const withoutFormula = (text: string) => (/^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text);

const quoted = (cell: string) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Does `Accept` name `text/csv`, and prefer it to JSON? A wildcard counts less than the name. */
export function prefersCsv(accept: string | null): boolean {
  if (accept === null || !/text\/csv/i.test(accept)) return false;
  const csv = rangesOf(accept).find(({ range }) => range === "text/csv");
  if (!csv || csv.q === 0) return false;
  const { ld, json } = jsonMatches(accept);
  return [ld, json].every(
    (match) =>
      match === undefined ||
      csv.q > match.q ||
      (csv.q === match.q && (match.specificity < 2 || csv.index < match.index)),
  );
}

/**
 * The file as a streamed response, read from the database as fast as it is sent. An error before the
 * first lines is thrown, and becomes an error response; a later one aborts the connection, so that
 * nobody takes half a file for a whole one.
 */
export async function csvResponse({ name, lines }: CsvTable): Promise<Response> {
  const iterator = lines[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const firstChunks = [await iterator.next(), await iterator.next()];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = firstChunks.shift() ?? (await iterator.next());
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}-${today()}.csv"`,
    },
  });
}

/** "2026-11-20", in France. */
const today = () =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Paris", dateStyle: "short" }).format(
    new Date(),
  );
