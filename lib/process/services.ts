import { checkoutWorker } from "@/lib/checkout/worker";
import { env } from "@/lib/env";
import { purgeEverything } from "@/lib/http/cache/purge";
import { log } from "@/lib/http/server/log";
import { logResponses } from "@/lib/http/server/request-log";
import { mailWorker } from "@/lib/mail/worker";
import { maintenanceWorker } from "@/lib/maintenance/worker";
import { warnOfUnusableFolders } from "@/lib/process/folders";
import { startWithinProcess } from "@/lib/process/start";
import { pictureWorker } from "@/lib/uploads/worker";

const WORKERS = [mailWorker, checkoutWorker, pictureWorker, maintenanceWorker];

/** Starts the services that requests to a server process need. */
export async function startServices(): Promise<void> {
  await startWithinProcess();
  logResponses();
  warnOfUnusableFolders();
  warnOfMissingServices();
}

/**
 * Starts the background workers. Called once the server listens: a process that cannot listen must not
 * empty the cache in front of the process that does.
 */
export function startWorkers(): void {
  purgeEverything();
  for (const worker of WORKERS) worker.start();
}

/** Settles when the workers have finished their current items. */
export async function stopWorkers(): Promise<void> {
  await Promise.all(WORKERS.map((worker) => worker.stop()));
}

/** Logs the services that are missing in a shop that is no demonstration. */
function warnOfMissingServices(): void {
  const { SHOP_DEMO, RESEND_API_KEY, STRIPE_SECRET_KEY, STRIPE_API_BASE, MAIL_DIR } = env();
  if (SHOP_DEMO) return;
  if (RESEND_API_KEY === undefined)
    log.warn({ variable: "RESEND_API_KEY", folder: MAIL_DIR }, "no mail is sent, only written");
  if (STRIPE_SECRET_KEY === undefined)
    log.warn(
      { variable: "STRIPE_SECRET_KEY", sandbox: STRIPE_API_BASE },
      "payments go to a card sandbox, no money moves",
    );
}
