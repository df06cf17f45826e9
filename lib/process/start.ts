import { shareCache } from "@/cache-handler.mjs";
import { getSessionUser } from "@/lib/auth/queries";
import { verifyToken } from "@/lib/auth/token";
import { env, siteUrl } from "@/lib/env";
import { OperatorError } from "@/lib/errors/operator-error";
import { authenticateBy } from "@/lib/http/api/access";
import { EVERY_PAGE } from "@/lib/http/cache/cache-tags";
import { isPurging, purge } from "@/lib/http/cache/purge";
import { beginStoringPages } from "@/lib/http/cache/stored-pages";
import { redirectConsole } from "@/lib/http/server/console";
import { documentPolicy } from "@/lib/http/server/content-security";
import { log } from "@/lib/http/server/log";
import { warnOfUnusableFolders } from "@/lib/process/folders";
import { stopWithServer } from "@/lib/process/stop";
import { startWorkers } from "@/lib/process/workers";
import { unlinkImmediates } from "@/lib/workarounds/immediates";

/**
 * A host that stops the process between two requests, by the variables that such hosts set: its scheduler calls the cron
 * routes instead of the workers (docs/deployment.md).
 */
const isServerless = () =>
  Boolean(process.env.VERCEL ?? process.env.AWS_LAMBDA_FUNCTION_NAME ?? process.env.K_SERVICE);

/**
 * Starts what every process of the shop needs before its first request: the log, the API's authentication, next-auth's
 * URL, the cache, telemetry; in a process that stays, the workers, too. Exits if that fails, for instance because of a
 * wrong configuration: Next.js would go on and answer every request with an error.
 */
export async function startProcess(): Promise<void> {
  await startParts().catch((error: unknown) => {
    console.error(error instanceof OperatorError ? error.message : error);
    process.exit(1);
  });
}

async function startParts(): Promise<void> {
  const { NODE_ENV, DATABASE_URL, OTEL_EXPORTER_OTLP_ENDPOINT } = env();
  if (NODE_ENV === "production" && DATABASE_URL === undefined)
    throw new OperatorError(
      "DATABASE_URL manque, elle est obligatoire ici : seul npm start lance une base embarquée. Chaque variable est expliquée dans .env.example.",
    );
  // The development server shows faults in its own form.
  if (NODE_ENV === "production") redirectConsole();
  unlinkImmediates();
  authenticateBy({ verifyToken, getSessionUser });
  // next-auth reads its URL from this variable only.
  process.env.NEXTAUTH_URL = siteUrl();
  await startCache();
  let stopTelemetry: (() => Promise<void>) | undefined;
  if (OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { startTelemetry } = await import("@/lib/telemetry/provider");
    stopTelemetry = startTelemetry();
  }
  stopWithServer(stopTelemetry);
  if (isServerless()) return;
  warnOfUnusableFolders();
  warnOfMissingServices();
  startWorkers();
}

async function startCache(): Promise<void> {
  const { REDIS_URL } = env();
  beginStoringPages();
  // Pages hold these, and their headers the policy with the hosts that they may reach.
  const settings = [siteUrl(), documentPolicy({ html: "", path: "/checkout" }), isPurging()];
  if (REDIS_URL) await shareCache({ url: REDIS_URL, settings, log });
  // Pages of the former build, and changes that a former process could not tell.
  void purge([EVERY_PAGE]);
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
