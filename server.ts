import nextEnv from "@next/env";
import next from "next";
import { noteCatalogueView } from "@/lib/catalogue/view-path";
import { env } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { createPipeline } from "@/lib/http/server/pipeline";
import { shopResponseClass } from "@/lib/http/server/response";
import { ShopServer } from "@/lib/http/server/shop-server";
import { OperatorError } from "@/lib/operator-error";
import { startServices, startWorkers } from "@/lib/process/services";
import { drainOnSignals } from "@/lib/process/shutdown";
import { unlinkImmediates } from "@/lib/workarounds/immediates";

// The shop's server, on every host that runs a process: `npm start`, `npm run dev`, the Docker image and
// the tests start it (dist/…/server.mjs, made of this file by scripts/bundle.ts). It loads everything,
// and then listens. What happens to a request: lib/http/server/pipeline.ts. A serverless host runs
// Next.js alone.

const folder = process.cwd();
const isDevelopment = process.env.NODE_ENV === "development";

async function start(): Promise<void> {
  nextEnv.loadEnvConfig(folder, isDevelopment, { info: () => undefined, error: console.error });
  // A wrong configuration stops the start here rather than a visitor later.
  const { NODE_ENV, DATABASE_URL, PORT: port, LISTEN_ADDRESS } = env();
  if (NODE_ENV === "production" && DATABASE_URL === undefined)
    throw new OperatorError(
      "DATABASE_URL manque, elle est obligatoire ici : seul npm start lance une base embarquée. Chaque variable est expliquée dans .env.example.",
    );
  unlinkImmediates();
  await startServices();

  const server = new ShopServer({ ServerResponse: shopResponseClass() });
  const app = next({
    dev: isDevelopment,
    dir: folder,
    port,
    hostname: LISTEN_ADDRESS ?? "localhost",
    quiet: !isDevelopment,
    // Next.js takes over this server's upgrades, for hot reloading. It would never answer them in production.
    httpServer: isDevelopment ? server : new ShopServer(),
  });
  await app.prepare();
  const endpoints = isDevelopment ? undefined : (await import("@/app/api")).API_INDEX;
  server.on(
    "request",
    createPipeline({
      next: app.getRequestHandler(),
      noteView: noteCatalogueView,
      endpoints,
    }),
  );

  // The development server ends at once.
  if (isDevelopment)
    for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
  else drainOnSignals({ server, closeNext: () => app.close() });
  server.listen(port, LISTEN_ADDRESS, () => {
    log.info({ port, address: LISTEN_ADDRESS }, "open");
    startWorkers();
    process.send?.("ready");
  });
  server.once("error", (error: NodeJS.ErrnoException) => {
    if (error.syscall !== "listen") stopWith(error);
    const place = [`PORT=${port}`, LISTEN_ADDRESS && `LISTEN_ADDRESS=${LISTEN_ADDRESS}`];
    stopWith(
      new OperatorError(
        `La boutique ne peut pas écouter là (${place.filter(Boolean).join(", ")}) : ${error.code}.`,
      ),
    );
  });
}

function stopWith(error: unknown): never {
  console.error(error instanceof OperatorError ? error.message : error);
  process.exit(1);
}

start().catch(stopWith);
