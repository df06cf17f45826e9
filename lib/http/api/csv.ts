import { type Options, stringify } from "csv-stringify/sync";
import { formatMoment, isoDay } from "@/lib/dates";
import { jsonRanges, rangesOf } from "@/lib/http/api/negotiate";
import { textStream } from "@/lib/http/text-stream";

/** A column of a CSV file: its heading, and its value for an item. */
export interface CsvColumn<Item> {
  head: string;
  value: (item: Item) => string | number | boolean | null | undefined;
}

/** A moment of the API, in Paris and as spreadsheets read it: "27/11/2026 00:31". */
export const momentCell = (moment: string | null | undefined) => moment && formatMoment(moment);

/** A list as a CSV file. */
export interface CsvTable {
  /** The file's name without date and ending: `commandes`. */
  name: string;
  /** Its lines from the heading on, many at a time. */
  lines: AsyncIterable<string>;
}

/**
 * A text that a spreadsheet would take for a formula; it ignores quotes and spaces before the sign, and the
 * sign's width. So would it without the apostrophe that it begins with already.
 */
const FORMULA = /^[\s"']*[=+\-@＝＋－＠]/;

/** A text of digits that a spreadsheet would take for another number: without its zeros, or rounded. */
const WRONG_NUMBER = /^(?:0\d+|\d{12,}|\d+e\d+)$/i;

/**
 * A text as spreadsheets leave it. They take for text what an apostrophe precedes (CSV injection), and the
 * result of a formula: `="01000"` shows 01000, and is saved as that.
 */
const cellOf = (text: string): string => {
  if (WRONG_NUMBER.test(text)) return `="${text}"`;
  return FORMULA.test(text) ? `'${text}` : text;
};

/** The text of a cell that `cellOf` made. */
export function textOfCell(cell: string): string {
  const [, number] = /^="(.*)"$/.exec(cell) ?? [];
  if (number !== undefined && WRONG_NUMBER.test(number)) return number;
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/**
 * French spreadsheets separate columns by semicolons, since the comma is in their numbers. A text with a
 * line break of any kind is quoted.
 */
const FORMAT: Options = {
  delimiter: ";",
  record_delimiter: "windows",
  quote_record_delimiter: true,
  cast: {
    boolean: (value) => (value ? "Oui" : "Non"),
    number: (value) => String(value).replace(".", ","),
    string: cellOf,
  },
};

/** Without it, French spreadsheets do not take a file for UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The lines of a table, made batch by batch as somebody reads them. */
export async function* csvLines<Item>({
  columns,
  batches,
}: {
  columns: readonly CsvColumn<Item>[];
  batches: AsyncIterable<readonly Item[]>;
}): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + stringify([columns.map(({ head }) => head)], FORMAT);
  for await (const items of batches)
    if (items.length > 0)
      yield stringify(
        items.map((item) => columns.map(({ value }) => value(item))),
        FORMAT,
      );
}

/** Does `Accept` name `text/csv`, and prefer it to JSON? A wildcard counts less than the name. */
export function prefersCsv(accept: string | null): boolean {
  const ranges = rangesOf(accept ?? "");
  const csv = ranges.find(({ range }) => range === "text/csv");
  if (!csv || csv.q === 0) return false;
  return Object.values(jsonRanges(ranges)).every(
    (json) =>
      json === undefined ||
      csv.q > json.q ||
      (csv.q === json.q && (json.range.endsWith("*") || csv.index < json.index)),
  );
}

/** The file as a response, read from the database as fast as it is sent. */
export async function csvResponse({ name, lines }: CsvTable): Promise<Response> {
  return new Response(await textStream(lines), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}-${isoDay(new Date())}.csv"`,
    },
  });
}
