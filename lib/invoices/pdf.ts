import { readFile } from "node:fs/promises";
import path from "node:path";
import { create, type Font, type GlyphRun } from "fontkit";
import { LRUCache } from "lru-cache";
import PDFDocument from "pdfkit";
import { formatLongDate } from "@/lib/dates";
import type { InvoiceDocument } from "@/lib/invoices/document";
import { formatRate, lineTotalCents, vatByRate, vatTotals } from "@/lib/invoices/rules";
import { formatEuros } from "@/lib/money";

// The only file that uses PDFKit. The typeface is Inter because it is complete: it has the letters of
// Polish, Greek or Russian names, which the pages' Figtree lacks.

const FONT_FOLDER = path.join(process.cwd(), "node_modules/@expo-google-fonts/inter");
const FONT_FILES = {
  regular: path.join(FONT_FOLDER, "400Regular/Inter_400Regular.ttf"),
  bold: path.join(FONT_FOLDER, "600SemiBold/Inter_600SemiBold.ttf"),
};

type Weight = keyof typeof FONT_FILES;
type Fonts = Record<Weight, Font>;

let fonts: Promise<Fonts> | undefined;

/** Read once per process: parsing one takes longer than writing an invoice. */
function loadFonts(): Promise<Fonts> {
  fonts ??= Promise.all([readFont(FONT_FILES.regular), readFont(FONT_FILES.bold)])
    .then(([regular, bold]) => ({ regular, bold }))
    .catch((error: unknown) => {
      fonts = undefined;
      throw error;
    });
  return fonts;
}

async function readFont(file: string): Promise<Font> {
  const font = create(await readFile(file));
  if (!("layout" in font)) throw new Error(`${file} holds several fonts.`);
  // Tabular figures in amounts, so that they are aligned; not in words.
  const layout = font.layout.bind(font);
  const runs = new LRUCache<string, GlyphRun>({
    max: MAX_CACHED_WORDS,
    memoMethod: (text) => layout(text, /^[\d\s,€%-]+$/.test(text) ? AMOUNT : WORD),
  });
  font.layout = (text: string) => copyOf(runs.memo(text));
  preloadGlyphs(font);
  return font;
}

/** Cached glyph runs per font: the words that every invoice has, and those of what is sold most. */
const MAX_CACHED_WORDS = 1_000;

/** PDFKit scales the positions in place. */
const copyOf = (run: GlyphRun): GlyphRun =>
  Object.assign(Object.create(Object.getPrototypeOf(run)), run, {
    positions: run.positions.map((position) => ({ ...position })),
  });

/**
 * fontkit caches the code point of a glyph at its first use, and components of other glyphs (” is
 * twice ’) are used without one: they could be neither copied nor searched. So all glyphs are loaded
 * beforehand; where two characters share one, the frequent one goes first.
 */
function preloadGlyphs(font: Font): void {
  font.layout("0123456789");
  const characters = font.characterSet.filter((codePoint) => !isPrivate(codePoint));
  for (const codePoint of [...PREFERRED_CHARACTERS, ...characters])
    font.glyphForCodePoint(codePoint);
}

const PREFERRED_CHARACTERS = Array.from("’”ΔΩμ", (character) => character.codePointAt(0) ?? 0);

/** The Private Use Area, in which Inter has alternative glyphs. */
const isPrivate = (codePoint: number) => codePoint >= 0xe000 && codePoint <= 0xf8ff;

// Without Inter's contextual alternates (arrows for "->" and the like), which take most of the time.
const WORD = { kern: true, calt: false, ccmp: false, liga: false };
const AMOUNT = { ...WORD, tnum: true };

const INK = "#15201b";
const MUTED = "#55605a";
const LINE = "#dfe3dd";
const ACCENT = "#14594a";
const SOFT = "#f5f6f3";

/** Points: A4 is 595.28 by 841.89. */
const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = 48;
const RIGHT = PAGE.width - MARGIN;
const WIDTH = RIGHT - MARGIN;
/** Where the last line above the footer may end. */
const BOTTOM = PAGE.height - 84;
const FOOTER_TOP = PAGE.height - 62;

