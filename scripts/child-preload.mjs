// Preloaded into the processes that scripts/child.ts starts. Their own children inherit it, but have
// an IPC channel to them instead of to the start command: it does nothing there.
const isGuarded = process.ppid === Number(process.env.SHOP_GUARDED_BY);

if (isGuarded) {
  // When the start command is killed, its end of the IPC channel closes: then the program stops. The
  // timer ends it where something holds it open.
  process.once("disconnect", () => {
    setTimeout(() => process.exit(1), 8_000).unref();
    process.kill(process.pid, "SIGTERM");
  });
  // The channel alone must not keep a finished program alive.
  process.channel?.unref();
}
