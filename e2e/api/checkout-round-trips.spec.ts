import { createProduct } from "@/db/factories/catalogue";
import { addToCart, type Buyer, confirm, createBuyer, payCart, requestPayment } from "../buying";
import { expect, test } from "../fixtures";

// How often each step of a purchase waits for the database (docs/decisions/065). If the database is a
// millisecond away, each wait costs a millisecond.

const TIMES = 4;

test("a step of a purchase waits for the database no more often than it has to", async ({
  shopWith,
  databaseProxy: proxy,
  database: db,
  cards,
}) => {
  // Few connections, so that each has prepared the statements before the last measurement.
  const env = { DATABASE_URL: proxy.url, DATABASE_POOL_MAX: "2" };
  const { api } = await shopWith({ database: "shared", env });
  const product = await createProduct({ db, priceCents: 4290 });
  await cards.fault({ webhook: "*", effect: "never", times: 5 * TIMES });
  /** The smallest of several counts, because the shop's workers use the database too. */
  const fewest = async (run: (buyer: Buyer) => Promise<() => Promise<unknown>>) => {
    const counts: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      const step = await run(await createBuyer(db));
      // The delay keeps answers from arriving between statements that are sent together.
      proxy.delay(20);
      const before = proxy.roundTrips();
      await step();
      counts.push(proxy.roundTrips() - before);
      proxy.delay(0);
    }
    return Math.min(...counts);
  };
  const fill = (buyer: Buyer) => addToCart({ api, buyer, productId: product.id });

  const counts = {
    // The customer, BEGIN, cart and line, COMMIT.
    add: await fewest(async (buyer) => () => fill(buyer)),
    // The customer, BEGIN, the cart, the checkout with its pieces, COMMIT, its payment.
    open: await fewest(async (buyer) => {
      await fill(buyer);
      return () => requestPayment({ api, buyer });
    }),
    // The customer, the checkout, BEGIN, its lock, what it changes, the order with COMMIT.
    confirm: await fewest(async (buyer) => {
      await fill(buyer);
      const secret = await payCart({ api, buyer, cards });
      return () => confirm({ api, buyer, secret });
    }),
  };
  expect(counts).toEqual({ add: 4, open: 6, confirm: 6 });
  await cards.clearFaults();
});