/** Right-aligned columns after the name's; the name takes what is left. */
const COLUMNS = [
  { title: "Qté", width: 40 },
  { title: "Prix unitaire TTC", width: 92 },
  { title: "TVA", width: 52 },
  { title: "Total TTC", width: 84 },
] as const;
const NAME_WIDTH = WIDTH - COLUMNS.reduce((sum, { width }) => sum + width, 0) - 8;

/**
 * The invoice as a PDF of A4 pages: header, parties, lines over as many pages as they need, and the
 * totals together on the last. The same document gives the same bytes.
 */
export async function renderInvoice(invoice: InvoiceDocument): Promise<Uint8Array> {
  const sheet = new Sheet(invoice, await loadFonts());
  return sheet.finish();
}

interface TextOptions {
  x?: number;
  y: number;
  width?: number;
  align?: "left" | "right";
  weight?: Weight;
  size?: number;
  color?: string;
}

class Sheet {
  private readonly pdf: PDFKit.PDFDocument;
  private readonly done: Promise<Uint8Array>;
  private y = MARGIN;

  constructor(
    private readonly invoice: InvoiceDocument,
    private readonly fonts: Fonts,
  ) {
    const { number, issuedAt, snapshot } = invoice;
    const date = new Date(issuedAt);
    this.pdf = new PDFDocument({
      size: "A4",
      margin: 0,
      bufferPages: true,
      lang: "fr-FR",
      displayTitle: true,
      // Without this it would load a default font.
      font: "",
      info: {
        Title: `Facture ${number}`,
        Author: snapshot.seller.name,
        Creator: snapshot.seller.name,
        CreationDate: date,
        ModDate: date,
      },
    });
    // Parsed fonts are accepted, too, but missing in the types.
    for (const weight of ["regular", "bold"] as const)
      this.pdf.registerFont(weight, fonts[weight] as unknown as string);
    const chunks: Uint8Array[] = [];
    this.done = new Promise((resolve, reject) => {
      this.pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      this.pdf.on("end", () => resolve(Buffer.concat(chunks)));
      this.pdf.on("error", reject);
    });
  }

  finish(): Promise<Uint8Array> {
    this.drawHead();
    this.drawParties();
    this.drawLines();
    this.drawTotals();
    this.drawFooters();
    this.pdf.end();
    return this.done;
  }

  /** What every font can draw: unknown signs become "?", line breaks and the like a space. */
  private printable(text: string): string {
    const { regular } = this.fonts;
    let result = "";
    for (const sign of text.normalize("NFC").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")) {
      // Joiners and variants, as emoji have them, are nothing by themselves.
      if (/^[\p{Cf}\p{Mn}]$/u.test(sign) && !regular.hasGlyphForCodePoint(codePointOf(sign)))
        continue;
      result += regular.hasGlyphForCodePoint(codePointOf(sign)) ? sign : "?";
    }
    return result;
  }

  private style({ weight = "regular", size = 9.5, color = INK }: Partial<TextOptions>) {
    return this.pdf.font(weight).fontSize(size).fillColor(color);
  }

  /** Writes and wraps a text; gives the y below it. */
  private text(text: string, options: TextOptions): number {
    const { x = MARGIN, y, width = WIDTH, align = "left" } = options;
    const pdf = this.style(options);
    pdf.text(this.printable(text), x, y, { width, align, lineGap: 2 });
    return pdf.y;
  }

  private heightOf(text: string, options: Omit<TextOptions, "y">): number {
    const { width = WIDTH } = options;
    return this.style(options).heightOfString(this.printable(text), { width, lineGap: 2 });
  }

  private rule({ y, color = LINE }: { y: number; color?: string }) {
    this.pdf.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(color).stroke();
  }

