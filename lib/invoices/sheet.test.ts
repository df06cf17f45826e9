import { execFileSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import type { InvoiceDocument } from "@/lib/invoices/document";
import { drawSheet } from "@/lib/invoices/sheet";
import { loadTypefaces, printable } from "@/lib/invoices/typeface";

const FRENCH = "àâæçéèêëîïôœùûüÿ ÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ «’–…» €";

const base: InvoiceDocument = {
  id: 7,
  number: "FA-2026-000007",
  issuedAt: new Date("2026-11-20T23:30:00.000Z"),
  totalCents: 8780,
  paymentId: "pi_3Qabc",
  snapshot: {
    seller: {
      name: "Mini Ecommerce SAS",
      address: ["12 rue des Artisans", "69001 Lyon", "France"],
      siren: "123 456 782",
      vatNumber: "FR11 123456782",
      email: "bonjour@exemple.test",
    },
    buyer: { firstName: "Zoë", lastName: "Œuvrard", email: "zoe@exemple.test" },
    shippingAddress: { street: "12 rue de l’Évêché", city: "Nîmes", postalCode: "30000" },
    billingAddress: { street: "3 place du Marché", city: "Besançon", postalCode: "25000" },
    orderNumber: "CMD-2026-000009",
    lines: [
      { name: FRENCH, quantity: 2, unitPriceCents: 4290, vatRateBp: 2000 },
      { name: "Guide des thés", quantity: 1, unitPriceCents: 200, vatRateBp: 550 },
    ],
  },
};

type Line = InvoiceDocument["snapshot"]["lines"][number];

const withLines = (lines: Partial<Line>[]): InvoiceDocument => {
  const whole = lines.map((line) => ({
    name: "Lampe",
    quantity: 1,
    unitPriceCents: 100,
    vatRateBp: 2000,
    ...line,
  }));
  return {
    ...base,
    totalCents: whole.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0),
    snapshot: { ...base.snapshot, lines: whole },
  };
};

/** An invoice of so many lines. */
const longInvoice = (count: number) =>
  withLines(Array.from({ length: count }, (_, index) => ({ name: `Article n° ${index + 1}` })));

const withSnapshot = (snapshot: Partial<InvoiceDocument["snapshot"]>, document = base) => ({
  ...document,
  snapshot: { ...document.snapshot, ...snapshot },
});

const draw = (document: InvoiceDocument) => drawSheet({ kind: "invoice", document });

const drawCreditNote = (document: InvoiceDocument) =>
  drawSheet({
    kind: "credit-note",
    document,
    invoiceNumber: "FA-2026-000007",
    reason: "Pièce rendue",
  });

const pagesOf = async (invoice: InvoiceDocument) => textsOf(await draw(invoice));

/** The text of each page, with all white space as single plain spaces. */
async function textsOf(pdf: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { text } = await extractText(document, { mergePages: false });
  return text.map((page) => page.replace(/\s+/g, " "));
}

/** The names of the typefaces in the file. */
const fontsOf = (pdf: Uint8Array) =>
  [
    ...Buffer.from(pdf)
      .toString("latin1")
      .matchAll(/\/FontName \/\S*?\+(\S+)/g),
  ].map(([, name]) => name);

function expectParts(page: string, parts: readonly string[]): void {
  for (const part of parts) expect(page).toContain(part);
}

