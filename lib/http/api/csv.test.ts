import { expect, test } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { createRandom } from "@/db/seed/random";
import { csvLines, prefersCsv, textOfCell } from "@/lib/http/api/csv";

async function textOf(values: (string | number | boolean | null)[]): Promise<string> {
  async function* batches() {
    yield values;
  }
  const columns = [{ head: "Valeur", value: (item: (typeof values)[number]) => item }];
  let text = "";
  for await (const part of csvLines({ columns, batches: batches() })) text += part;
  return text;
}

const quoted = (cell: string) => (/[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

test("a CSV file begins with a BOM and its headings, and its lines end in CRLF", async () => {
  expect(await textOf(["été", 12.5, true, false, null])).toBe(
    "\uFEFFValeur\r\nété\r\n12,5\r\nOui\r\nNon\r\n\r\n",
  );
});

for (const { rule, values, lines } of [
  {
    rule: "cells with separators or quotes are quoted",
    values: ['a;"b"\nc'],
    lines: '"a;""b""\nc"\r\n',
  },
  {
    rule: "nothing is put inside a text, whatever its lines begin with",
    values: ["Bien.\n\n- solide\n- beau; =1+1"],
    lines: '"Bien.\n\n- solide\n- beau; =1+1"\r\n',
  },
  {
    rule: "a text with a lone line break of any kind is one cell",
    values: ["a\rb", "c\nd"],
    lines: '"a\rb"\r\n"c\nd"\r\n',
  },
  { rule: "a negative number stays a number", values: [-2], lines: "-2\r\n" },
])
  test(rule, async () => {
    expect(await textOf(values)).toBe(`\uFEFFValeur\r\n${lines}`);
  });

for (const { text, cell } of [
  { text: "=1+1", cell: "'=1+1" },
  { text: "+33 6", cell: "'+33 6" },
  { text: "-2", cell: "'-2" },
  { text: "@SUM(A1)", cell: "'@SUM(A1)" },
  { text: "＝1+1", cell: "'＝1+1" },
  { text: "  =cmd", cell: "'  =cmd" },
  { text: "\t=1", cell: "'\t=1" },
  { text: "\r=1", cell: "'\r=1" },
  { text: '"=1+1"', cell: '\'"=1+1"' },
  { text: "'=1+1", cell: "''=1+1" },
  { text: '="01000"', cell: '\'="01000"' },
])
  test(`a text that begins like a formula gets an apostrophe: ${JSON.stringify(text)}`, async () => {
    expect(await textOf([text])).toBe(`\uFEFFValeur\r\n${quoted(cell)}\r\n`);
    expect(textOfCell(cell)).toBe(text);
  });

for (const text of ["01000", "00", "0612345678", "3760001234567", "82500000000001234567", "12E5"])
  test(`a text of digits stays as it is in a spreadsheet: ${text}`, async () => {
    expect(await textOf([text])).toBe(`\uFEFFValeur\r\n${quoted(`="${text}"`)}\r\n`);
    expect(textOfCell(`="${text}"`)).toBe(text);
    // As a spreadsheet saves it.
    expect(textOfCell(text)).toBe(text);
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
  const rows = parse((await textOf(texts)).slice(1), { delimiter: ";" }) as string[][];
  const cells = rows.slice(1).map(([cell = ""]) => cell);
  expect(cells.map(textOfCell)).toEqual(texts);
  expect(cells.filter((cell) => /^[\s"]*[=+\-@]/.test(cell) && !/^="\d+"$/.test(cell))).toEqual([]);
});

test("a text that is no formula is written unchanged", async () => {
  const texts = [
    "Thé vert - 50 g",
    "jo@exemple.fr, 12 rue de la Paix",
    "Rendez-vous | demain : 10 = 2 + 8",
    "L'été, l’hiver",
    "a'=b",
    "Jo,=1+1",
    "Jo | @SUM(A1)",
    "12345",
    "2A004",
    "0 800 12 34 56",
  ];
  expect(await textOf(texts)).toBe(`\uFEFF${["Valeur", ...texts, ""].join("\r\n")}`);
});

test("CSV is chosen for clients that prefer it", () => {
  for (const accept of [
    "text/csv",
    "TEXT/CSV",
    "text/csv;q=0.9, */*;q=0.1",
    "text/csv, application/json",
    "text/csv, */*",
    "*/*;q=0.5, text/csv",
    "application/json;q=0, text/csv;q=0.1",
  ])
    expect(prefersCsv(accept), accept).toBe(true);
  for (const accept of [
    null,
    "*/*",
    "application/json",
    "text/csv;q=0",
    "application/ld+json, text/csv",
    "application/json, text/csv;q=0.5",
    "text/csv;q=0.1, */*",
    "*/*, text/csv;q=0.2",
    "application/json;q=0.5, */*;q=0.9, text/csv;q=0.7",
  ])
    expect(prefersCsv(accept), String(accept)).toBe(false);
});
