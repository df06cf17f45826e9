// Loaded into the programs that scripts/child.ts starts: when the start command is killed, its end
// of the channel closes, and a server that nobody could stop any more stops by itself. The timer is
// for requests that would hold it open.
process.once("disconnect", () => {
  setTimeout(() => process.exit(1), 8_000).unref();
  process.kill(process.pid, "SIGTERM");
});