  private addPage() {
    this.pdf.addPage();
    const { number, snapshot } = this.invoice;
    const name = { y: MARGIN, width: WIDTH * 0.6, color: MUTED };
    const end = this.text(snapshot.seller.name, name);
    const right = { x: MARGIN + WIDTH * 0.6, y: MARGIN, width: WIDTH * 0.4, color: MUTED };
    this.text(`Facture ${number} (suite)`, { ...right, align: "right" });
    this.y = end + 14;
  }

  private drawHead() {
    const { number, issuedAt, snapshot } = this.invoice;
    const { seller, orderNumber } = snapshot;
    const half = WIDTH / 2 - 12;
    let left = this.text(seller.name, { y: MARGIN, width: half, weight: "bold", size: 15 });
    for (const line of [
      ...seller.address,
      seller.siren && `SIREN : ${seller.siren}`,
      seller.vatNumber && `N° TVA : ${seller.vatNumber}`,
      seller.email,
    ])
      if (line) left = this.text(line, { y: left + 1, width: half, color: MUTED });
    const side = { x: MARGIN + WIDTH / 2 + 12, width: half, align: "right" } as const;
    let right = this.text("Facture", {
      ...side,
      y: MARGIN - 5,
      weight: "bold",
      size: 22,
      color: ACCENT,
    });
    right = this.text(`N° ${number}`, { ...side, y: right + 2, weight: "bold" });
    right = this.text(`Date : ${formatLongDate(issuedAt)}`, { ...side, y: right + 1 });
    if (orderNumber) right = this.text(`Commande : ${orderNumber}`, { ...side, y: right + 1 });
    this.y = Math.max(left, right) + 24;
  }

  private drawParties() {
    const { buyer, shippingAddress, billingAddress } = this.invoice.snapshot;
    const name = `${buyer.firstName} ${buyer.lastName}`.trim();
    const parties = [
      { title: "Facturé à", address: billingAddress, email: buyer.email },
      { title: "Livré à", address: shippingAddress, email: null },
    ].filter(({ address, email }) => address !== null || email !== null);
    const half = WIDTH / 2 - 12;
    let bottom = this.y;
    parties.forEach(({ title, address, email }, index) => {
      const column = { x: MARGIN + index * (WIDTH / 2 + 12), width: half };
      let y = this.text(title, { ...column, y: this.y, size: 8.5, color: MUTED });
      for (const line of [
        name,
        address?.street,
        address && `${address.postalCode} ${address.city}`,
        email,
      ])
        if (line) y = this.text(line, { ...column, y: y + 1 });
      bottom = Math.max(bottom, y);
    });
    this.y = bottom + 24;
  }

  private drawTableHead() {
    const height = 22;
    this.pdf.rect(MARGIN, this.y, WIDTH, height).fill(SOFT);
    const y = this.y + 6;
    this.text("Désignation", { x: MARGIN + 8, y, width: NAME_WIDTH, weight: "bold", size: 8.5 });
    this.cells(
      COLUMNS.map(({ title }) => title),
      { y, weight: "bold", size: 8.5 },
    );
    this.y += height + 2;
  }

  private cells(values: readonly string[], options: TextOptions) {
    let x = MARGIN + 8 + NAME_WIDTH;
    COLUMNS.forEach(({ width }, index) => {
      this.text(values[index] ?? "", { ...options, x, width: width - 8, align: "right" });
      x += width;
    });
  }

  private drawLines() {
    const { lines } = this.invoice.snapshot;
    this.drawTableHead();
    lines.forEach((line, index) => {
      const isLast = index === lines.length - 1;
      const name = { x: MARGIN + 8, width: NAME_WIDTH - 12 };
      const height = this.heightOf(line.name, name) + 10;
      // The last line goes along with the totals: they never stand alone on a page.
      const needed = isLast ? height + this.totalsHeight() : height;
      if (this.y + needed > BOTTOM) {
        this.addPage();
        this.drawTableHead();
      }
      const y = this.y + 5;
      this.text(line.name, { ...name, y });
      this.cells(
        [
          String(line.quantity),
          formatEuros(line.unitPriceCents),
          formatRate(line.vatRateBp),
          formatEuros(lineTotalCents(line)),
        ],
        { y },
      );
      this.y += height;
      this.rule({ y: this.y });
    });
  }

