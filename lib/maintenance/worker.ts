import { createWorker } from "@/lib/background/worker";

/** Does what is due once an hour. */
export const maintenanceWorker = createWorker({
  name: "maintenance-worker",
  failure: "old data cannot be deleted",
  run: async () => {
    // Loaded with the first round: on a host without background work most processes have none.
    const { maintain } = await import("./maintain");
    await maintain();
  },
});
