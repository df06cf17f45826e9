import { defineConfig } from "@playwright/test";
import { findChromium } from "@/scripts/chromium";

const isRoot = process.getuid?.() === 0;

export default defineConfig({
  outputDir: "test-results/files",
  globalSetup: "./e2e/global-setup.ts",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: false,
  workers: 2,
  // A machine that is busy otherwise may keep a test beyond its time. The second try has a worker of
  // its own, so that a test which passes there and not among others shows what these leave behind;
  // the report names it as flaky, and that has a cause to be found.
  retries: 1,
  // A hung test is worse than a slow one; the slowest of ours takes twenty seconds on a quiet machine.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/results.json" }]],
  projects: [
    {
      name: "unit",
      testMatch: "**/*.test.ts",
      testIgnore: ["e2e/**", ".next/**", ".data/**", "node_modules/**"],
    },
    { name: "api", testDir: "e2e", testMatch: "**/*.spec.ts", testIgnore: "ui/**" },
    {
      name: "ui",
      testDir: "e2e/ui",
      use: {
        browserName: "chromium",
        locale: "fr-FR",
        timezoneId: "Europe/Paris",
        viewport: { width: 1440, height: 900 },
        // Recording every test takes a third of their time, and keeping what failed once is enough.
        trace: "on-first-retry",
        screenshot: "only-on-failure",
        launchOptions: {
          executablePath: findChromium() ?? undefined,
          args: [
            ...(isRoot ? ["--no-sandbox"] : []),
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-domain-reliability",
            "--disable-sync",
            "--no-first-run",
            "--no-pings",
          ],
        },
      },
    },
  ],
});
