import { CsvError, parse } from "csv-parse/sync";
import { textOfCell } from "@/lib/http/api/csv";
import { piecesIn } from "./rules";
import {
  EXPORTED_STOCK,
  LINES_WITHOUT_PRODUCT,
  MISSING_COLUMNS,
  NO_LINES,
  TOO_MANY_LINES,
  WRONG_FILE,
  WRONG_ID,
  WRONG_STOCK,
} from "./texts";

/** Most lines of an import, without the headings. */
export const MAX_LINES = 5_000;

/** A line of an import: a product and its new stock. */
export interface ImportedLine {
  /** The line's number in the file, from 1. */
  line: number;
  id: number | null;
  /** Identifies the product where `id` is null. */
  name: string;
  stock: number;
  /** The stock when exported, null where it was not counted; undefined in a file without that column. */
  exported?: number | null;
}

export interface LineProblem {
  line: number;
  message: string;
}

/** Excel may begin a file with the line `sep=;`. */
const SEPARATOR_LINE = /^\uFEFF?sep=.(?=\r?\n)/i;

interface ParsedLine {
  record: Record<string, string>;
  info: { lines: number };
}

/**
 * Reads a CSV file of stocks, as the products' export or a spreadsheet writes it: with semicolons, commas
 * or tabs. A line without a stock is skipped: the product keeps its stock.
 */
export function readStockCsv(text: string): { lines: ImportedLine[]; problems: LineProblem[] } {
  let parsed: ParsedLine[];
  let heads: string[] = [];
  try {
    parsed = parse(text.replace(SEPARATOR_LINE, ""), {
      bom: true,
      columns: (row: string[]) => {
        heads = row.map((head) => head.trim().toLowerCase());
        return heads;
      },
      delimiter: delimiterOf(text),
      cast: textOfCell,
      info: true,
      // Excel leaves out the separators before empty cells at the end of lines.
      relax_column_count_less: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as ParsedLine[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error.lines) || 1;
    return { lines: [], problems: [{ line, message: WRONG_FILE }] };
  }
  if (parsed.length === 0) return { lines: [], problems: [{ line: 1, message: NO_LINES }] };
  const isNamed = ["id", "nom", "name"].some((head) => heads.includes(head));
  if (!isNamed || !heads.includes("stock"))
    return { lines: [], problems: [{ line: 1, message: MISSING_COLUMNS }] };
  if (parsed.length > MAX_LINES)
    return { lines: [], problems: [{ line: MAX_LINES + 2, message: TOO_MANY_LINES }] };
  const isExport = heads.includes(EXPORTED);
  const lines: ImportedLine[] = [];
  const problems: LineProblem[] = [];
  for (const { record, info } of parsed) {
    const { id: idText = "", stock: stockText = "" } = record;
    if (stockText === "") continue;
    const name = nameIn(record) ?? "";
    const line = info.lines;
    const idDigits = wholeNumberIn(idText);
    const id = idText === "" ? null : Number(idDigits);
    const stock = piecesIn(wholeNumberIn(stockText));
    const refuse = (message: string) => problems.push({ line, message });
    if (id === null && name === "") refuse(LINES_WITHOUT_PRODUCT);
    else if (id !== null && !/^\d{1,9}$/.test(idDigits ?? "")) refuse(WRONG_ID);
    else if (stock === null) refuse(WRONG_STOCK);
    else
      lines.push({
        line,
        id,
        name,
        stock,
        ...(isExport && { exported: piecesIn(wholeNumberIn(record[EXPORTED] ?? "")) }),
      });
  }
  return { lines, problems };
}

/** This column is present only in files made from the products' export. */
const EXPORTED = EXPORTED_STOCK.toLowerCase();

/**
 * The digits of a whole number, as spreadsheets may format it: "1 250", "12,00". Null for anything else,
 * including "1.250" and "1,250": their separator may mean thousands or decimals.
 */
function wholeNumberIn(text: string): string | null {
  const [, digits] = /^(\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d+)(?:[.,]0{1,2})?$/.exec(text) ?? [];
  return digits?.replace(/\D/g, "") ?? null;
}

const nameIn = (record: Record<string, string>) => record.nom ?? record.name;

/** The separator of the headings, which stand on the first line that is not empty. */
function delimiterOf(text: string): string {
  const [heads = ""] = /\S.*/.exec(text) ?? [];
  return [";", "\t"].find((sign) => heads.includes(sign)) ?? ",";
}
