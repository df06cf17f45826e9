/** Where Next.js's build is. `npm run bench` makes one with bare routes beside it: bench/shop.ts. */
export const BUILD_FOLDER = process.env.BENCH_BUILD === "1" ? ".next-bench" : ".next";
