import { runCommand } from "@/scripts/command";
import { startBuild } from "@/scripts/fresh-build";
import { Services } from "@/scripts/services";

// npm run build – builds the shop, so that `npm start` need not. Needs no database.
void runCommand(async () => {
  const services = new Services(130);
  const build = await services.start(startBuild);
  return build.ended;
});
