import {
  Document,
  Page,
  Text as PdfText,
  renderToBuffer,
  type Styles,
  View,
} from "@react-pdf/renderer";
import type { ComponentProps, ReactElement } from "react";
import { formatLongDate } from "@/lib/dates";
import type { InvoiceDocument } from "@/lib/invoices/document";
import { formatRate, lineTotalCents, vatByRate, vatTotals } from "@/lib/invoices/rules";
import { BOLD, FAMILY, loadTypeface, printable } from "@/lib/invoices/typeface";
import { formatEuros } from "@/lib/money";

/** What is drawn: an invoice, or a credit note that takes back an invoice or a part of one. */
export type Sheet =
  | { kind: "invoice"; document: InvoiceDocument }
  | {
      kind: "credit-note";
      /** Its amounts are positive, as in electronic credit notes (EN 16931): the title says the rest. */
      document: InvoiceDocument;
      /** The number of the corrected invoice; null without one. */
      invoiceNumber: string | null;
      reason: string;
    };

/** A PDF of A4 pages. The same sheet gives the same bytes. */
export async function drawSheet(sheet: Sheet): Promise<Uint8Array> {
  await loadTypeface();
  return renderToBuffer(SheetPages(sheet));
}

const WORDS = {
  invoice: {
    title: "Facture",
    buyer: "Facturé à",
    total: "Total TTC",
    card: "Payé par carte bancaire – identifiant du paiement",
    otherPayment: "Identifiant du paiement",
  },
  "credit-note": {
    title: "Avoir",
    buyer: "Client",
    total: "Total TTC de l’avoir",
    card: "Remboursé sur la carte bancaire – identifiant du paiement",
    otherPayment: "Identifiant du paiement remboursé",
  },
} as const;

export const INK = "#15201b";
const MUTED = "#55605a";
const LINE = "#dfe3dd";
export const ACCENT = "#14594a";
export const SOFT = "#f5f6f3";

/** Points: A4 is 595.28 by 841.89. */
export const MARGIN = 48;
const FOOTER_HEIGHT = 84;
export const RULE = { borderStyle: "solid", borderColor: LINE } as const;
export const THICKNESS = 0.75;

/** Without Inter's contextual alternates (arrows for "->" and the like), which take most of the time. */
export const WORD = { kern: true, calt: false, ccmp: false, liga: false };
/** Figures of one width, so that amounts are aligned. */
const AMOUNT = { ...WORD, tnum: true };

export const bold = { fontFamily: FAMILY, fontWeight: BOLD } as const;
export const muted = { color: MUTED } as const;
export const SMALL = 8.5;
export const amount = { textAlign: "right", fontFeatureSettings: AMOUNT } as const;

/** Right-aligned columns after the name's; the name takes what is left. */
const COLUMNS = [
  { title: "Qté", width: 32 },
  { title: "Prix unitaire TTC", width: 92 },
  { title: "TVA", width: 46 },
  { title: "Total TTC", width: 98 },
] as const;
const SUM_COLUMN = 92;

type Style = Styles[string];

/**
 * Sizes are given to each text: react-pdf multiplies a line height by the size beside it, and once more
 * where text with a page number inherits it.
 */
export function Text({
  children,
  size = 9.5,
  style = {},
}: {
  children: string;
  size?: number | undefined;
  style?: Style;
}) {
  return (
    <PdfText style={{ fontSize: size, lineHeight: 1.42, ...style }}>{printable(children)}</PdfText>
  );
}

/** The texts that are there, below each other. */
export function Lines({ children }: { children: readonly (string | false | null | undefined)[] }) {
  return children.filter(Boolean).map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sheet is drawn once.
    <Text key={index}>{line || ""}</Text>
  ));
}

function SheetPages(sheet: Sheet): ReactElement<ComponentProps<typeof Document>> {
  const { number, issuedAt, snapshot } = sheet.document;
  const { title } = WORDS[sheet.kind];
  const date = new Date(issuedAt);
  return (
    <Document
      title={`${title} ${number}`}
      author={snapshot.seller.name}
      creator={snapshot.seller.name}
      producer={snapshot.seller.name}
      language="fr-FR"
      creationDate={date}
      modificationDate={date}
    >
      <Page
        size="A4"
        style={{
          paddingTop: MARGIN,
          paddingHorizontal: MARGIN,
          paddingBottom: FOOTER_HEIGHT,
          fontFamily: FAMILY,
          color: INK,
          fontFeatureSettings: WORD,
        }}
      >
        <Continuation {...sheet} />
        <Head {...sheet} />
        <Parties {...sheet} />
        <Table {...sheet} />
        <Footer {...sheet} />
      </Page>
    </Document>
  );
}

/** Heads every page but the first. */
function Continuation({ kind, document: { number, snapshot } }: Sheet) {
  const row = (
    <View
      style={{ flexDirection: "row", justifyContent: "space-between", marginBottom: 14, ...muted }}
    >
      <Text style={{ width: "60%" }}>{snapshot.seller.name}</Text>
      <Text>{`${WORDS[kind].title} ${number} (suite)`}</Text>
    </View>
  );
  return <View fixed render={({ pageNumber }) => pageNumber > 1 && row} />;
}

function Head(sheet: Sheet) {
  const { number, issuedAt, snapshot } = sheet.document;
  const { seller, orderNumber } = snapshot;
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
          {WORDS[sheet.kind].title}
        </Text>
        <Text style={bold}>{`N° ${number}`}</Text>
        <Lines>
          {[
            `Date : ${formatLongDate(issuedAt)}`,
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
            {[name, address?.street, address && `${address.postalCode} ${address.city}`, email]}
          </Lines>
        </View>
      ))}
    </View>
  );
}

