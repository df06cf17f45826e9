import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { OperatorError } from "@/lib/errors/operator-error";
import { print } from "@/scripts/command";

const SYSTEM_PATHS = [
  // Debian's headless shell: a third faster.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * CHROMIUM_PATH, else the path of Playwright's Chromium, else of the system's; null if there is none.
 *
 * @throws OperatorError if CHROMIUM_PATH does not exist
 */
export function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new OperatorError(`CHROMIUM_PATH est incorrecte : « ${CHROMIUM_PATH} » n'existe pas.`);
  }
  return [chromium.executablePath(), ...SYSTEM_PATHS].find((file) => existsSync(file)) ?? null;
}

/** The Chromium for the browser tests. If there is none, root installs Debian's, others Playwright's. */
export function requireChromium(): string {
  const run = (command: string) =>
    spawnSync(command, { shell: true, stdio: ["ignore", "inherit", "inherit"] });
  if (!findChromium() && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    print("Installation de Chromium par apt…");
    const install = "DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends";
    run(`apt-get update -q; ${install} chromium-headless-shell || ${install} chromium`);
  }
  if (!findChromium()) {
    print("Téléchargement de Chromium par Playwright…");
    run("npx playwright install chromium");
  }
  const found = findChromium();
  if (found) return found;
  throw new OperatorError(
    "Les essais du site demandent Chromium. Installez-le (apt install chromium, ou npx playwright install chromium), ou donnez son chemin dans CHROMIUM_PATH.",
  );
}