test("an invoice says in French all that the law wants", async () => {
  const [page = "", ...others] = await pagesOf(base);
  expect(others).toEqual([]);
  expectParts(page, [
    "Facture",
    "N° FA-2026-000007",
    // The date in France.
    "Date : 21 novembre 2026",
    "Commande : CMD-2026-000009",
    "Mini Ecommerce SAS",
    "12 rue des Artisans",
    "SIREN : 123 456 782",
    "N° TVA : FR11 123456782",
    "Facturé à",
    "Zoë Œuvrard",
    "3 place du Marché",
    "25000 Besançon",
    "Livré à",
    "12 rue de l’Évêché",
    "30000 Nîmes",
    FRENCH,
    "Désignation Qté Prix unitaire HT TVA Prix unitaire TTC Total TTC",
    "2 35,75 € 20 % 42,90 € 85,80 €",
    "1 1,90 € 5,5 % 2,00 € 2,00 €",
    "20 % 71,50 € 14,30 € 85,80 €",
    "5,5 % 1,90 € 0,10 € 2,00 €",
    "Total HT 73,40 €",
    "Total TVA 14,40 €",
    "Total TTC 87,80 €",
    "Payé par carte bancaire – identifiant du paiement : pi_3Qabc",
    "page 1 / 1",
  ]);
  expect(page).not.toContain("Correction");
});

test("a corrected invoice names the replaced one, with the first of a month written as 1er", async () => {
  const correction = { date: "2026-12-31T23:30:00.000Z", replaces: "2026-11-30T23:30:00.000Z" };
  const [first = "", second] = await pagesOf(withSnapshot({ correction }, longInvoice(60)));
  expectParts(first, [
    "Facture rectificative N° FA-2026-000007",
    "Date : 21 novembre 2026",
    "Rectifiée le : 1er janvier 2027",
    "Annule et remplace la version du 1er décembre 2026",
  ]);
  expect(second).toContain("Facture rectificative FA-2026-000007 (suite)");
});

test("a credit note shows the VAT as rounded together with the earlier ones", async () => {
  const vat = [{ vatRateBp: 550, netCents: 32, vatCents: 1, grossCents: 33 }];
  const invoice = withLines([{ unitPriceCents: 33, vatRateBp: 550 }]);
  const [page] = await textsOf(await drawCreditNote(withSnapshot({ vat }, invoice)));
  expect(page).toContain("5,5 % 0,32 € 0,01 € 0,33 €");
});

test("a long order flows over pages, numbered, with the total on the last alone", async () => {
  const lines = Array.from({ length: 200 }, (_, index) => ({
    name: `Article n° ${index + 1}${index % 9 === 0 ? " au nom bien plus long que sa colonne".repeat(3) : ""}`,
    quantity: 1 + (index % 3),
    unitPriceCents: 1990 + index,
    vatRateBp: [2000, 1000, 550, 210][index % 4] ?? 2000,
  }));
  const pages = await pagesOf(withLines(lines));
  expect(pages.length).toBeGreaterThan(4);
  pages.forEach((page, index) => {
    expectParts(page, [`page ${index + 1} / ${pages.length}`, "Désignation Qté"]);
    expect(page.includes("Total HT"), `total on page ${index + 1}`).toBe(
      index === pages.length - 1,
    );
    if (index > 0) expect(page).toContain("Facture FA-2026-000007 (suite)");
  });
  const numbers = [...pages.join(" ").matchAll(/Article n° (\d+)/g)].map(([, number]) => number);
  expect(numbers.map(Number)).toEqual(lines.map((_, index) => index + 1));
});

test("every page is A4, and the totals never stand alone, whatever the number of lines", async () => {
  for (const count of [1, 12, ...Array.from({ length: 13 }, (_, index) => 14 + index), 60]) {
    const file = await draw(longInvoice(count));
    const last = (await textsOf(file)).at(-1) ?? "";
    expectParts(last, [`Article n° ${count}`, "Total TTC"]);
    const pdf = await getDocumentProxy(new Uint8Array(file));
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      expect(page.view.map(Math.round), `${count} lines, page ${number}`).toEqual([0, 0, 595, 842]);
      const { items } = await page.getTextContent();
      const bottom = Math.min(...items.map((item) => ("str" in item ? item.transform[5] : 842)));
      // The lowest text is the footer's.
      expect(bottom).toBeCloseTo(45.5, 1);
    }
  }
});

