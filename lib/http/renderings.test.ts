import { expect, test } from "@playwright/test";
import { takingTurns } from "@/lib/http/renderings";

test("so many go on at once, the others in their order; whoever gives up leaves the queue", async () => {
  const turns = takingTurns(2);
  const begun: number[] = [];
  const all = [0, 1, 2, 3, 4].map((number) => {
    const turn = turns.take();
    void turn.begun.then(() => begun.push(number));
    return turn;
  });
  const settled = () => new Promise(setImmediate);
  await settled();
  expect(begun).toEqual([0, 1]);
  // It waits, and its place in the queue is the next one's.
  all[2]?.end();
  await settled();
  expect(begun).toEqual([0, 1]);
  // Twice is once.
  all[0]?.end();
  all[0]?.end();
  await settled();
  expect(begun).toEqual([0, 1, 3]);
  all[1]?.end();
  await settled();
  expect(begun).toEqual([0, 1, 3, 4]);
});
