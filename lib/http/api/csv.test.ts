import { expect, test } from "@playwright/test";
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

for (const formula of ["=1+1", "+33 6", "-2", "@SUM(A1)", "  =cmd", "\t=1", "\r=1"])
  test(`a text that begins like a formula is none: ${JSON.stringify(formula)}`, async () => {
    expect(await textOf([formula])).toContain(`'${formula}`);
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