test("letters beyond French are drawn; those without a typeface are written in Latin letters", async () => {
  const [page = ""] = await pagesOf(
    withLines([
      { name: "Łódź Škoda Ångström Ελλάδα Москва" },
      { name: "Café☕\u{1f469}‍\u{1f373} du 東京\r\n\0suite" },
      { name: "e\u0301te\u0301" },
      { name: "x".repeat(400), unitPriceCents: 2_147_483_647 },
    ]),
  );
  expectParts(page, [
    "Łódź Škoda Ångström Ελλάδα Москва",
    "Café du DongJing suite",
    "été",
    "21 474 836,47 €",
  ]);
  expect(page).not.toContain("?");
});

const lettersOf = (text: string) => [...text.replace(/[^\p{L}]/gu, "")].toSorted().join("");

for (const { script, firstName, lastName, font } of [
  { script: "Arabic", firstName: "محمد", lastName: "الحسن", font: "Vazirmatn" },
  { script: "Hebrew", firstName: "דוד", lastName: "כהן", font: "NotoSansHebrew" },
  { script: "Hindi", firstName: "कमल", lastName: "राव", font: "NotoSansDevanagari" },
  { script: "Georgian", firstName: "გიორგი", lastName: "ბერიძე", font: "NotoSansGeorgian" },
  { script: "Armenian", firstName: "Արմեն", lastName: "Պետրոսյան", font: "NotoSansArmenian" },
])
  test(`a name in ${script} is drawn in its script`, async () => {
    const pdf = await draw(withSnapshot({ buyer: { firstName, lastName, email: "" } }));
    const [page = ""] = await textsOf(pdf);
    const [, name = ""] = /Facturé à(.*?)3 place/.exec(page) ?? [];
    // Text extraction returns letters in their visual order, from the left.
    expect(lettersOf(name.replace(/\p{Script=Latin}+/gu, ""))).toBe(
      lettersOf(firstName + lastName),
    );
    expect(fontsOf(pdf)).toContain(`${font}-Regular`);
  });

test("a name that no typeface has is printed in Latin letters, never as question marks", async () => {
  await loadTypefaces();
  for (const [name, written] of [
    ["王小明", "WangXiaoMing"],
    ["서울", "SeoUl"],
    ["🎁", ":gift:"],
    ["Zoë 🎁", "Zoë"],
    // Vowel points are left out.
    ["שָׁלוֹם", "שלום"],
    ["\u{10ffff}", "–"],
  ] as const)
    expect(printable(name).trim(), name).toBe(written);
});

test("an invoice without lines, with a typed payment id or a changed total shows what is known", async () => {
  const [empty = ""] = await pagesOf({ ...withLines([]), totalCents: 5000, paymentId: null });
  expect(empty).toContain("Total TTC 50,00 €");
  expect(empty).not.toMatch(/Total HT|paiement/);
  const [transferred = ""] = await pagesOf({ ...base, paymentId: "virement 12/11" });
  expect(transferred).toContain("Identifiant du paiement : virement 12/11");
  expect(transferred).not.toContain("carte");
  const [corrected = ""] = await pagesOf({ ...base, totalCents: 8000 });
  expectParts(corrected, ["Correction −7,80 €", "Total TTC 80,00 €"]);
});

test("invoices and credit notes of an exempt seller mention VAT only to say why there is none", async () => {
  const outside = withSnapshot({
    seller: { ...base.snapshot.seller, vatNumber: "" },
    lines: base.snapshot.lines.map((line) => ({ ...line, vatRateBp: 0 })),
    isVatExempt: true,
    vatNotes: ["TVA non applicable, art. 293 B du CGI"],
  });
  for (const [pdf, total] of [
    [await draw(outside), "Total 87,80 €"],
    [await drawCreditNote(outside), "Total de l’avoir 87,80 €"],
  ] as const) {
    const [page = ""] = await textsOf(pdf);
    expectParts(page, [
      "Désignation Qté Prix unitaire Total",
      "2 42,90 € 85,80 €",
      "SIREN : 123 456 782",
      total,
      "TVA non applicable, art. 293 B du CGI",
    ]);
    expect(page.replace("TVA non applicable", "")).not.toMatch(/TVA|TTC|HT|%/);
  }
  const [corrected = ""] = await pagesOf({ ...outside, totalCents: 8000 });
  expect(corrected).toContain("Correction −7,80 €");
});

