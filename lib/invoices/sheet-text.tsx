import { Text as PdfText } from "@react-pdf/renderer";
import type { Style } from "@/lib/invoices/sheet-style";
import { printable } from "@/lib/invoices/typeface";

export const WORDS = {
  invoice: {
    title: "Facture",
    buyer: "Facturé à",
    total: "Total",
    totalWithVat: "Total TTC",
    card: "Payé par carte bancaire – identifiant du paiement",
    otherPayment: "Identifiant du paiement",
  },
  "credit-note": {
    title: "Avoir",
    buyer: "Client",
    total: "Total de l’avoir",
    totalWithVat: "Total TTC de l’avoir",
    card: "Remboursé sur la carte bancaire – identifiant du paiement",
    otherPayment: "Identifiant du paiement remboursé",
  },
} as const;

/** The title of a corrected version of a paid invoice. */
export const CORRECTED_TITLE = "Facture rectificative";

/**
 * Each text sets its own font size: react-pdf multiplies a line height by the font size of the same style,
 * and multiplies it again where text with a page number inherits it.
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

/** One line per non-empty text. */
export function Lines({ children }: { children: readonly (string | false | null | undefined)[] }) {
  return children.filter(Boolean).map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sheet is drawn once.
    <Text key={index}>{line || ""}</Text>
  ));
}
