import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@/e2e/services/card-sandbox";
import { OperatorError } from "@/lib/errors/operator-error";
import type { StoredEvent } from "@/sandbox/cards/records";
import { Store } from "@/sandbox/cards/store";

const event = (id: string): StoredEvent => ({
  id,
  type: "charge.refunded",
  subject: "pi_1",
  json: "",
  delivery: "delivered",
});
const idsOf = (store: Store) => store.list("events").map(({ id }) => id);
const add = (store: Store, id: string) => store.transact(() => store.put("events", event(id)));

test("committed transactions survive a restart; one that throws is rolled back", ({ folder }) => {
  const file = path.join(folder, "deep", "cards.jsonl");
  const store = new Store(file);
  store.transact(() => {
    store.put("events", event("a"));
    store.put("events", event("b"));
  });
  expect(() =>
    store.transact(() => {
      store.put("events", event("c"));
      expect(store.get("events", "c")).toBeDefined();
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(idsOf(store)).toEqual(["a", "b"]);
  const again = new Store(file);
  expect(idsOf(again)).toEqual(["a", "b"]);
});

test("a line cut off by a crash is dropped, and the next one is intact", ({ folder }) => {
  const file = path.join(folder, "cards.jsonl");
  const store = new Store(file);
  add(store, "a");
  const whole = readFileSync(file, "utf8");
  for (const cut of [1, 10, whole.length - 2]) {
    writeFileSync(file, whole + whole.replace('"a"', '"lost"').slice(0, cut));
    const after = new Store(file);
    expect(idsOf(after)).toEqual(["a"]);
    add(after, "b");
    const last = new Store(file);
    expect(idsOf(last)).toEqual(["a", "b"]);
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
  for (let round = 0; round < 2_000; round += 1) add(store, `d${round % 3}`);
  const before = statSync(file).size;
  const again = new Store(file);
  add(again, "after");
  expect(statSync(file).size).toBeLessThan(before / 100);
  const last = new Store(file);
  expect(idsOf(last)).toEqual(["d0", "d1", "d2", "after"]);
});

test("idempotency keys expire after a day", ({ folder }) => {
  const file = path.join(folder, "cards.jsonl");
  const store = new Store(file);
  const day = 24 * 60 * 60 * 1000;
  const answer = { path: "/v1/refunds", fingerprint: "f", status: 200, body: "{}" };
  const now = Date.now();
  store.transact(() => {
    store.put("answers", { id: "old", ...answer, savedAt: now - day - 1_000 });
    store.put("answers", { id: "new", ...answer, savedAt: now - day + 60_000 });
  });
  expect(new Store(file).list("answers").map(({ id }) => id)).toEqual(["new"]);
});
