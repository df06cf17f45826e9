import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase, queryRows } from "@/bench/database";
import { buyFor, CUSTOMERS, openShop, PRODUCTS, waitForMails, warmUp } from "@/bench/purchases";
import {
  aimOf,
  formatFigure,
  printAims,
  printTable,
  quantilesOf,
  saveResults,
} from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop } from "@/bench/shop";
import { freePort } from "@/sandbox/ports";
import { startNode } from "@/scripts/child";
import { initialEnv, ROOT } from "@/scripts/command";

// npm run bench -- vendure – the purchases of `npm run bench -- purchases`, made in Vendure on a database
// with the same settings: customers who are logged in put two products into their cart, give address and
// shipping method, and pay. Vendure's payment is a function that says yes; it writes no invoice and sends
// no mail. The package is installed into a temporary folder, from the registry that npm is set up for.

const PACKAGES = ["@vendure/core@3.7.3", "pg@8"];
/** Of everybody. */
const PASSWORD = randomBytes(16).toString("hex");
const VENDURE_PRODUCTS = 50;
/** Of each shop in turn, per number of customers: whatever else the machine does meets both. */
const ROUNDS = 3;
const START_TIMEOUT_MS = 120_000;
/** Of purchases per second. */
const TIMES = 5;

/** A client of one of Vendure's APIs, with a session of its own. */
class Client {
  #token = "";
  constructor(private readonly url: string) {}

  /** @throws for errors of GraphQL, and for results that are errors */
  async call<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    this.#token = response.headers.get("vendure-auth-token") ?? this.#token;
    const { data, errors } = (await response.json()) as {
      data?: Record<string, { errorCode?: string; message?: string } | null>;
      errors?: unknown;
    };
    const failed = Object.values(data ?? {}).find((result) => result?.errorCode);
    if (errors || failed) throw new Error(`${query}: ${JSON.stringify(errors ?? failed)}`);
    return data as T;
  }
}

const ERROR = "... on ErrorResult { errorCode message }";

const login = (client: Client, username: string) =>
  client.call(
    `mutation ($username: String!, $password: String!) {
      login(username: $username, password: $password) { __typename ${ERROR} } }`,
    { username, password: PASSWORD },
  );

/** Products with one variant each, of which there are plenty. @returns the variants' ids */
async function createProducts(admin: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= VENDURE_PRODUCTS; number++) {
    const { createProduct } = await admin.call<{ createProduct: { id: string } }>(
      `mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }`,
      {
        input: {
          translations: [
            {
              languageCode: "en",
              name: `Lampe ${number}`,
              slug: `lampe-${number}`,
              description: "",
            },
          ],
        },
      },
    );
    const { createProductVariants } = await admin.call<{ createProductVariants: { id: string }[] }>(
      `mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }`,
      {
        input: [
          {
            productId: createProduct.id,
            sku: `L-${number}`,
            price: 1990,
            stockOnHand: 10_000_000,
            translations: [{ languageCode: "en", name: `Lampe ${number}` }],
          },
        ],
      },
    );
    ids.push(...createProductVariants.map(({ id }) => id));
  }
  return ids;
}

async function createCustomer(url: string, index: number): Promise<Client> {
  const client = new Client(url);
  const emailAddress = `client-${index}@exemple.test`;
  await client.call(
    `mutation ($input: RegisterCustomerInput!) {
      registerCustomerAccount(input: $input) { __typename ${ERROR} } }`,
    { input: { emailAddress, firstName: "Camille", lastName: "Martin", password: PASSWORD } },
  );
  await login(client, emailAddress);
  return client;
}

const ADDRESS = {
  fullName: "Camille Martin",
  streetLine1: "12 rue des Lilas",
  city: "Lyon",
  postalCode: "69003",
  countryCode: "FR",
};

/** One purchase, from the empty cart to the order. */
async function purchase(
  client: Client,
  { variantIds, methodId }: { variantIds: readonly string[]; methodId: string },
): Promise<void> {
  for (const id of variantIds)
    await client.call(
      `mutation ($id: ID!) {
        addItemToOrder(productVariantId: $id, quantity: 1) { __typename ${ERROR} } }`,
      { id },
    );
  await client.call(
    `mutation ($input: CreateAddressInput!, $method: [ID!]!) {
      setOrderShippingAddress(input: $input) { __typename ${ERROR} }
      setOrderShippingMethod(shippingMethodId: $method) { __typename ${ERROR} }
      transitionOrderToState(state: "ArrangingPayment") { __typename ${ERROR} } }`,
    { input: ADDRESS, method: [methodId] },
  );
  const { addPaymentToOrder } = await client.call<{ addPaymentToOrder: { state: string } }>(
    `mutation { addPaymentToOrder(input: { method: "card", metadata: {} }) {
      __typename ... on Order { state } ${ERROR} } }`,
  );
  if (addPaymentToOrder.state !== "PaymentSettled")
    throw new Error(`The order is ${addPaymentToOrder.state}.`);
}

