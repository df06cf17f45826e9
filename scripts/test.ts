import { runCommand } from "@/scripts/command";
import { runSteps, testSteps } from "@/scripts/steps";

// npm test – everything that `npm run verify` checks, then the site in a browser.
void runCommand(() => runSteps(testSteps));
