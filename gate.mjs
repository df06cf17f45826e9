// Loaded by Node.js before Next.js, which listens before it has loaded the shop. Whoever connects in
// that moment waits here, until the shop looks at what comes (docs/decisions/012). It is plain
// JavaScript outside of the bundle, and hears through `globalThis` that the shop is ready.
import { Server } from "node:http";

/** @type {{ server: Server, socket: import("node:net").Socket }[]} */
const waiting = [];
const ignore = () => undefined;

const { emit } = Server.prototype;

/** @this {Server} @param {string} event @param {any[]} values */
Server.prototype.emit = function (event, ...values) {
  if (event !== "connection") return Reflect.apply(emit, this, [event, ...values]);
  const [socket] = values;
  // It may break off before anybody else listens for that.
  socket.on("error", ignore);
  waiting.push({ server: this, socket });
  return true;
};

globalThis[Symbol.for("mini-ecommerce.gate")] = () => {
  // Of EventEmitter, as before.
  delete Server.prototype.emit;
  for (const { server, socket } of waiting.splice(0)) {
    // Who has left without a word would never be heard of again: its end is past.
    if (socket.readableEnded) socket.destroy();
    else if (!socket.destroyed) server.emit("connection", socket);
    socket.off("error", ignore);
  }
};
