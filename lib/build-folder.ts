/**
 * The folder of Next.js's build. `npm run bench` makes its own build, with bare routes added:
 * bench/shop.ts.
 */
export const BUILD_FOLDER = process.env.BENCH_BUILD === "1" ? ".next-bench" : ".next";
