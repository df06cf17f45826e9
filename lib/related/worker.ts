import { createWorker } from "@/lib/background/worker";

/** Milliseconds. */
const INTERVAL = 60_000;
/** Order lines per round: a shop that is updated reads its whole history, round by round. */
const LIMIT = 5_000;

export const relatedWorker = createWorker({
  name: "related-worker",
  interval: INTERVAL,
  failure: "products bought together cannot be computed",
  run: async (signal) => {
    // Imported with the first round: serverless processes run none.
    const { updateBoughtTogether } = await import("./mutations");
    await updateBoughtTogether({ limit: LIMIT, signal });
  },
});
