import { parseOptions, print, runCommand } from "@/scripts/command";
import { withDatabase } from "@/scripts/database";

// npm run db:migrate – applies the pending migrations.
void runCommand(() => {
  parseOptions({ options: {}, usage: "Usage : npm run db:migrate" });
  return withDatabase({ command: "npm run db:migrate" }, async ({ applied }) => {
    const count = applied === 0 ? "" : ` : ${applied} migration(s) appliquée(s)`;
    print(`La base de données est à jour${count}.`);
  });
});
