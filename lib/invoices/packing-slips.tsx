import { Document, Page, Text as PdfText, renderToBuffer, View } from "@react-pdf/renderer";
import type { ComponentProps, ReactElement } from "react";
import { formatLongDate } from "@/lib/dates";
import {
  ACCENT,
  amount,
  bold,
  INK,
  MARGIN,
  muted,
  PAGE,
  RULE,
  SMALL,
  SOFT,
  THICKNESS,
} from "@/lib/invoices/sheet-style";
import { Lines, Text } from "@/lib/invoices/sheet-text";
import { loadTypefaces } from "@/lib/invoices/typeface";
import { formatNumber } from "@/lib/numbers";
import { addressLines, type PostalAddress } from "@/lib/shop/postal-address";

/** The contents of one order's parcel; without prices, since it may be a present. */
export interface PackingSlip {
  orderNumber: string;
  orderedAt: string;
  /** The buyer, who gets the parcel unless the address names somebody else. */
  recipient: string;
  address: PostalAddress;
  shippingMethod: string | null;
  lines: { name: string; reference: string; quantity: number }[];
}

/** Packing slips of several orders as one document. */
export interface PackingSlips {
  kind: "packing-slips";
  seller: { name: string; address: string[] };
  slips: PackingSlip[];
}

/** A PDF in which each order begins on a new page. The same slips give the same bytes. */
export async function drawPackingSlips(document: PackingSlips): Promise<Uint8Array> {
  await loadTypefaces();
  return renderToBuffer(SlipPages(document));
}

/** Points. */
const FOOTER_HEIGHT = 56;
const BOX = 11;
const COLUMNS = { quantity: 42, reference: 84 } as const;

function SlipPages({ seller, slips }: PackingSlips): ReactElement<ComponentProps<typeof Document>> {
  const last = slips.at(-1)?.orderedAt;
  const date = new Date(last ?? 0);
  return (
    <Document
      title="Bons de préparation"
      author={seller.name}
      creator={seller.name}
      producer={seller.name}
      language="fr-FR"
      creationDate={date}
      modificationDate={date}
    >
      {slips.map((slip) => (
        <Page key={slip.orderNumber} size="A4" style={{ ...PAGE, paddingBottom: FOOTER_HEIGHT }}>
          <Head slip={slip} seller={seller} />
          <Recipient {...slip} />
          <Contents {...slip} />
          <Footer {...slip} />
        </Page>
      ))}
    </Document>
  );
}

function Head({ slip, seller }: { slip: PackingSlip; seller: PackingSlips["seller"] }) {
  return (
    <View style={{ flexDirection: "row", gap: 24, marginBottom: 24 }}>
      <View style={{ flex: 1, gap: 1, ...muted }}>
        <Text size={15} style={{ ...bold, lineHeight: 1.3, color: INK }}>
          {seller.name}
        </Text>
        <Lines>{seller.address}</Lines>
      </View>
      <View style={{ flex: 1, gap: 1, marginTop: -5, textAlign: "right" }}>
        <Text size={20} style={{ ...bold, lineHeight: 1.3, color: ACCENT }}>
          Bon de préparation
        </Text>
        <Text size={12} style={bold}>
          {`Commande ${slip.orderNumber}`}
        </Text>
        <Text>{`du ${formatLongDate(slip.orderedAt)}`}</Text>
      </View>
    </View>
  );
}

/** Large enough to be read beside the parcel. */
function Recipient({ recipient, address, shippingMethod }: PackingSlip) {
  return (
    <View style={{ marginBottom: 24, gap: 1 }}>
      <Text size={SMALL} style={muted}>
        Livrer à
      </Text>
      {addressLines(address, recipient).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a slip is drawn once.
        <Text key={index} size={12} style={index === 0 ? bold : {}}>
          {line}
        </Text>
      ))}
      {address.phone && <Text>{`Tél.\u00a0: ${address.phone}`}</Text>}
      {shippingMethod && (
        <Text style={{ marginTop: 6 }}>{`Mode de livraison : ${shippingMethod}`}</Text>
      )}
    </View>
  );
}

/** The lines, each with a box to tick. */
function Contents({ lines }: PackingSlip) {
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <View>
      <View fixed style={{ ...bold, backgroundColor: SOFT, marginBottom: 2 }}>
        <Row size={SMALL} quantity="Qté" name="Article" reference="Référence" />
      </View>
      {lines.map((line, index) => (
        <View
          // biome-ignore lint/suspicious/noArrayIndexKey: a slip is drawn once.
          key={index}
          wrap={false}
          style={{ ...RULE, borderBottomWidth: THICKNESS }}
        >
          <Row {...line} quantity={formatNumber(line.quantity)} hasBox />
        </View>
      ))}
      <Text style={{ ...bold, marginTop: 12, paddingHorizontal: 8 }}>
        {pieces === 1 ? "1 pièce à emballer" : `${formatNumber(pieces)} pièces à emballer`}
      </Text>
    </View>
  );
}

function Row({
  quantity,
  name,
  reference,
  size,
  hasBox = false,
}: {
  quantity: string;
  name: string;
  reference: string;
  size?: number;
  hasBox?: boolean;
}) {
  const box = hasBox && { ...RULE, borderWidth: 1, borderColor: INK };
  return (
    <View style={{ flexDirection: "row", gap: 10, paddingVertical: 6, paddingHorizontal: 8 }}>
      <View style={{ width: BOX, height: BOX, marginTop: 1, ...box }} />
      <Text size={size} style={{ ...amount, ...bold, width: COLUMNS.quantity }}>
        {quantity}
      </Text>
      <Text size={size} style={{ flex: 1 }}>
        {name}
      </Text>
      <Text size={size} style={{ ...muted, width: COLUMNS.reference }}>
        {reference}
      </Text>
    </View>
  );
}

function Footer({ orderNumber }: PackingSlip) {
  return (
    <View
      fixed
      style={{
        ...muted,
        position: "absolute",
        left: MARGIN,
        right: MARGIN,
        bottom: 24,
        flexDirection: "row",
        justifyContent: "space-between",
      }}
    >
      <Text size={8}>{orderNumber}</Text>
      <PdfText
        style={{ width: 80, fontSize: 8, textAlign: "right" }}
        render={({ subPageNumber, subPageTotalPages }) =>
          `page ${subPageNumber} / ${subPageTotalPages}`
        }
      />
    </View>
  );
}
