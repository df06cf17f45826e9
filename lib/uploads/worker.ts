import { roundsOf } from "@/lib/rounds";

/** Milliseconds between two looks for pictures whose turn it is. */
const INTERVAL = 3_600_000;
/** Pictures per round. */
const LIMIT = 5_000;

/** Removes pictures that nothing shows any more. */
export const pictureWorker = roundsOf({
  name: "picture-worker",
  interval: INTERVAL,
  failure: "unused pictures cannot be removed",
  run: async (signal) => {
    // Loaded with the first round: most of a shop's processes on a host without background have none.
    const { removeUnusedPictures } = await import("./cleaning");
    await removeUnusedPictures({ limit: LIMIT, signal });
  },
});
