import { Document, Page, Text as PdfText, renderToBuffer, View } from "@react-pdf/renderer";
import type { ComponentProps, ReactElement } from "react";
import { formatLongDate } from "@/lib/dates";
import type { InvoiceDocument } from "@/lib/invoices/document";
import { formatRate, lineTotalCents, unitNetCents, versionDate } from "@/lib/invoices/rules";
import {
  ACCENT,
  amount,
  bold,
  COLUMNS,
  COLUMNS_WITHOUT_VAT,
  FOOTER_HEIGHT,
  INK,
  MARGIN,
  muted,
  PAGE,
  RULE,
  SMALL,
  SOFT,
  THICKNESS,
} from "@/lib/invoices/sheet-style";
import { CORRECTED_TITLE, Lines, Text, WORDS } from "@/lib/invoices/sheet-text";
import { Totals } from "@/lib/invoices/sheet-totals";
import { loadTypefaces } from "@/lib/invoices/typeface";
import { formatEuros } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import { addressLines, type PostalAddress } from "@/lib/shop/postal-address";

/** A sheet to draw: an invoice, or a credit note for all or a part of an invoice. */
export type Sheet =
  | { kind: "invoice"; document: InvoiceDocument }
  | {
      kind: "credit-note";
      /** Amounts are positive, as in electronic credit notes (EN 16931): the title makes it a credit note. */
      document: InvoiceDocument;
      /** The number of the corrected invoice; null without one. */
      invoiceNumber: string | null;
      reason: string;
    };

/** A PDF of A4 pages. The same sheet gives the same bytes. */
export async function drawSheet(sheet: Sheet): Promise<Uint8Array> {
  await loadTypefaces();
  return (await drawOnePage(sheet)) ?? renderToBuffer(SheetPages({ sheet, isOnePage: false }));
}

/**
 * Draws a sheet as one page, as nearly every sheet has one page. That takes half the time, since splitting
 * into pages takes four layouts instead of one.
 *
 * @returns null where the sheet is too long: a page that must not be split grows beyond A4
 */
async function drawOnePage(sheet: Sheet): Promise<Buffer | null> {
  if (sheet.document.snapshot.lines.length > MAX_LINES_PER_PAGE) return null;
  const pdf = await renderToBuffer(SheetPages({ sheet, isOnePage: true }));
  return heightOf(pdf) < A4_HEIGHT + 1 ? pdf : null;
}

/** More lines than this never fit on a page, however short they are. */
const MAX_LINES_PER_PAGE = 30;

/** Points. */
const A4_HEIGHT = 841.89;

/** The height of the first page, in points. */
const heightOf = (pdf: Buffer) =>
  Number(/\n\/MediaBox \[0 0 \S+ (\S+)\]/.exec(pdf.toString("latin1"))?.[1]);

function SheetPages({
  sheet,
  isOnePage,
}: {
  sheet: Sheet;
  isOnePage: boolean;
}): ReactElement<ComponentProps<typeof Document>> {
  const { number, issuedAt, snapshot } = sheet.document;
  return (
    <Document
      title={`${titleOf(sheet)} ${number}`}
      author={snapshot.seller.name}
      creator={snapshot.seller.name}
      producer={snapshot.seller.name}
      language="fr-FR"
      creationDate={issuedAt}
      modificationDate={versionDate(sheet.document)}
    >
      <Page
        size="A4"
        wrap={!isOnePage}
        style={{ ...PAGE, minHeight: A4_HEIGHT, paddingBottom: FOOTER_HEIGHT }}
      >
        {!isOnePage && <Continuation {...sheet} />}
        <Head {...sheet} />
        <Parties {...sheet} />
        <Table {...sheet} />
        <Footer seller={snapshot.seller} isOnePage={isOnePage} />
      </Page>
    </Document>
  );
}

const titleOf = ({ kind, document }: Sheet) =>
  document.snapshot.correction ? CORRECTED_TITLE : WORDS[kind].title;

/** The header of every page but the first. */
function Continuation(sheet: Sheet) {
  const { number, snapshot } = sheet.document;
  const row = (
    <View
      style={{ flexDirection: "row", justifyContent: "space-between", marginBottom: 14, ...muted }}
    >
      <Text style={{ width: "60%" }}>{snapshot.seller.name}</Text>
      <Text>{`${titleOf(sheet)} ${number} (suite)`}</Text>
    </View>
  );
  return <View fixed render={({ pageNumber }) => pageNumber > 1 && row} />;
}

