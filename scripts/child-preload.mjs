import { Server } from "node:http";

// Loaded into the programs that scripts/child.ts starts, before they run. Node.js hands it on to the
// programs that those start in turn, whose channel is between the two of them: it leaves them alone.
const isGuarded = process.ppid === Number(process.env.SHOP_GUARDED_BY);

if (isGuarded) {
  // When the start command is killed, its end of the channel closes, and a server that nobody could
  // stop any more stops by itself. The timer is for requests that would hold it open.
  process.once("disconnect", () => {
    setTimeout(() => process.exit(1), 8_000).unref();
    process.kill(process.pid, "SIGTERM");
  });
  // The channel alone is no reason to stay: a program that has done its work ends.
  process.channel?.unref();
}

// A server that closes waits for its requests, as it should, and then for the connections that
// browsers keep open between two requests: those are closed as soon as they idle.
const { close } = Server.prototype;
Server.prototype.close = function closeWithIdleConnections(...args) {
  setInterval(() => this.closeIdleConnections(), 50).unref();
  return close.apply(this, args);
};
