import { createWorker } from "@/lib/background/worker";

/** Milliseconds. */
const INTERVAL = 60_000;

export const stockAlertWorker = createWorker({
  name: "stock-alert-worker",
  interval: INTERVAL,
  failure: "mails about products back in stock cannot be written",
  run: async (signal) => {
    // Imported with the first round: serverless processes run none.
    const { sendStockAlerts } = await import("./mutations");
    await sendStockAlerts({ signal });
  },
});
