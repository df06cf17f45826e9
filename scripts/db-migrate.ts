import { print, runCommand } from "@/scripts/command";
import { withDatabase } from "@/scripts/database";

// npm run db:migrate – applies the pending migrations.
void runCommand(() =>
  withDatabase({ command: "npm run db:migrate" }, async ({ applied }) => {
    if (applied === 0) print("La base de données est à jour.");
    else print(`La base de données est à jour : ${applied} migration(s) appliquée(s).`);
  }),
);
