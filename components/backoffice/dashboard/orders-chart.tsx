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
import { formatAmount } from "@/lib/money";
import { smoothCurve } from "./smooth-curve";

interface ChartPoint {
  /** The day, or the first day of the week or month, as shown. */
  label: string;
  /** Euros. */
  total: number;
}

const wholeEuros = new Intl.NumberFormat("fr-FR", {
  style: "currency",
  currency: "EUR",
  maximumFractionDigits: 0,
});

/** A line chart from zero up. The dashboard has the same data as a table for screen readers. */
export function OrdersChart({ points }: { points: readonly ChartPoint[] }) {
  return (
    <div
      aria-hidden="true"
      // Scaled for printing: the chart's own size follows the window.
      className="h-72 w-full text-xs print:h-auto print:[&_div]:h-auto! print:[&_div]:w-full! print:[&_svg]:h-auto!"
    >
      <ResponsiveContainer>
        <LineChart
          data={[...points]}
          margin={{ top: 8, right: 16, bottom: 0, left: 8 }}
          // The dashboard's table is accessible instead.
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
          <Tooltip formatter={(value) => formatAmount(Number(value))} />
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
