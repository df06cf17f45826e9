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

/** Starts what the requests of a server's process need. */
export async function startServices(): Promise<void> {
  await startWithinProcess();
  logResponses();
  warnOfUnusableFolders();
  warnOfMissingServices();
}

/**
 * Starts what works beside the requests. To be called once the server listens: a process that cannot must not
 * empty the cache in front of the one that does.
 */
export function startWorkers(): void {
  purgeEverything();
  for (const worker of WORKERS) worker.start();
}

/** Settles when the workers have finished their current items. */
export async function stopWorkers(): Promise<void> {
  await Promise.all(WORKERS.map((worker) => worker.stop()));
}

/** Says in the log what a shop that is no demonstration lacks. */
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
