import { runCommand } from "@/scripts/command";
import { runSteps, verifySteps } from "@/scripts/steps";

// npm run verify – types, lint, unit and API tests: run it before you commit.
void runCommand(() => runSteps(verifySteps));
