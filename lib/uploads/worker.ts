import { createWorker } from "@/lib/background/worker";

/** Milliseconds. */
const INTERVAL = 3_600_000;
/** Pictures per round. */
const LIMIT = 5_000;

export const pictureWorker = createWorker({
  name: "picture-worker",
  interval: INTERVAL,
  failure: "unused pictures cannot be removed",
  run: async (signal) => {
    // Imported with the first round: serverless processes run none.
    const { removeUnusedPictures } = await import("./cleaning");
    await removeUnusedPictures({ limit: LIMIT, signal });
  },
});
