import { mock } from "node:test";
import { createProduct } from "@/db/factories/catalogue";
import { expect, test } from "@/e2e/database-fixtures";
import { answerFeed } from "@/lib/seo/feed";

test("a client that does not read keeps no other network from the feed for long", async ({
  database: db,
}) => {
  process.env.SHOP_SERVER = "1";
  const ask = (ip: string) =>
    answerFeed(new Request("http://localhost/feed.xml", { headers: { "x-shop-peer": ip } }));
  // More than is read ahead.
  await Promise.all(Array.from({ length: 120 }, () => createProduct({ db })));
  // Opens the database's connection, too, which needs the real timers.
  await (await ask("203.0.113.1")).text();
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const stalled = await ask("203.0.113.1");
    expect((await ask("203.0.113.1")).status).toBe(429);
    await ask("203.0.113.2");
    expect((await ask("203.0.113.3")).status).toBe(503);
    mock.timers.tick(20_000);
    const read = await ask("203.0.113.3");
    expect(await read.text()).toContain("</rss>");
    await expect(stalled.text()).rejects.toThrow();
    expect((await ask("203.0.113.3")).status).toBe(200);
  } finally {
    mock.timers.reset();
    delete process.env.SHOP_SERVER;
  }
});