test("an invoice states why a delivery overseas has no VAT", async () => {
  const note = "TVA non applicable en Guyane et à Mayotte, art. 294, 1 du CGI";
  const invoice = withLines([{ quantity: 3, unitPriceCents: 1990, vatRateBp: 0 }]);
  const [page = ""] = await pagesOf(withSnapshot({ vatNotes: [note] }, invoice));
  expectParts(page, [
    "3 19,90 € 0 % 19,90 € 59,70 €",
    "0 % 59,70 € 0,00 € 59,70 €",
    "Total TTC 59,70 €",
    note,
  ]);
});

test("the same invoice gives the same bytes", async () => {
  const first = Buffer.from(await draw(base));
  expect(first.equals(await draw({ ...base, number: "FA-2026-000008" }))).toBe(false);
  expect(first.equals(await draw(base))).toBe(true);
});

test("text in a PDF can be copied, whatever the process drew before", async () => {
  // The glyph ” is composed of two ’: fontkit meets ’ first as a component, then as a character.
  const script = `
    import { drawSheet } from "@/lib/invoices/sheet.tsx";
    const draw = (document) => drawSheet({ kind: "invoice", document });
    const invoice = { ...${JSON.stringify(base)}, issuedAt: new Date(0) };
    const named = (name) => ({ ...invoice, snapshot: { ...invoice.snapshot,
      seller: { ...invoice.snapshot.seller, name: "S" }, billingAddress: null, shippingAddress: null,
      lines: [{ ...invoice.snapshot.lines[0], name }] } });
    await draw(named("“Été” ½ ①"));
    process.stdout.write(Buffer.from(await draw(named("D’été ʼ 3/4"))).toString("base64"));`;
  const output = execFileSync(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script],
    { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
  );
  const document = await getDocumentProxy(new Uint8Array(Buffer.from(output, "base64")));
  const { text } = await extractText(document, { mergePages: true });
  expect(text).toContain("D’été ’ 3/4");
});

test("a PDF contains title, language, dates and typeface", async () => {
  const pdf = await draw(base);
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { info } = await document.getMetadata();
  expect(info).toMatchObject({
    Title: "Facture FA-2026-000007",
    Author: "Mini Ecommerce SAS",
    Language: "fr-FR",
    CreationDate: "D:20261120233000Z",
  });
  expect(new Set(fontsOf(pdf))).toEqual(new Set(["Inter-Regular", "Inter-SemiBold"]));
});

test("a word wider than its column is broken without a hyphen, others never", async () => {
  const email = `${"une.adresse.sans.fin".repeat(4)}@exemple.test`;
  const name =
    "Anticonstitutionnellement incompréhensible, l’internationalisation interdépartementale";
  const buyer = { ...base.snapshot.buyer, email };
  const [page = ""] = await pagesOf(withSnapshot({ buyer }, withLines([{ name }])));
  expect(page.replaceAll(" ", "")).toContain(email);
  expect(page).toContain(name);
});

test("a credit note says what it corrects, with positive amounts", async () => {
  const number = "AV-2026-000001";
  const [page = "", ...others] = await textsOf(await drawCreditNote({ ...base, number }));
  expect(others).toEqual([]);
  expectParts(page, [
    "Avoir N° AV-2026-000001",
    "Facture corrigée : FA-2026-000007",
    "20 % 71,50 € 14,30 € 85,80 €",
    "Total TTC de l’avoir 87,80 €",
    "Remboursé sur la carte bancaire – identifiant du paiement : pi_3Qabc",
  ]);
  expect(page).not.toMatch(/Facturé|Payé/);
  const pages = await textsOf(await drawCreditNote({ ...longInvoice(60), number }));
  expect(pages[1]).toContain("Avoir AV-2026-000001 (suite)");
});
