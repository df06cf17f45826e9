import { View } from "@react-pdf/renderer";
import { formatRate, vatOf, vatTotals } from "@/lib/invoices/rules";
import type { Sheet } from "@/lib/invoices/sheet";
import {
  ACCENT,
  amount,
  bold,
  muted,
  RULE,
  SMALL,
  SUM_COLUMN,
  THICKNESS,
} from "@/lib/invoices/sheet-style";
import { Lines, Text, WORDS } from "@/lib/invoices/sheet-text";
import { formatEuros } from "@/lib/money";

/** VAT per rate, the sums, and the means of payment. */
export function Totals(sheet: Sheet) {
  const { kind, document } = sheet;
  const { totalCents, paymentId, snapshot } = document;
  const { isVatExempt, vatNotes = [] } = snapshot;
  const rates = vatOf(snapshot);
  const sums = vatTotals(rates);
  const words = WORDS[kind];
  // A payment id typed by an administrator may be a transfer, or anything else.
  const paymentLabel = paymentId?.startsWith("pi_") ? words.card : words.otherPayment;
  return (
    <View style={{ marginTop: 18 }}>
      <View style={{ width: 4 * SUM_COLUMN, alignSelf: "flex-end" }}>
        {rates.length > 0 && !isVatExempt && (
          <>
            <Rates rates={rates} />
            <Sum label="Total HT" cents={sums.netCents} />
            <Sum label="Total TVA" cents={sums.vatCents} />
          </>
        )}
        {
          // Where an administrator has corrected the amount, the invoice shows the difference.
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
          <Sum
            size={11.5}
            label={isVatExempt ? words.total : words.totalWithVat}
            cents={totalCents}
          />
        </View>
      </View>
      {vatNotes.length > 0 && (
        <View style={{ marginTop: 14 }}>
          <Lines>{vatNotes}</Lines>
        </View>
      )}
      {paymentId && (
        <Text style={{ ...muted, marginTop: 14 }}>{`${paymentLabel} : ${paymentId}`}</Text>
      )}
      {kind === "credit-note" && <Text style={muted}>{`Motif : ${sheet.reason}`}</Text>}
    </View>
  );
}

function Rates({ rates }: { rates: ReturnType<typeof vatOf> }) {
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
