import { createWorker } from "@/lib/background/worker";

/** Runs `maintain`, which works once an hour. */
export const maintenanceWorker = createWorker({
  name: "maintenance-worker",
  failure: "old data cannot be deleted",
  run: async () => {
    // Imported with the first round: on a host without background work most processes run none.
    const { maintain } = await import("./maintain");
    await maintain();
  },
});
