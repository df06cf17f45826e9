import { readFileSync } from "node:fs";
import { expect, test } from "../fixtures";

// A crawler opens every view of the catalogue once, so that each is rendered and stored. The server's
// heap is limited here, so that a leak per page ends it.

const VIEWS = 1_200;
const CONNECTIONS = 8;

test("1,200 different pages, eight at once, leave the server alive", async ({ shopWith }) => {
  // Twice the time that the test takes on a slow machine that is busy with other tests.
  test.setTimeout(360_000);
  const { baseURL } = await shopWith({
    env: { RATE_LIMIT_SCALE: "1000000", NODE_OPTIONS: "--max-old-space-size=192" },
  });
  let next = 0;
  const statuses = new Map<number, number>();
  const crawl = async () => {
    while (next < VIEWS) {
      const response = await fetch(`${baseURL}/products?max_price=${1_000 + next++}`);
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, crawl));
  expect([...statuses]).toEqual([[200, VIEWS]]);
});

test("a running server has not loaded Next.js's compiler", async ({ shop }) => {
  test.skip(process.platform !== "linux", "/proc lists what a process has loaded");
  await (await fetch(`${shop.baseURL}/products`)).text();
  const loaded = readFileSync(`/proc/${shop.pid}/maps`, "utf8");
  // Check that a library that is loaded is found.
  expect(loaded).toMatch(/\bargon2\b.*\.node$/m);
  expect(loaded).not.toContain("next-swc");
});
