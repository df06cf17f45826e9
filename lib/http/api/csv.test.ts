import { expect, test } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { createRandom } from "@/db/seed/random";
import { csvLines, prefersCsv, textOfCell } from "@/lib/http/api/csv";

/** The lines of a table with these values in its only column. */
async function linesOf(...values: (string | number | boolean | null)[]): Promise<string> {
  async function* batches() {
    yield values;
  }
  const columns = [{ head: "Valeur", value: (item: (typeof values)[number]) => item }];
  let text = "";
  for await (const part of csvLines({ columns, batches: batches() })) text += part;
  expect(text.slice(0, 9), "a BOM and the headings").toBe("\uFEFFValeur\r\n");
  return text.slice(9);
}

test("numbers and flags are French, and a text with a separator, quote or line break is quoted", async () => {
  expect(await linesOf("été", 12.5, -2, true, false, null)).toBe(
    "été\r\n12,5\r\n-2\r\nOui\r\nNon\r\n\r\n",
  );
  expect(await linesOf('a;"b"\nc', "a\rb", "Bien.\n\n- solide; =1+1")).toBe(
    '"a;""b""\nc"\r\n"a\rb"\r\n"Bien.\n\n- solide; =1+1"\r\n',
  );
});

test("a text that a spreadsheet would take for a formula or a number is made a text, and read back", async () => {
  const formulas = ["=1+1", "+33 6", "-2", "@SUM(A1)", "＝1+1", "  =cmd", "\t=1", "'=1+1"];
  for (const text of formulas) {
    expect(await linesOf(text)).toBe(`'${text}\r\n`);
    expect(textOfCell(`'${text}`)).toBe(text);
  }
  expect(await linesOf("\r=1", '"=1+1"', '="01000"')).toBe(
    `"'\r=1"\r\n"'""=1+1"""\r\n"'=""01000"""\r\n`,
  );
  const numbers = ["01000", "00", "0612345678", "3760001234567", "82500000000001234567", "12E5"];
  for (const text of numbers) {
    expect(await linesOf(text)).toBe(`"=""${text}"""\r\n`);
    expect(textOfCell(`="${text}"`)).toBe(text);
    // As a spreadsheet saves it.
    expect(textOfCell(text)).toBe(text);
  }
});

test("every written text is read back unchanged", async () => {
  const parts = [
    ...["Jo", "=1+1", '"', "'", "'", " ", "+2"],
    ...["-3", "@A1", ",", ";", "\t", "\n", "0", "12"],
  ];
  const random = createRandom(20_261_123);
  const texts = Array.from({ length: 3_000 }, () =>
    Array.from({ length: 1 + Math.floor(random.next() * 5) }, () => random.pick(parts)).join(""),
  );
  const rows = parse(await linesOf(...texts), { delimiter: ";" }) as string[][];
  const cells = rows.map(([cell = ""]) => cell);
  expect(cells.map(textOfCell)).toEqual(texts);
  expect(cells.filter((cell) => /^[\s"]*[=+\-@]/.test(cell) && !/^="\d+"$/.test(cell))).toEqual([]);
});

test("a text that is no formula is written unchanged", async () => {
  const texts = [
    ...["Thé vert - 50 g", "jo@exemple.fr, 12 rue de la Paix", "Rendez-vous : 10 = 2 + 8"],
    ...["L'été, l’hiver", "a'=b", "Jo,=1+1", "Jo | @SUM(A1)", "12345", "2A004", "0 800 12 34 56"],
  ];
  expect(await linesOf(...texts)).toBe(`${texts.join("\r\n")}\r\n`);
});

test("CSV is chosen for clients that prefer it", () => {
  for (const accept of [
    ...["text/csv", "TEXT/CSV", "text/csv;q=0.9, */*;q=0.1", "text/csv, application/json"],
    ...["text/csv, */*", "*/*;q=0.5, text/csv", "application/json;q=0, text/csv;q=0.1"],
  ])
    expect(prefersCsv(accept), accept).toBe(true);
  for (const accept of [
    ...[null, "*/*", "application/json", "text/csv;q=0", "application/ld+json, text/csv"],
    ...["application/json, text/csv;q=0.5", "text/csv;q=0.1, */*", "*/*, text/csv;q=0.2"],
    "application/json;q=0.5, */*;q=0.9, text/csv;q=0.7",
  ])
    expect(prefersCsv(accept), String(accept)).toBe(false);
});
