import { expect, test } from "@playwright/test";
import { csvLines } from "@/lib/http/api/csv";
import { MAX_LINES, readStockCsv } from "./csv";

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
  const lines = [{ line: 3, id: 7, name: "", stock: 3 }];
  expect(readStockCsv("\n\nID;Stock\n7;3\n").lines).toEqual([{ ...lines[0], line: 4 }]);
  expect(readStockCsv("sep=;\r\nID;Stock\r\n7;3\r\n").lines).toEqual(lines);
  expect(readStockCsv("\uFEFFsep=,\nID,Stock\n7,3\n").lines).toEqual(lines);
});

test("formatted numbers are read, unless they are ambiguous", () => {
  for (const [text, stock] of [
    ["1 250", 1250],
    ["1\u00a0250", 1250],
    ["1\u202f250", 1250],
    ["1 250,00", 1250],
    ["12,00", 12],
    ["12.0", 12],
    ["0,00", 0],
    ["1 000 000", 1_000_000],
  ] as const)
    expect(readStockCsv(`ID;Stock;Stock lu\n1 007,00;${text};${text}`), text).toEqual({
      lines: [{ line: 2, id: 1007, name: "", stock, exported: stock }],
      problems: [],
    });
  for (const text of [
    "1.250",
    "1,250",
    "12,000",
    "1 25",
    "12 34",
    "1  250",
    "1,5",
    "12,",
    "-1",
    "1e3",
  ])
    expect(readStockCsv(`ID;Stock\n7;"${text}"`).problems, text).toEqual([
      {
        line: 2,
        message: "Le stock doit être un nombre entier de 0 à 1\u202f000\u202f000.",
      },
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

test("the stock at the time of the export is read, too", () => {
  const { lines } = readStockCsv("ID;Stock;Stock lu\n1;5;7\n2;5;\n");
  expect(lines).toMatchObject([
    { id: 1, stock: 5, exported: 7 },
    { id: 2, stock: 5, exported: null },
  ]);
});

test("a line without a stock is left out, and empty lines do not shift the numbers", () => {
  expect(readStockCsv("ID;Stock\n1;\n\n2;5\n")).toEqual({
    lines: [{ line: 4, id: 2, name: "", stock: 5 }],
    problems: [],
  });
});

test("empty cells at the end of a line may be missing, as in a file of Excel's", () => {
  const text = "ID;Nom;Stock;Poids (g);Stock lu\r\n1;Guide\r\n2;Vase;5\r\n3;Bol;4;80;2\r\n";
  expect(readStockCsv(text)).toEqual({
    lines: [
      { line: 3, id: 2, name: "Vase", stock: 5, exported: null },
      { line: 4, id: 3, name: "Bol", stock: 4, exported: 2 },
    ],
    problems: [],
  });
});

test("every wrong line is named", () => {
  const { lines, problems } = readStockCsv("ID;Nom;Stock\n1;;-1\nx;;2\n;;3\n4;;1,5\n5;;6\n");
  expect(lines).toEqual([{ line: 6, id: 5, name: "", stock: 6 }]);
  expect(problems).toEqual([
    { line: 2, message: "Le stock doit être un nombre entier de 0 à 1\u202f000\u202f000." },
    { line: 3, message: "l'ID doit être un nombre entier." },
    { line: 4, message: "le produit manque." },
    { line: 5, message: "Le stock doit être un nombre entier de 0 à 1\u202f000\u202f000." },
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
