import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import { OperatorError } from "@/lib/operator-error";
import { print, ROOT } from "@/scripts/command";

const SYSTEM_PATHS = [
  // Debian's, without windows: the tests take two thirds of the time in it.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The path of CHROMIUM_PATH, else of Playwright's Chromium, else of the system's; null without any.
 *
 * @throws OperatorError where CHROMIUM_PATH does not exist
 */
export function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new OperatorError(`CHROMIUM_PATH est incorrecte : « ${CHROMIUM_PATH} » n'existe pas.`);
  }
  return [chromium.executablePath(), ...SYSTEM_PATHS].find((file) => existsSync(file)) ?? null;
}

function run(command: string, args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"], env }).status === 0;
}

/** Installs Debian's where this is root, else Playwright's. */
function installChromium(): void {
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    print("Installation de Chromium par apt…");
    run("apt-get", ["update", "-q"]);
    for (const name of ["chromium-headless-shell", "chromium"])
      if (run("apt-get", ["install", "-qy", "--no-install-recommends", name])) return;
  }
  print("Téléchargement de Chromium par Playwright…");
  run(process.execPath, [
    path.join(ROOT, "node_modules/@playwright/test/cli.js"),
    "install",
    "chromium",
  ]);
}

/** The Chromium for the browser tests; installs one where there is none. */
export function requireChromium(): string {
  const found = findChromium();
  if (found) return found;
  installChromium();
  const installed = findChromium();
  if (installed) return installed;
  throw new OperatorError(
    "Les essais du site demandent Chromium. Installez-le (apt install chromium, ou npx playwright install chromium), ou donnez son chemin dans CHROMIUM_PATH.",
  );
}
