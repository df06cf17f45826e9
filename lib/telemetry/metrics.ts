import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Meter } from "@opentelemetry/api";
import { poolUsage } from "@/db";
import { databaseState } from "@/lib/health/queries";

/** Milliseconds between two samples of the event loop. */
const RESOLUTION_MS = 20;

/** Registers all metrics except the counters, which are incremented where the events happen. */
export function registerMetrics(meter: Meter): void {
  measurePool(meter);
  measureOverdueWork(meter);
  measureEventLoop(meter);
}

function measurePool(meter: Meter): void {
  const connections = meter.createObservableGauge("db.client.connection.count");
  const waiting = meter.createObservableGauge("db.client.connection.pending_requests");
  meter.addBatchObservableCallback(
    (result) => {
      const usage = poolUsage();
      result.observe(connections, usage.used, { "db.client.connection.state": "used" });
      result.observe(connections, usage.idle, { "db.client.connection.state": "idle" });
      result.observe(waiting, usage.waiting);
    },
    [connections, waiting],
  );
}

/** Measures the delay of the most overdue work of each kind; no value while the database is unreachable. */
function measureOverdueWork(meter: Meter): void {
  const mail = meter.createObservableGauge("shop.outbox.overdue", { unit: "s" });
  const checkout = meter.createObservableGauge("shop.checkouts.overdue", { unit: "s" });
  const refund = meter.createObservableGauge("shop.refunds.waiting", { unit: "s" });
  meter.addBatchObservableCallback(
    async (result) => {
      const { overdue } = await databaseState();
      if (overdue === null) return;
      result.observe(mail, overdue.mailSeconds);
      result.observe(checkout, overdue.checkoutSeconds);
      result.observe(refund, overdue.refundSeconds);
    },
    [mail, checkout, refund],
  );
}

function measureEventLoop(meter: Meter): void {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const options = { unit: "s" };
  const p50 = meter.createObservableGauge("nodejs.eventloop.delay.p50", options);
  const p99 = meter.createObservableGauge("nodejs.eventloop.delay.p99", options);
  const max = meter.createObservableGauge("nodejs.eventloop.delay.max", options);
  meter.addBatchObservableCallback(
    (result) => {
      if (histogram.count === 0) return;
      result.observe(p50, histogram.percentile(50) / 1e9);
      result.observe(p99, histogram.percentile(99) / 1e9);
      result.observe(max, histogram.max / 1e9);
      histogram.reset();
    },
    [p50, p99, max],
  );
}
