import { runCommand, say } from "@/scripts/command";
import { migrateWhenUp, withDatabase } from "@/scripts/database";

// npm run db:migrate – brings the tables up to this version of the shop.
void runCommand(() =>
  withDatabase("npm run db:migrate", async ({ url }) => {
    const count = await migrateWhenUp(url);
    if (count === 0) say("La base de données est à jour.");
    else say(`La base de données est à jour : ${count} migration(s) appliquée(s).`);
  }),
);
