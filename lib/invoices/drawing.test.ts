import { readdirSync, readFileSync } from "node:fs";
import { mock } from "node:test";
import { expect, test } from "@playwright/test";
import { isFailure } from "@/lib/errors/failure";
import type { InvoiceDocument } from "@/lib/invoices/document";
import { drawInThread, stopDrawing } from "@/lib/invoices/drawing";
import { drawSheet, type Sheet } from "@/lib/invoices/sheet";

const sheetOf = (lineCount: number, number = "FA-2026-000001"): Sheet => {
  const document: InvoiceDocument = {
    id: 1,
    number,
    issuedAt: new Date("2026-11-20T12:00:00.000Z"),
    totalCents: lineCount * 100,
    paymentId: null,
    snapshot: {
      seller: { name: "Boutique", address: [], siren: "", vatNumber: "", email: "" },
      buyer: { firstName: "Zoë", lastName: "Œuvrard", email: "zoe@exemple.test" },
      shippingAddress: null,
      billingAddress: null,
      orderNumber: null,
      lines: Array.from({ length: lineCount }, (_, index) => ({
        name: `Article n° ${index + 1}`,
        quantity: 1,
        unitPriceCents: 100,
        vatRateBp: 2000,
      })),
    },
  };
  return { kind: "invoice", document };
};

/** Lines that need more memory than the thread has. */
const HUGE = 200_000;

const hasThread = () => {
  const shared = globalThis as unknown as Record<symbol, { worker?: unknown } | undefined>;
  return shared[Symbol.for("mini-ecommerce.drawing")]?.worker !== undefined;
};

test.afterAll(stopDrawing);

test("a thread draws the same bytes as the main thread", async () => {
  await stopDrawing();
  expect(hasThread()).toBe(false);
  await drawSheet(sheetOf(3, "FA-2026-000099"));
  const [first, second] = await Promise.all([
    drawInThread({ sheet: sheetOf(3) }),
    drawInThread({ sheet: sheetOf(5) }),
  ]);
  expect(hasThread()).toBe(true);
  expect(Buffer.from(first).equals(await drawSheet(sheetOf(3)))).toBe(true);
  expect(Buffer.from(second).equals(await drawSheet(sheetOf(5)))).toBe(true);
});

test("the process goes on while a long invoice is drawn", async () => {
  await drawInThread({ sheet: sheetOf(1) });
  let isDrawn = false;
  const drawn = drawInThread({ sheet: sheetOf(60) }).finally(() => {
    isDrawn = true;
  });
  let turns = 0;
  while (!isDrawn) {
    await new Promise(setImmediate);
    turns += 1;
  }
  await drawn;
  // Drawing in this thread would leave no time for turns.
  expect(turns).toBeGreaterThan(100);
});

test("on a busy machine requests have priority over drawing", async () => {
  test.skip(process.platform !== "linux", "Elsewhere threads have no priority of their own.");
  const niceness = () =>
    readdirSync("/proc/self/task").map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[17]);
    });
  await stopDrawing();
  const own = Math.max(...niceness());
  await drawInThread({ sheet: sheetOf(1) });
  expect(niceness().filter((each) => each > own)).toEqual([10]);
  await stopDrawing();
  expect(Math.max(...niceness())).toBe(own);
});

test("a full queue refuses drawings with 503, except those that may wait", async () => {
  const accepted = Array.from({ length: 100 }, () => drawInThread({ sheet: sheetOf(0) }));
  const refusal = await drawInThread({ sheet: sheetOf(0) }).catch((error: unknown) => error);
  expect(isFailure(refusal, "unavailable") && refusal.message).toBe(
    "Trop de factures sont demandées en ce moment. Réessayez dans quelques secondes.",
  );
  expect(isFailure(refusal) && refusal.retryAfter).toBe(5);
  const mail = await drawInThread({ sheet: sheetOf(0), ignoresQueueLimit: true });
  for (const pdf of await Promise.all(accepted)) expect(mail).toEqual(pdf);
  await drawInThread({ sheet: sheetOf(0) });
});

test("a drawing that fails, or exhausts the thread's memory, does not fail others", async () => {
  const wrong = sheetOf(1);
  wrong.document.issuedAt = new Date(Number.NaN);
  await expect(drawInThread({ sheet: wrong })).rejects.toThrow();
  const [before, crashed, after] = await Promise.allSettled([
    drawInThread({ sheet: sheetOf(1) }),
    drawInThread({ sheet: sheetOf(HUGE) }),
    drawInThread({ sheet: sheetOf(1) }),
  ]);
  expect(crashed).toMatchObject({ reason: { code: "ERR_WORKER_OUT_OF_MEMORY" } });
  expect(before.status).toBe("fulfilled");
  expect(after).toEqual(before);
});

test("an idle thread ends, and the next sheet starts another", async () => {
  await stopDrawing();
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const first = await drawInThread({ sheet: sheetOf(1) });
    mock.timers.tick(29_999);
    expect(hasThread()).toBe(true);
    mock.timers.tick(1);
    expect(hasThread()).toBe(false);
    expect(await drawInThread({ sheet: sheetOf(1) })).toEqual(first);
  } finally {
    mock.timers.reset();
  }
});

test("stopping waits for the drawing in progress", async () => {
  const drawn = drawInThread({ sheet: sheetOf(20) });
  await stopDrawing();
  expect(hasThread()).toBe(false);
  expect((await drawn).length).toBeGreaterThan(1_000);
});
