import { OperatorError } from "@/lib/errors/operator-error";
import { print, runCommand } from "@/scripts/command";
import { withDatabase } from "@/scripts/database";

// npm run db:migrate – applies the pending migrations.
void runCommand(() => {
  if (process.argv.length > 2)
    throw new OperatorError("Argument inconnu. Usage : npm run db:migrate");
  return withDatabase({ command: "npm run db:migrate" }, async ({ applied }) => {
    if (applied === 0) print("La base de données est à jour.");
    else print(`La base de données est à jour : ${applied} migration(s) appliquée(s).`);
  });
});
