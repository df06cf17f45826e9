import { runCommand } from "@/scripts/command";
import { runSteps, verifySteps } from "@/scripts/steps";

// npm run verify – the one command that means "done": types, lint, unit and API tests.
void runCommand(() => runSteps(verifySteps));