function Head(sheet: Sheet) {
  const { number, issuedAt, snapshot } = sheet.document;
  const { seller, orderNumber, correction } = snapshot;
  return (
    <View style={{ flexDirection: "row", gap: 24, marginBottom: 24 }}>
      <View style={{ flex: 1, gap: 1, ...muted }}>
        <Text size={15} style={{ ...bold, lineHeight: 1.3, color: INK }}>
          {seller.name}
        </Text>
        <Lines>
          {[
            ...seller.address,
            seller.siren && `SIREN : ${seller.siren}`,
            seller.vatNumber && `N° TVA : ${seller.vatNumber}`,
            seller.email,
          ]}
        </Lines>
      </View>
      <View style={{ flex: 1, gap: 1, marginTop: -5, textAlign: "right" }}>
        <Text size={22} style={{ ...bold, lineHeight: 1.3, color: ACCENT }}>
          {titleOf(sheet)}
        </Text>
        <Text style={bold}>{`N° ${number}`}</Text>
        <Lines>
          {[
            `Date : ${formatLongDate(issuedAt)}`,
            correction && `Rectifiée le : ${formatLongDate(correction.date)}`,
            correction && `Annule et remplace la version du ${formatLongDate(correction.replaces)}`,
            sheet.kind === "credit-note" &&
              sheet.invoiceNumber &&
              `Facture corrigée : ${sheet.invoiceNumber}`,
            orderNumber && `Commande : ${orderNumber}`,
          ]}
        </Lines>
      </View>
    </View>
  );
}

function Parties({ kind, document }: Sheet) {
  const { buyer, shippingAddress, billingAddress } = document.snapshot;
  const name = `${buyer.firstName} ${buyer.lastName}`.trim();
  const parties = [
    { title: WORDS[kind].buyer, address: billingAddress, email: buyer.email },
    { title: "Livré à", address: shippingAddress, email: null },
  ].filter(({ address, email }) => address !== null || email !== null);
  return (
    <View style={{ flexDirection: "row", gap: 24, marginBottom: 24 }}>
      {parties.map(({ title, address, email }) => (
        <View key={title} style={{ width: "50%", flexShrink: 1, gap: 1 }}>
          <Text size={SMALL} style={muted}>
            {title}
          </Text>
          <Lines>
            {[...(address ? addressLines(address, name) : [name]), phoneText(address), email]}
          </Lines>
        </View>
      ))}
    </View>
  );
}

const phoneText = (address: PostalAddress | null) =>
  address?.phone && `Tél.\u00a0: ${address.phone}`;

/** The lines, over several pages if needed. The last line stays with the totals. */
function Table(sheet: Sheet) {
  const { lines, isVatExempt = false } = sheet.document.snapshot;
  const columns = isVatExempt ? COLUMNS_WITHOUT_VAT : COLUMNS;
  const last = lines.at(-1);
  return (
    <View>
      <View fixed style={{ ...bold, backgroundColor: SOFT, marginBottom: 2 }}>
        <Cells
          size={SMALL}
          name="Désignation"
          columns={columns}
          values={columns.map(({ title }) => title)}
        />
      </View>
      {lines.slice(0, -1).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sheet is drawn once.
        <Line key={index} line={line} isVatExempt={isVatExempt} />
      ))}
      <View wrap={false}>
        {last && <Line line={last} isVatExempt={isVatExempt} />}
        <Totals {...sheet} />
      </View>
    </View>
  );
}

function Line({
  line,
  isVatExempt,
}: {
  line: InvoiceDocument["snapshot"]["lines"][number];
  isVatExempt: boolean;
}) {
  return (
    <View wrap={false} style={{ ...RULE, borderBottomWidth: THICKNESS }}>
      <Cells
        name={line.name}
        columns={isVatExempt ? COLUMNS_WITHOUT_VAT : COLUMNS}
        values={[
          formatNumber(line.quantity),
          ...(isVatExempt ? [] : [formatEuros(unitNetCents(line)), formatRate(line.vatRateBp)]),
          formatEuros(line.unitPriceCents),
          formatEuros(lineTotalCents(line)),
        ]}
      />
    </View>
  );
}

function Cells({
  name,
  columns,
  values,
  size,
}: {
  name: string;
  columns: readonly { title: string; width: number }[];
  values: readonly string[];
  size?: number | undefined;
}) {
  return (
    <View style={{ flexDirection: "row", paddingVertical: 5, paddingHorizontal: 8 }}>
      <Text size={size} style={{ flex: 1 }}>
        {name}
      </Text>
      {columns.map(({ title, width }, index) => (
        <Text key={title} size={size} style={{ ...amount, width }}>
          {values[index] ?? ""}
        </Text>
      ))}
    </View>
  );
}

function Footer({
  seller: { name, address },
  isOnePage,
}: {
  seller: InvoiceDocument["snapshot"]["seller"];
  isOnePage: boolean;
}) {
  return (
    <View
      fixed
      style={{
        ...RULE,
        ...muted,
        borderTopWidth: THICKNESS,
        position: "absolute",
        left: MARGIN,
        right: MARGIN,
        bottom: 22,
        height: 40,
        paddingTop: 8,
        flexDirection: "row",
        gap: 12,
      }}
    >
      <Text size={8} style={{ flex: 1, maxLines: 2, textOverflow: "ellipsis" }}>
        {[name, ...address].filter(Boolean).join(" – ")}
      </Text>
      <PageNumber isOnePage={isOnePage} />
    </View>
  );
}

function PageNumber({ isOnePage }: { isOnePage: boolean }) {
  const style = { width: 80, fontSize: 8, textAlign: "right" } as const;
  if (isOnePage) return <PdfText style={style}>page 1 / 1</PdfText>;
  return (
    <PdfText
      style={style}
      render={({ pageNumber, totalPages }) => `page ${pageNumber} / ${totalPages}`}
    />
  );
}
