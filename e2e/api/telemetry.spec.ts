import { createProduct } from "@/db/factories/catalogue";
import { addToCart, confirm, createBuyer, payCart } from "../buying";
import { attributesOf, type Span, startCollector } from "../collector";
import { expect, test } from "../fixtures";
import { logLines } from "../log-lines";

const MARK = "zqxmark";

type Collector = Awaited<ReturnType<typeof startCollector>>;

/** Expects one trace for the whole purchase, which the log lines name. */
async function expectTraceOfPurchase(
  { shop, collector }: { shop: { log: () => string }; collector: Collector },
  requestId: unknown,
): Promise<void> {
  const line = () => logLines(shop).find((each) => each.requestId === requestId);
  await expect.poll(line).toBeDefined();
  const ofPurchase = () => collector.spans().filter(({ traceId }) => traceId === line()?.traceId);
  const names = () => ofPurchase().map(({ name }) => name);
  const expected = [
    ...["POST /api/cart/confirm-order", "checkout complete", "payment provider"],
    ...["INSERT order_lines", "INSERT mail_outbox", "mail deliver"],
  ];
  await expect.poll(names, { timeout: 40_000 }).toEqual(expect.arrayContaining(expected));
  const one = (name: string) => ofPurchase().find((span) => span.name === name) as Span;
  const parentsOf = (span: Span): string[] => {
    const parent = ofPurchase().find(({ spanId }) => spanId === span.parentSpanId);
    return parent ? [parent.name, ...parentsOf(parent)] : [];
  };
  expect(parentsOf(one("INSERT order_lines"))).toEqual(
    expect.arrayContaining(["checkout complete", "POST /api/cart/confirm-order"]),
  );
  expect(attributesOf(one("INSERT order_lines"))).toEqual({
    "db.system.name": "postgresql",
    "db.operation.name": "INSERT",
    "db.collection.name": "order_lines",
  });
  expect(attributesOf(one("mail deliver"))).toMatchObject({
    "shop.mail.template": "order-confirmation",
  });
}

test("a purchase is one trace, without personal data", async ({ shopWith, cards }) => {
  const collector = await startCollector();
  try {
    const shop = await shopWith({
      env: {
        LOG_LEVEL: "debug",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a-key-for-the-collector",
        OTEL_SERVICE_NAME: "boutique-de-test",
        OTEL_METRIC_EXPORT_INTERVAL: "200",
        // Lets the caller continue a trace.
        TRUST_PROXY: "1",
      },
    });
    const { api, database } = shop;
    const product = await createProduct({ db: database });
    const buyers = [await createBuyer(database), await createBuyer(database)];
    const secrets: string[] = [];
    // The first call of an endpoint is traced like the second.
    for (const buyer of buyers) {
      await addToCart({ api, buyer, productId: product.id });
      const secret = await payCart({ api, buyer, cards });
      const answer = await confirm({ api, buyer, secret });
      expect(answer.status).toBe(201);
      secrets.push(secret);
      await expectTraceOfPurchase({ shop, collector }, answer.headers["x-request-id"]);
    }
    const token = "0f".repeat(32);
    await api.get(`/reset-password/${token}?email=${MARK}@exemple.fr`);
    await api.get(`/products?search=${MARK}`);
    await api.get(`/${MARK}@exemple.fr?x=${MARK}`);
    for (let i = 0; i < 2; i++)
      await api.get(`/api/products?search=${MARK}`, { headers: { "User-Agent": MARK } });
    // A call within the trace of its caller.
    const traceparent = `00-${"1f".repeat(16)}-${"2e".repeat(8)}-01`;
    await api.get(`/api/products/${product.id}`, { headers: { traceparent } });
    const ofCaller = () => collector.spans().filter(({ traceId }) => traceId === "1f".repeat(16));
    await expect.poll(() => ofCaller().map(({ name }) => name)).toContain("GET /api/products/[id]");
    const [call] = ofCaller().filter(({ name }) => name === "GET /api/products/[id]");
    expect(call?.parentSpanId).toBe("2e".repeat(8));
    expect(attributesOf(call as Span)).toMatchObject({
      "http.method": "GET",
      "http.route": "/api/products/[id]",
      "http.status_code": 200,
    });

    const requests = () =>
      collector.points("http.server.request.duration").map((point) => ({
        ...attributesOf(point),
        count: Number(point.count),
      }));
    await expect.poll(requests).toContainEqual({
      "http.request.method": "POST",
      "http.response.status_code": 201,
      count: expect.any(Number),
    });
    await expect
      .poll(() => collector.points("shop.orders.completed").map((point) => point.asDouble))
      .toEqual([2]);
    for (const name of [
      ...["db.client.connection.count", "db.client.connection.pending_requests"],
      ...["shop.outbox.overdue", "shop.checkouts.overdue", "shop.refunds.waiting"],
      "nodejs.eventloop.delay.p99",
    ])
      await expect.poll(() => collector.points(name).length, name).toBeGreaterThan(0);
    expect(collector.headers()["x-key"]).toBe("a-key-for-the-collector");

    // Unsent data is sent before the shop ends.
    await api.get("/api/tags?page=7");
    expect(await shop.end()).toBe(0);
    expect(collector.received()).toContain("boutique-de-test");
    const paths = collector.spans().map(({ name }) => name);
    expect(paths).toContain("GET /api/tags");
    const received = collector.received();
    const personal = buyers.flatMap(({ email, token }) => [email, token.slice(0, 24)]);
    for (const each of [MARK, token, ...personal, ...secrets, "exemple"])
      expect(received, each).not.toContain(each);
  } finally {
    await collector.close();
  }
});

test("an unreachable collector has no effect", async ({ shopWith }) => {
  const { api, end, log } = await shopWith({
    database: "shared",
    // Nothing listens on the port "discard".
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_METRIC_EXPORT_INTERVAL: "100" },
  });
  for (let page = 1; page < 20; page++)
    expect((await api.get(`/api/products?page=${page}`)).status).toBe(200);
  expect(await end()).toBe(0);
  expect(log().split("\n").length).toBeLessThan(20);
});