  /** What the totals take: the table of rates, the sums, and how it was paid. */
  private totalsHeight(): number {
    return 18 + 22 + this.rates().length * 18 + 18 + 3 * 20 + 34 + 54;
  }

  private rates() {
    return vatByRate(this.invoice.snapshot.lines);
  }

  private drawTotals() {
    const { totalCents, paymentId } = this.invoice;
    const rates = this.rates();
    const sums = vatTotals(rates);
    this.y += 18;

    if (rates.length > 0) {
      const columns = [0, 1, 2, 3].map((index) => ({
        x: MARGIN + WIDTH - 4 * 92 + index * 92,
        width: 92 - 8,
      }));
      const row = (values: readonly string[], options: Partial<TextOptions> = {}) => {
        values.forEach((value, index) => {
          const { x = 0, width = 0 } = columns[index] ?? {};
          this.text(value, { ...options, x, width, y: this.y, align: "right" });
        });
        this.y += 18;
      };
      row(["Taux de TVA", "Montant HT", "TVA", "Montant TTC"], { size: 8.5, color: MUTED });
      this.rule({ y: this.y - 3 });
      this.y += 4;
      for (const { vatRateBp, netCents, vatCents, grossCents } of rates)
        row([
          formatRate(vatRateBp),
          formatEuros(netCents),
          formatEuros(vatCents),
          formatEuros(grossCents),
        ]);
      this.rule({ y: this.y - 2 });
      this.y += 10;
      this.sum("Total HT", sums.netCents);
      this.sum("Total TVA", sums.vatCents);
    }
    // An invoice whose amount an administrator has corrected says by how much.
    if (rates.length > 0 && sums.grossCents !== totalCents)
      this.sum("Correction", totalCents - sums.grossCents);
    this.pdf.rect(RIGHT - 4 * 92, this.y, 4 * 92, 28).fill(ACCENT);
    const total = { y: this.y + 7, weight: "bold", size: 11.5, color: "#ffffff" } as const;
    this.text("Total TTC", { ...total, x: RIGHT - 4 * 92 + 12, width: 150 });
    const amount = { x: RIGHT - 208, width: 200, align: "right" } as const;
    this.text(formatEuros(totalCents), { ...total, ...amount });
    this.y += 42;

    if (paymentId) {
      // What an administrator has typed may be a transfer, or anything.
      const isCard = paymentId.startsWith("pi_");
      const label = isCard
        ? "Payé par carte bancaire – identifiant du paiement"
        : "Identifiant du paiement";
      this.y = this.text(`${label} : ${paymentId}`, { y: this.y, color: MUTED });
    }
  }

  private sum(label: string, cents: number) {
    const left = { x: RIGHT - 4 * 92 + 12, width: 150, y: this.y };
    this.text(label, left);
    this.text(formatEuros(cents), { x: RIGHT - 208, y: this.y, width: 200, align: "right" });
    this.y += 18;
  }

  private drawFooters() {
    const { seller } = this.invoice.snapshot;
    const { start, count } = this.pdf.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.pdf.switchToPage(start + index);
      this.rule({ y: FOOTER_TOP });
      const line = { y: FOOTER_TOP + 9, size: 8, color: MUTED };
      const legal = [seller.name, ...seller.address].filter(Boolean).join(" – ");
      this.pdf
        .save()
        .rect(MARGIN, FOOTER_TOP, WIDTH - 90, 40)
        .clip();
      this.text(legal, { ...line, width: WIDTH - 90 });
      this.pdf.restore();
      const right = { x: RIGHT - 90, width: 90, align: "right" } as const;
      this.text(`page ${index + 1} / ${count}`, { ...line, ...right });
    }
  }
}

const codePointOf = (sign: string) => sign.codePointAt(0) ?? 0;
