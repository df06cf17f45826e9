import { runCommand } from "@/scripts/command";
import { nodeVersionSteps, runSteps } from "@/scripts/steps";

// npm run test:node – what each supported version of Node.js has to pass. With another version than
// the installed one: npx -p node@24 node --import tsx scripts/test-node-version.ts
void runCommand(() => runSteps(nodeVersionSteps));
