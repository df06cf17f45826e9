import { expect, test } from "@playwright/test";
import { createSemaphore } from "@/lib/runtime/semaphore";

test("the permits are given in order, and an aborted waiter leaves the queue", async () => {
  const turns = createSemaphore(2);
  const begun: number[] = [];
  const all = [0, 1, 2, 3, 4].map((number) => {
    const end = new AbortController();
    const turn = turns.hold(end.signal).then(() => {
      begun.push(number);
    });
    turn.catch(() => undefined);
    return { turn, end: () => end.abort(new Error(`${number} has ended`)) };
  });
  const settled = () => new Promise(setImmediate);
  await settled();
  expect(begun).toEqual([0, 1]);
  // The waiting request is aborted, and the next one takes its place in the queue.
  all[2]?.end();
  await expect(all[2]?.turn).rejects.toThrow("2 has ended");
  await settled();
  expect(begun).toEqual([0, 1]);
  all[0]?.end();
  await settled();
  expect(begun).toEqual([0, 1, 3]);
  all[1]?.end();
  await settled();
  expect(begun).toEqual([0, 1, 3, 4]);
  await expect(turns.hold(AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
});

test("a task waits for its permit up to its time limit, and always releases it", async () => {
  const turns = createSemaphore(1);
  const wait = { atMost: 5, error: () => new Error("too long") };
  const long = { ...wait, atMost: 60_000 };
  let end: () => void = () => undefined;
  const first = turns.run(() => new Promise<void>((resolve) => (end = resolve)), wait);
  const patient = turns.run(async () => "patient", long);
  await expect(turns.run(async () => "never", wait)).rejects.toThrow("too long");
  expect([turns.inUse, turns.waiting]).toEqual([1, 1]);
  end();
  await first;
  expect(await patient).toBe("patient");
  await expect(turns.run(() => Promise.reject(new Error("wrong")), wait)).rejects.toThrow("wrong");
  expect([turns.inUse, turns.waiting]).toEqual([0, 0]);
});

test("where enough tasks wait, a further one is refused at once", async () => {
  const turns = createSemaphore(1);
  const wait = { atMost: 60_000, maxWaiting: 2, error: () => new Error("too many") };
  let end: () => void = () => undefined;
  const first = turns.run(() => new Promise<void>((resolve) => (end = resolve)), wait);
  const queued = [1, 2].map((number) => turns.run(async () => number, wait));
  await expect(turns.run(async () => 3, wait)).rejects.toThrow("too many");
  end();
  await first;
  expect(await Promise.all(queued)).toEqual([1, 2]);
  expect(await turns.run(async () => 4, wait)).toBe(4);
});