/** Installs Vendure and starts it. @returns its address */
async function startVendure({
  services,
  databaseUrl,
}: {
  services: BenchOptions["services"];
  databaseUrl: string;
}): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-vendure-"));
  await services.start(async () => ({
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }));
  console.log(`Installing ${PACKAGES.join(", ")}…`);
  const { status } = spawnSync(
    "npm",
    ["install", "--prefix", folder, "--no-audit", "--no-fund", "--silent", ...PACKAGES],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  if (status !== 0) throw new Error("npm could not install Vendure.");
  const program = path.join(folder, "server.mjs");
  copyFileSync(path.join(ROOT, "bench/vendure-server.mjs"), program);
  const port = await freePort();
  const child = await services.start(async () =>
    startNode({
      args: [program],
      env: {
        ...initialEnv,
        NODE_ENV: "production",
        // It would tell its makers.
        VENDURE_DISABLE_TELEMETRY: "true",
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        PASSWORD,
      },
      stdout: "ignore",
    }),
  );
  let hasEnded = false;
  void child.ended.then(() => {
    hasEnded = true;
  });
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end && !hasEnded; await delay(200))
    if (await isFilled(`${url}/shop-api`)) return url;
  throw new Error("Vendure does not answer.");
}

/** The channel's zone is the last of the data that the server writes at its start. */
async function isFilled(url: string): Promise<boolean> {
  try {
    const { activeChannel } = await new Client(url).call<{
      activeChannel: { defaultTaxZone: unknown };
    }>("{ activeChannel { defaultTaxZone { id } } }");
    return activeChannel.defaultTaxZone !== null;
  } catch {
    return false;
  }
}

/** Vendure with its products, and customers who are logged in. */
async function openVendure({ services, url }: { services: BenchOptions["services"]; url: string }) {
  await queryRows({ url, sql: "drop database if exists vendure with (force)" });
  await queryRows({ url, sql: "create database vendure" });
  const databaseUrl = Object.assign(new URL(url), { pathname: "/vendure" }).href;
  const origin = await startVendure({ services, databaseUrl });
  const admin = new Client(`${origin}/admin-api`);
  await login(admin, "superadmin");
  const variants = await createProducts(admin);
  const { shippingMethods } = await admin.call<{ shippingMethods: { items: { id: string }[] } }>(
    "{ shippingMethods { items { id } } }",
  );
  const methodId = shippingMethods.items[0]?.id ?? "";
  const customers: Client[] = [];
  for (let index = 0; index < Math.max(...CUSTOMERS); index++)
    customers.push(await createCustomer(`${origin}/shop-api`, index));
  let purchases = 0;
  const buy = (client: Client) => {
    purchases += 1;
    const variantIds = [purchases * 7, purchases * 7 + 31].map(
      (place) => variants[place % variants.length] ?? "",
    );
    return purchase(client, { variantIds, methodId });
  };
  return { customers, buy };
}

/** One of the two, with the times of its purchases. */
class Contender<T> {
  #times: number[] = [];
  #elapsed = 0;
  constructor(
    private readonly shop: { customers: readonly T[]; buy: (customer: T) => Promise<void> },
  ) {}

  async buy({ count, seconds }: { count: number; seconds: number }): Promise<void> {
    const customers = this.shop.customers.slice(0, count);
    const { times, elapsed } = await buyFor({ seconds, customers, buy: this.shop.buy });
    this.#times.push(...times);
    this.#elapsed += elapsed;
  }

  get figures() {
    return { perSecond: this.#times.length / this.#elapsed, ...quantilesOf(this.#times) };
  }
}

export async function run({ services, seconds }: BenchOptions): Promise<number> {
  console.log("Building the shop…");
  await buildShop(services);
  const database = await openDatabase({ services, products: PRODUCTS, isDurable: true });
  const shop = await openShop({ services, database });
  const vendure = await openVendure({ services, url: database.url });
  await warmUp(shop.customers, shop.buy);
  await warmUp(vendure.customers, vendure.buy);
  const rows = [];
  for (const count of CUSTOMERS) {
    const [own, other] = [new Contender(shop), new Contender(vendure)];
    for (let round = 0; round < ROUNDS; round++) {
      await waitForMails(database);
      await own.buy({ count, seconds });
      await waitForMails(database);
      await other.buy({ count, seconds });
    }
    rows.push({ customers: count, own: own.figures, vendure: other.figures });
  }
  printTable(
    ["customers", "/s", "p50 ms", "p99 ms", "Vendure /s", "p50 ms", "p99 ms"],
    rows.map(({ customers, own, vendure }) => [
      String(customers),
      ...[own.perSecond, own.p50, own.p99, vendure.perSecond, vendure.p50, vendure.p99].map(
        formatFigure,
      ),
    ]),
  );
  const aims = rows.map(({ customers, own, vendure }) =>
    aimOf({
      name: `${customers} customers: purchases per second, times Vendure's`,
      value: own.perSecond / vendure.perSecond,
      atLeast: TIMES,
    }),
  );
  printAims(aims);
  saveResults("vendure", { rows });
  return services.shutDown(aims.every(({ isMet }) => isMet) ? 0 : 1);
}
