import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { Drawable } from "@/lib/invoices/drawing";
import { drawPackingSlips } from "@/lib/invoices/packing-slips";
import { drawSheet } from "@/lib/invoices/sheet";

// The thread started by lib/invoices/drawing.ts: draws one sheet after another. Errors are not caught: an
// error ends the thread, and its cause with it.

// Where processors are busy, requests go first. Drawing still gets a tenth of the time, so that nobody waits
// for minutes. Only on Linux does a thread have its own priority: elsewhere this would set the process's
// priority.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on("message", async (sheet: Drawable) => {
  const pdf =
    sheet.kind === "packing-slips" ? await drawPackingSlips(sheet) : await drawSheet(sheet);
  // Copy into a buffer of its own: Node.js may allocate a part of a larger buffer, which the transfer would
  // include.
  const bytes = new Uint8Array(pdf);
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
