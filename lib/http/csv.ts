/** A column of a table for spreadsheets: its heading, and what of an item stands below it. */
export interface CsvColumn<Item> {
  head: string;
  value: (item: Item) => string | number | boolean | null | undefined;
}

/** A list as a file for spreadsheets. */
export interface CsvTable {
  /** The file's name without date and ending: `commandes`. */
  name: string;
  /** Its lines from the heading on, many at a time. */
  lines: AsyncIterable<string>;
}

/**
 * French spreadsheets part columns by semicolons, since the comma is in their numbers, and take a
 * file for UTF-8 only where it begins with this mark.
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
  return neutralised(value);
}

/** A spreadsheet runs a text that begins like a formula; an apostrophe makes it a text. */
const neutralised = (text: string) => (/^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text);

const quoted = (cell: string) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Is a table asked for, and not less than JSON? */
export function prefersCsv(accept: string | null): boolean {
  if (!accept?.includes("text/csv")) return false;
  const ranges = accept.split(",").map((part, index) => {
    const [type = "", ...params] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const q = params.find((param) => param.startsWith("q="))?.slice(2);
    return { type, index, q: q === undefined ? 1 : Number(q) || 0 };
  });
  const csv = ranges.find(({ type }) => type === "text/csv");
  if (!csv || csv.q === 0) return false;
  return ranges
    .filter(({ type }) => type === "application/json" || type === "application/ld+json")
    .every(({ q, index }) => csv.q > q || (csv.q === q && csv.index < index));
}

/**
 * The file as an answer. It is read from the database while it is sent, and no faster. A fault
 * before the first lines are known is thrown, for an answer that says so; a later one breaks the
 * connection off, so that nobody takes half a file for a whole one.
 */
export async function csvResponse({ name, lines }: CsvTable): Promise<Response> {
  const iterator = lines[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const beginning = [await iterator.next(), await iterator.next()];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = beginning.shift() ?? (await iterator.next());
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
