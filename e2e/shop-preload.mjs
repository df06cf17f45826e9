// Loaded into the shop that tests start (e2e/shop-process.ts), before the shop itself: says when it
// listens, empties its cache when asked to, and ends it when the test worker is gone.
import { Server } from "node:net";

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once("listening", () => process.send?.({ event: "listening" }));
  return listen.apply(this, args);
};

process.on("message", (message) => {
  if (message !== "forget-caches") return;
  globalThis[Symbol.for("mini-ecommerce.cache")]?.clear();
  process.send?.({ event: "caches-forgotten" });
});

process.once("disconnect", () => process.exit(1));
