import { checkoutWorker } from "@/lib/checkout/worker";
import { purgeEverything } from "@/lib/http/cache/purge";
import { logResponses } from "@/lib/http/server/request-log";
import { mailWorker } from "@/lib/mail/worker";
import { maintenanceWorker } from "@/lib/maintenance/worker";
import { warnOfUnusableFolders } from "@/lib/process/folders";
import { warnOfMissingServices } from "@/lib/process/missing-services";
import { startWithinProcess } from "@/lib/process/start";
import { pictureWorker } from "@/lib/uploads/worker";

/** Starts what works beside the requests of a server's process. */
export async function startServices(): Promise<void> {
  await startWithinProcess();
  logResponses();
  warnOfUnusableFolders();
  warnOfMissingServices();
  purgeEverything();
  mailWorker.start();
  checkoutWorker.start();
  pictureWorker.start();
  maintenanceWorker.start();
}
