import { startDatabaseBroker } from "./database-broker";

/** Runs once before all tests. The function that it returns runs after the last test, on Ctrl-C too. */
export default function globalSetup(): Promise<() => Promise<void>> {
  // Playwright shuts down gracefully only on SIGINT.
  for (const name of ["SIGTERM", "SIGHUP"] as const)
    process.once(name, () => process.kill(process.pid, "SIGINT"));
  return startDatabaseBroker();
}
