// Vendure with its defaults, a shipping method and a payment that always succeeds, for
// `npm run bench -- vendure`. Stands in a folder where @vendure/core is installed; reads
// DATABASE_URL, PORT and PASSWORD.

import { bootstrap, DefaultLogger, dummyPaymentHandler, LogLevel } from "@vendure/core";
import { populateInitialData } from "@vendure/core/cli/index.js";

const url = new URL(process.env.DATABASE_URL ?? "");

const app = await bootstrap({
  apiOptions: {
    port: Number(process.env.PORT),
    shopApiPath: "shop-api",
    adminApiPath: "admin-api",
  },
  authOptions: {
    tokenMethod: "bearer",
    requireVerification: false,
    superadminCredentials: { identifier: "superadmin", password: process.env.PASSWORD ?? "" },
  },
  dbConnectionOptions: {
    type: "postgres",
    host: url.hostname,
    port: Number(url.port),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    synchronize: true,
    logging: false,
    poolSize: 20,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  plugins: [],
});
await populateInitialData(app, {
  defaultLanguage: "en",
  defaultZone: "France",
  countries: [{ code: "FR", name: "France", zone: "France" }],
  taxRates: [{ name: "TVA", percentage: 20 }],
  shippingMethods: [{ name: "Colis", price: 490 }],
  paymentMethods: [
    {
      name: "card",
      handler: {
        code: "dummy-payment-handler",
        arguments: [{ name: "automaticSettle", value: "true" }],
      },
    },
  ],
  collections: [],
});
