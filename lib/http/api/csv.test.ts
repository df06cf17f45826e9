import { expect, test } from "@playwright/test";
import { createRandom } from "@/db/seed/random";
import { csvLines, prefersCsv } from "@/lib/http/api/csv";

async function textOf(values: (string | number | boolean | null)[]): Promise<string> {
  async function* batches() {
    yield values;
  }
  const columns = [{ head: "Valeur", value: (item: (typeof values)[number]) => item }];
  let text = "";
  for await (const part of csvLines({ columns, batches: batches() })) text += part;
  return text;
}

test("begins with the mark of UTF-8 and a heading, lines end as spreadsheets want them", async () => {
  expect(await textOf(["été", 12.5, true, false, null])).toBe(
    "\uFEFFValeur\r\nété\r\n12,5\r\nOui\r\nNon\r\n\r\n",
  );
});

test("what parts cells is quoted", async () => {
  expect(await textOf(['a;"b"\nc'])).toBe('\uFEFFValeur\r\n"a;""b""\nc"\r\n');
});

for (const { text, cell } of [
  { text: "=1+1", cell: "'=1+1" },
  { text: "+33 6", cell: "'+33 6" },
  { text: "-2", cell: "'-2" },
  { text: "@SUM(A1)", cell: "'@SUM(A1)" },
  { text: "＝1+1", cell: "'＝1+1" },
  { text: "  =cmd", cell: "  '=cmd" },
  { text: "\t=1", cell: "\t'=1" },
  { text: "\r=1", cell: "\r'=1" },
  { text: "Jo,=1+1", cell: "Jo,'=1+1" },
  { text: "Jo;=1+1", cell: "Jo;'=1+1" },
  { text: "Jo\t=1+1", cell: "Jo\t'=1+1" },
  { text: "Jo|@SUM(A1)", cell: "Jo|'@SUM(A1)" },
  { text: "Bien.\n\n- solide", cell: "Bien.\n\n'- solide" },
  { text: 'Jo, "=1+1"', cell: 'Jo, "\'=1+1"' },
  { text: ",,;\r\n +1,-2", cell: ",,;\r\n '+1,'-2" },
])
  test(`no part of a text is a formula: ${JSON.stringify(text)}`, async () => {
    const quoted = /[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
    expect(await textOf([text])).toBe(`\uFEFFValeur\r\n${quoted}\r\n`);
  });

test("whatever a program takes for the separator, no cell is a formula", async () => {
  const parts = [
    "Jo",
    "=1+1",
    '"',
    '"=1+1"',
    " ",
    "+2",
    "-3",
    "@A1",
    "'",
    ",",
    ";",
    "\t",
    "|",
    "\n",
  ];
  const random = createRandom(20_261_123);
  const texts = Array.from({ length: 2_000 }, () =>
    Array.from({ length: 6 }, () => random.pick(parts)).join(""),
  );
  const [, ...lines] = (await textOf(texts)).split(/[\r\n]/);
  const cells = [",", ";", "\t", "|"].flatMap((separator) =>
    lines.flatMap((line) => line.split(separator)),
  );
  expect(cells.length).toBeGreaterThan(20_000);
  expect(cells.filter((cell) => /^[\s"]*[=+\-@]/.test(cell))).toEqual([]);
});

test("what is no formula stays as it was written", async () => {
  const texts = [
    "Thé vert - 50 g",
    "jo@exemple.fr, 12 rue de la Paix",
    "Rendez-vous | demain : 10 = 2 + 8",
    "L'été, l’hiver",
    "a'=b",
  ];
  expect(await textOf(texts)).toBe(`\uFEFF${["Valeur", ...texts, ""].join("\r\n")}`);
});

test("a text with a lone line break of any kind is one cell", async () => {
  expect(await textOf(["a\rb", "c\nd"])).toBe('\uFEFFValeur\r\n"a\rb"\r\n"c\nd"\r\n');
});

test("a negative number stays a number", async () => {
  expect(await textOf([-2])).toBe("\uFEFFValeur\r\n-2\r\n");
});

test("a table is made for those who ask for it first", () => {
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
