import { expect, test } from "@playwright/test";
import { csvLines } from "@/lib/http/api/csv";
import { MAX_LINES, readStockCsv } from "./csv";

const WRONG_STOCK = "Le stock doit être un nombre entier de 0 à 1\u202f000\u202f000.";

test("files of spreadsheets are read: semicolons, commas, tabs, quotes and a BOM", () => {
  const expected = [
    { line: 2, id: 7, name: "Vase; bleu", stock: 3 },
    { line: 3, id: null, name: "Lampe", stock: 0 },
  ];
  for (const text of [
    '\uFEFFID;Nom;Stock\r\n7;"Vase; bleu";3\r\n;Lampe;0\r\n',
    'id,name,stock\n7,"Vase; bleu",3\n,Lampe,0',
    "Stock\tID\tNom\n3\t7\tVase; bleu\n0\t\tLampe\n",
  ])
    expect(readStockCsv(text), text).toEqual({ lines: expected, problems: [] });
});

test("empty lines and Excel's separator may come before the headings", () => {
  for (const text of [
    "\nID;Stock\n7;3\n",
    "sep=;\r\nID;Stock\r\n7;3",
    "\uFEFFsep=,\nID,Stock\n7,3",
  ])
    expect(readStockCsv(text).lines, text).toEqual([{ line: 3, id: 7, name: "", stock: 3 }]);
});

test("formatted numbers are read, unless they are ambiguous", () => {
  for (const [text, stock] of Object.entries({
    "1\u00a0250": 1250,
    "1\u202f250": 1250,
    "1 250,00": 1250,
    "12.0": 12,
    "0,00": 0,
    "1 000 000": 1_000_000,
  }))
    expect(readStockCsv(`ID;Stock;Stock lu\n1 007,00;${text};${text}`), text).toEqual({
      lines: [{ line: 2, id: 1007, name: "", stock, exported: stock }],
      problems: [],
    });
  for (const text of ["1.250", "1,250", "12,000", "1 25", "1  250", "1,5", "12,", "-1", "1e3"])
    expect(readStockCsv(`ID;Stock\n7;"${text}"`).problems, text).toEqual([
      { line: 2, message: WRONG_STOCK },
    ]);
});

test("the apostrophe that the export puts before a name is removed", async () => {
  const names = ["=Lampe", "'=Lampe", "-20 %", "007", "Vase; bleu", "Bol"];
  async function* batches() {
    yield names;
  }
  const columns = [
    { head: "Nom", value: (name: string) => name },
    { head: "Stock", value: () => 3 },
  ];
  let text = "";
  for await (const part of csvLines({ columns, batches: batches() })) text += part;
  const { lines, problems } = readStockCsv(text);
  expect(problems).toEqual([]);
  expect(lines.map(({ name }) => name)).toEqual(names);
});

test("lines without a stock are left out; Excel leaves out the last cells if they are empty", () => {
  const text =
    "ID;Nom;Stock;Poids (g);Stock lu\r\n1;Guide\r\n\r\n2;Vase;5\r\n3;Bol;4;80;2\r\n4;Lot;;90;\r\n";
  expect(readStockCsv(text)).toEqual({
    lines: [
      { line: 4, id: 2, name: "Vase", stock: 5, exported: null },
      { line: 5, id: 3, name: "Bol", stock: 4, exported: 2 },
    ],
    problems: [],
  });
});

test("every wrong line is named", () => {
  const { lines, problems } = readStockCsv("ID;Nom;Stock\n1;;-1\nx;;2\n;;3\n4;;1,5\n5;;6\n");
  expect(lines).toEqual([{ line: 6, id: 5, name: "", stock: 6 }]);
  expect(problems).toEqual([
    { line: 2, message: WRONG_STOCK },
    { line: 3, message: "l'ID doit être un nombre entier." },
    { line: 4, message: "le produit manque." },
    { line: 5, message: WRONG_STOCK },
  ]);
});

test("a file that is no table of stocks is refused", () => {
  const problemOf = (text: string) => readStockCsv(text).problems[0]?.message;
  expect(problemOf("ID;Prix\n1;2\n")).toBe(
    "les titres doivent contenir «\u00a0Stock\u00a0», et «\u00a0ID\u00a0» ou «\u00a0Nom\u00a0».",
  );
  expect(problemOf("Stock\n1\n")).toMatch(/^les titres/);
  expect(problemOf("ID;Stock\n")).toBe("le fichier ne contient aucun produit.");
  expect(problemOf("ID;Stock\n1;2;3\n")).toMatch(/nombre de colonnes/);
  expect(problemOf('ID;Stock\n"1;2\n')).toMatch(/guillemets/);
  expect(problemOf(`ID;Stock\n${"1;2\n".repeat(MAX_LINES + 1)}`)).toMatch(/5\u00a0000 produits/);
});
