import { CsvError, parse } from "csv-parse/sync";
import { piecesIn } from "./rules";
import {
  LINES_WITHOUT_PRODUCT,
  MISSING_COLUMNS,
  NO_LINES,
  TOO_MANY_LINES,
  WRONG_FILE,
  WRONG_ID,
  WRONG_STOCK,
} from "./texts";

/** Lines of an import, without the headings. */
export const MAX_LINES = 5_000;

/** A line of an import: which product, and how many pieces it is to have. */
export interface ImportedLine {
  /** Its number in the file, from 1. */
  line: number;
  id: number | null;
  /** Where there is no id. */
  name: string;
  stock: number;
}

export interface LineProblem {
  line: number;
  message: string;
}

interface ParsedLine {
  record: Record<string, string>;
  info: { lines: number };
}

/**
 * Reads a CSV file of stocks, as the products' export or a spreadsheet writes it: with semicolons, commas
 * or tabs. A line without a number is left out: its stock stays.
 */
export function readStockCsv(text: string): { lines: ImportedLine[]; problems: LineProblem[] } {
  let parsed: ParsedLine[];
  try {
    parsed = parse(text, {
      bom: true,
      columns: (heads: string[]) => heads.map((head) => head.trim().toLowerCase()),
      delimiter: delimiterOf(text),
      info: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as ParsedLine[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error.lines) || 1;
    return { lines: [], problems: [{ line, message: WRONG_FILE }] };
  }
  const [first] = parsed;
  if (!first) return { lines: [], problems: [{ line: 1, message: NO_LINES }] };
  const isNamed = "id" in first.record || nameIn(first.record) !== undefined;
  if (!isNamed || !("stock" in first.record))
    return { lines: [], problems: [{ line: 1, message: MISSING_COLUMNS }] };
  if (parsed.length > MAX_LINES)
    return { lines: [], problems: [{ line: MAX_LINES + 2, message: TOO_MANY_LINES }] };
  const lines: ImportedLine[] = [];
  const problems: LineProblem[] = [];
  for (const { record, info } of parsed) {
    const { id: idText = "", stock: stockText = "" } = record;
    if (stockText === "") continue;
    const name = nameIn(record) ?? "";
    const line = info.lines;
    const id = idText === "" ? null : Number(idText);
    const stock = piecesIn(stockText);
    const message =
      id === null && name === ""
        ? LINES_WITHOUT_PRODUCT
        : id !== null && !/^\d{1,9}$/.test(idText)
          ? WRONG_ID
          : stock === null
            ? WRONG_STOCK
            : null;
    if (message !== null || stock === null)
      problems.push({ line, message: message ?? WRONG_STOCK });
    else lines.push({ line, id, name, stock });
  }
  return { lines, problems };
}

const nameIn = (record: Record<string, string>) => record.nom ?? record.name;

/** Whatever separates the headings. */
function delimiterOf(text: string): string {
  const [heads = ""] = text.split(/\r?\n/, 1);
  return [";", "\t"].find((sign) => heads.includes(sign)) ?? ",";
}
