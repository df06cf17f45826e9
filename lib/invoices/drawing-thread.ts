import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { Drawable } from "@/lib/invoices/drawing";
import { drawPackingSlips } from "@/lib/invoices/packing-slips";
import { drawSheet } from "@/lib/invoices/sheet";

// The thread of lib/invoices/drawing.ts: draws one sheet after another. It does not catch errors: they
// end it, and whatever caused them with it.

// Where the processors are short, requests go first; a tenth of the time is left for drawing, so that nobody
// waits for minutes. Only Linux gives a thread a priority of its own: elsewhere it would be the process's.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on("message", async (sheet: Drawable) => {
  const pdf =
    sheet.kind === "packing-slips" ? await drawPackingSlips(sheet) : await drawSheet(sheet);
  // A copy of its own size: what Node.js allocates may be part of a larger piece of memory.
  const bytes = new Uint8Array(pdf);
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