/** The lines over as many pages as they need. The last one stays with the totals. */
function Table(sheet: Sheet) {
  const { lines } = sheet.document.snapshot;
  const last = lines.at(-1);
  return (
    <View>
      <View fixed style={{ ...bold, backgroundColor: SOFT, marginBottom: 2 }}>
        <Cells size={SMALL} name="Désignation" values={COLUMNS.map(({ title }) => title)} />
      </View>
      {lines.slice(0, -1).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sheet is drawn once.
        <Line key={index} {...line} />
      ))}
      <View wrap={false}>
        {last && <Line {...last} />}
        <Totals {...sheet} />
      </View>
    </View>
  );
}

function Line(line: InvoiceDocument["snapshot"]["lines"][number]) {
  return (
    <View wrap={false} style={{ ...RULE, borderBottomWidth: THICKNESS }}>
      <Cells
        name={line.name}
        values={[
          String(line.quantity),
          formatEuros(line.unitPriceCents),
          formatRate(line.vatRateBp),
          formatEuros(lineTotalCents(line)),
        ]}
      />
    </View>
  );
}

function Cells({
  name,
  values,
  size,
}: {
  name: string;
  values: readonly string[];
  size?: number | undefined;
}) {
  return (
    <View style={{ flexDirection: "row", paddingVertical: 5, paddingHorizontal: 8 }}>
      <Text size={size} style={{ flex: 1 }}>
        {name}
      </Text>
      {COLUMNS.map(({ title, width }, index) => (
        <Text key={title} size={size} style={{ ...amount, width }}>
          {values[index] ?? ""}
        </Text>
      ))}
    </View>
  );
}

/** VAT per rate, the sums, and how it was paid. */
function Totals(sheet: Sheet) {
  const { kind, document } = sheet;
  const { totalCents, paymentId, snapshot } = document;
  const rates = vatByRate(snapshot.lines);
  const sums = vatTotals(rates);
  const words = WORDS[kind];
  // What an administrator has typed may be a transfer, or anything.
  const paymentLabel = paymentId?.startsWith("pi_") ? words.card : words.otherPayment;
  return (
    <View style={{ marginTop: 18 }}>
      <View style={{ width: 4 * SUM_COLUMN, alignSelf: "flex-end" }}>
        {rates.length > 0 && (
          <>
            <Rates rates={rates} />
            <Sum label="Total HT" cents={sums.netCents} />
            <Sum label="Total TVA" cents={sums.vatCents} />
          </>
        )}
        {
          // An invoice whose amount an administrator has corrected says by how much.
          rates.length > 0 && sums.grossCents !== totalCents && (
            <Sum label="Correction" cents={totalCents - sums.grossCents} />
          )
        }
        <View
          style={{
            ...bold,
            backgroundColor: ACCENT,
            color: "#ffffff",
            marginTop: 4,
            paddingVertical: 4,
          }}
        >
          <Sum size={11.5} label={words.total} cents={totalCents} />
        </View>
      </View>
      {paymentId && (
        <Text style={{ ...muted, marginTop: 14 }}>{`${paymentLabel} : ${paymentId}`}</Text>
      )}
      {kind === "credit-note" && <Text style={muted}>{`Motif : ${sheet.reason}`}</Text>}
    </View>
  );
}

function Rates({ rates }: { rates: ReturnType<typeof vatByRate> }) {
  const rows = rates.map(({ vatRateBp, netCents, vatCents, grossCents }) => [
    formatRate(vatRateBp),
    ...[netCents, vatCents, grossCents].map(formatEuros),
  ]);
  return (
    <View style={{ ...RULE, borderBottomWidth: THICKNESS, paddingBottom: 4, marginBottom: 8 }}>
      <View
        style={{
          ...RULE,
          borderBottomWidth: THICKNESS,
          ...muted,
          paddingBottom: 3,
          marginBottom: 4,
        }}
      >
        <RateRow size={SMALL} values={["Taux de TVA", "Montant HT", "TVA", "Montant TTC"]} />
      </View>
      {rows.map((values) => (
        <RateRow key={values[0]} values={values} />
      ))}
    </View>
  );
}

function RateRow({ values, size }: { values: readonly string[]; size?: number | undefined }) {
  return (
    <View style={{ flexDirection: "row", paddingVertical: 2, paddingRight: 8 }}>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two amounts may be the same.
        <Text key={index} size={size} style={{ ...amount, width: "25%" }}>
          {value}
        </Text>
      ))}
    </View>
  );
}

function Sum({ label, cents, size }: { label: string; cents: number; size?: number | undefined }) {
  return (
    <View
      style={{
        flexDirection: "row",
        justifyContent: "space-between",
        paddingVertical: 2,
        paddingLeft: 12,
        paddingRight: 8,
      }}
    >
      <Text size={size}>{label}</Text>
      <Text size={size} style={amount}>
        {formatEuros(cents)}
      </Text>
    </View>
  );
}

function Footer({ document: { snapshot } }: Sheet) {
  const { name, address } = snapshot.seller;
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
      <PdfText
        style={{ width: 80, fontSize: 8, textAlign: "right" }}
        render={({ pageNumber, totalPages }) => `page ${pageNumber} / ${totalPages}`}
      />
    </View>
  );
}
