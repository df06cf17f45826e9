import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@/e2e/services/card-sandbox";
import { OperatorError } from "@/lib/operator-error";
import type { StoredDelivery } from "@/sandbox/cards/records";
import { Store } from "@/sandbox/cards/store";

const delivery = (id: string): StoredDelivery => ({ id, outcome: "delivered" });
const idsOf = (store: Store) => store.read((tx) => tx.list("deliveries").map(({ id }) => id));

test("committed transactions survive a restart; one that throws is rolled back", ({ folder }) => {
  const file = path.join(folder, "deep", "cards.jsonl");
  const store = new Store(file);
  store.transact((tx) => {
    tx.put("deliveries", delivery("a"));
    tx.put("deliveries", delivery("b"));
  });
  expect(() =>
    store.transact((tx) => {
      tx.put("deliveries", delivery("c"));
      expect(tx.get("deliveries", "c")).toBeDefined();
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(idsOf(store)).toEqual(["a", "b"]);
  store.close();
  const again = new Store(file);
  expect(idsOf(again)).toEqual(["a", "b"]);
  again.close();
});

test("tables of an older version are left out", ({ folder }) => {
  const file = path.join(folder, "cards.jsonl");
  writeFileSync(
    file,
    `${JSON.stringify([
      ["paymentMethods", { id: "pm_1" }],
      ["deliveries", delivery("a")],
    ])}\n`,
  );
  const store = new Store(file);
  expect(idsOf(store)).toEqual(["a"]);
  store.close();
});

test("a line cut off by a crash is dropped, and the next one is intact", ({ folder }) => {
  const file = path.join(folder, "cards.jsonl");
  const store = new Store(file);
  store.transact((tx) => tx.put("deliveries", delivery("a")));
  store.close();
  const whole = readFileSync(file, "utf8");
  for (const cut of [1, 10, whole.length - 2]) {
    writeFileSync(file, whole + whole.replace('"a"', '"lost"').slice(0, cut));
    const after = new Store(file);
    expect(idsOf(after)).toEqual(["a"]);
    after.transact((tx) => tx.put("deliveries", delivery("b")));
    after.close();
    const last = new Store(file);
    expect(idsOf(last)).toEqual(["a", "b"]);
    last.close();
  }
});

test("a malformed file is named, and not changed", ({ folder }) => {
  const file = path.join(folder, "cards.jsonl");
  appendFileSync(file, "une liste de courses\n");
  expect(() => new Store(file)).toThrow(OperatorError);
  expect(() => new Store(file)).toThrow(/cards\.jsonl, ligne 1/);
  expect(readFileSync(file, "utf8")).toBe("une liste de courses\n");
});

test("the file is written anew at the start, without outdated records", ({ folder }) => {
  const file = path.join(folder, "cards.jsonl");
  const store = new Store(file);
  for (let round = 0; round < 2_000; round += 1)
    store.transact((tx) => tx.put("deliveries", delivery(`d${round % 3}`)));
  store.close();
  const before = statSync(file).size;
  const again = new Store(file);
  again.transact((tx) => tx.put("deliveries", delivery("after")));
  again.close();
  expect(statSync(file).size).toBeLessThan(before / 100);
  const last = new Store(file);
  expect(idsOf(last)).toEqual(["d0", "d1", "d2", "after"]);
  last.close();
});

test("idempotency keys expire after a day, events after thirty", ({ folder }) => {
  const file = path.join(folder, "cards.jsonl");
  const store = new Store(file);
  const day = 24 * 60 * 60 * 1000;
  const answer = { path: "/v1/refunds", fingerprint: "f", status: 200, body: "{}", requestId: "r" };
  const event = { type: "charge.refunded", subject: "pi_1", json: "{}" };
  const now = Date.now();
  store.transact((tx) => {
    tx.put("answers", { id: "old", ...answer, savedAt: now - day - 1_000 });
    tx.put("answers", { id: "new", ...answer, savedAt: now - day + 60_000 });
    tx.put("events", { id: "evt_old", ...event, created: Math.floor((now - 31 * day) / 1000) });
    tx.put("events", { id: "evt_new", ...event, created: Math.floor((now - 29 * day) / 1000) });
  });
  store.close();
  const again = new Store(file);
  again.read((tx) => {
    expect(tx.list("answers").map(({ id }) => id)).toEqual(["new"]);
    expect(tx.list("events").map(({ id }) => id)).toEqual(["evt_new"]);
  });
  again.close();
});
