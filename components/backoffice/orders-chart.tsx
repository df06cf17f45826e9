"use client";

import {
  CartesianGrid,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { centsFromEuros, formatEuros } from "@/lib/money";
import { smoothCurve } from "./smooth-curve";

export interface ChartPoint {
  /** The day, or the first day of the week or month, as it is shown. */
  label: string;
  /** Euros. */
  total: number;
}

const euros = (value: number) => formatEuros(centsFromEuros(value) ?? Math.round(value * 100));
const wholeEuros = new Intl.NumberFormat("fr-FR", {
  style: "currency",
  currency: "EUR",
  maximumFractionDigits: 0,
});

/** A line from zero up. Its table stands beside it, for those who cannot see it. */
export function OrdersChart({ points }: { points: readonly ChartPoint[] }) {
  return (
    <div aria-hidden="true" className="h-72 w-full text-xs">
      <ResponsiveContainer>
        <LineChart
          data={[...points]}
          margin={{ top: 8, right: 16, bottom: 0, left: 8 }}
          // What the table says need not be reached by keyboard.
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--color-line)" vertical={false} />
          <XAxis
            dataKey="label"
            stroke="var(--color-muted)"
            tickLine={false}
            minTickGap={24}
            tickMargin={8}
          />
          <YAxis
            domain={[0, "auto"]}
            stroke="var(--color-muted)"
            tickLine={false}
            axisLine={false}
            width={72}
            tickFormatter={(value: number) => wholeEuros.format(value)}
          />
          <Tooltip formatter={(value) => euros(Number(value))} />
          <Legend verticalAlign="top" align="right" height={32} />
          <Line
            dataKey="total"
            name="Montant des Commandes"
            type={smoothCurve}
            stroke="var(--color-accent)"
            strokeWidth={2}
            dot={points.length <= 40 ? { r: 3 } : false}
            isAnimationActive={false}
          />
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
