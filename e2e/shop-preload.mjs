// Loaded into the shop that tests start (e2e/shop-process.ts), before the shop itself: empties its cache and
// moves its clock when asked to, and ends it when the test worker is gone.
process.on("message", (message) => {
  if (message !== "forget-caches") return;
  globalThis[Symbol.for("mini-ecommerce.cache")]?.entries.clear();
  process.send?.({ event: "caches-forgotten" });
});

let ahead = 0;
const clocks = [
  [Date, Date.now],
  [performance, performance.now.bind(performance)],
];

process.on("message", ({ advance }) => {
  if (advance === undefined) return;
  ahead += advance * 1_000;
  for (const [clock, now] of clocks) clock.now = () => now() + ahead;
  process.send?.({ event: "clock-advanced" });
});

process.once("disconnect", () => process.exit(1));
