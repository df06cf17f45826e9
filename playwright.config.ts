import { defineConfig } from "@playwright/test";
import { findChromium } from "@/scripts/chromium";

const isRoot = process.getuid?.() === 0;

export default defineConfig({
  outputDir: "test-results/files",
  globalSetup: "./e2e/global-setup.ts",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: false,
  // Tests wait for clocks and other processes a quarter of the time: three keep two processors busy.
  workers: 3,
  // None: a test that fails now and then has found something.
  retries: 0,
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
        // Recording every test takes a third of their time: `--trace on` for one that fails.
        trace: "off",
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
