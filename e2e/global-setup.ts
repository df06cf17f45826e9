import { startDatabaseBroker } from "./database-broker";

/** Runs once before all tests; what it returns runs after the last one, on Ctrl-C too. */
export default function globalSetup(): Promise<() => Promise<void>> {
  // Playwright ends in order on SIGINT alone.
  for (const name of ["SIGTERM", "SIGHUP"] as const)
    process.once(name, () => process.kill(process.pid, "SIGINT"));
  return startDatabaseBroker();
}
