import { checkoutWorker } from "@/lib/checkout/worker";
import { mailWorker } from "@/lib/mail/worker";
import { maintenanceWorker } from "@/lib/maintenance/worker";
import { relatedWorker } from "@/lib/related/worker";
import { stockAlertWorker } from "@/lib/stock-alerts/worker";
import { pictureWorker } from "@/lib/uploads/worker";

const WORKERS = [
  mailWorker,
  checkoutWorker,
  pictureWorker,
  stockAlertWorker,
  relatedWorker,
  maintenanceWorker,
];

/** Starts the background workers. Any number of processes may run them. */
export function startWorkers(): void {
  for (const worker of WORKERS) worker.start();
}

/** Settles when the workers have finished their current items. */
export async function stopWorkers(): Promise<void> {
  await Promise.all(WORKERS.map((worker) => worker.stop()));
}
