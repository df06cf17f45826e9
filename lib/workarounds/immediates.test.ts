import { execFileSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { unlinkImmediates } from "@/lib/workarounds/immediates";

const isConcerned = Number.parseInt(process.versions.node, 10) < 24;

test.skip(!isConcerned, "Node.js 24 keeps no request alive through them");

test("Node.js still keeps executed immediates linked: if not, remove the workaround", () => {
  const script = `
    const all = [0, 1, 2].map(() => setImmediate(() => {}));
    const isLinked = ({ _idleNext, _idlePrev }) => Boolean(_idleNext || _idlePrev);
    setImmediate(() => setImmediate(() => process.stdout.write(String(all.some(isLinked)))));`;
  expect(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })).toBe("true");
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Whether an Immediate is still linked to another. */
const isLinked = (immediate: NodeJS.Immediate) => {
  const { _idleNext, _idlePrev } = immediate as unknown as Record<string, unknown>;
  return Boolean(_idleNext || _idlePrev);
};

test("executed immediates are unlinked, and each runs once, in order", async () => {
  unlinkImmediates();
  unlinkImmediates();
  const ran: number[] = [];
  const all = Array.from({ length: 5 }, (_, i) =>
    setImmediate((value: number) => {
      ran.push(value);
      // An Immediate cleared by a running one must not run, even if it is a neighbour.
      if (value === 1) clearImmediate(all[2]);
      if (value === 3) setImmediate(() => ran.push(9));
    }, i),
  );
  clearImmediate(all[0]);
  await turn();
  await turn();
  expect(ran).toEqual([1, 3, 4, 9]);
  expect(all.filter(isLinked)).toEqual([]);
});
