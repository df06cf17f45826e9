import { gt, sql } from "drizzle-orm";
import { db } from "@/db";
import { users } from "@/db/schema/auth";
import { parseOptions, print, runCommand } from "@/scripts/command";
import { withDatabase } from "@/scripts/database";

// npm run links:void – invalidates every mailed link that confirms an address or resets a password, for
// instance after tokens may have leaked. Their owners ask for new ones.
void runCommand(() => {
  parseOptions({ options: {}, usage: "Usage : npm run links:void" });
  return withDatabase({ command: "npm run links:void" }, async () => {
    const now = sql`now()`;
    const resets = await db
      .update(users)
      .set({ resetTokenExpiresAt: now })
      .where(gt(users.resetTokenExpiresAt, now))
      .returning({ id: users.id });
    const confirmations = await db
      .update(users)
      .set({ confirmationTokenExpiresAt: now })
      .where(gt(users.confirmationTokenExpiresAt, now))
      .returning({ id: users.id });
    print(
      `Liens annulés : ${resets.length} pour un mot de passe, ${confirmations.length} pour une confirmation d'adresse.`,
    );
  });
});
