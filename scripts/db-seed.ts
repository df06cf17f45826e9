import { eq } from "drizzle-orm";
import { db } from "@/db";
import { users } from "@/db/schema/auth";
import { demoAdmin } from "@/db/seed/people";
import { OperatorError } from "@/lib/errors/operator-error";
import { parseOptions, print, runCommand } from "@/scripts/command";
import { withDatabase } from "@/scripts/database";

// npm run db:seed – fills an empty database with the demonstration shop.
// npm run db:seed -- --products 1000000 – also fills the catalogue up to that many products, for
// benchmarks; the demonstration shop may be there already.

function readProducts(text: string): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= 10_000_000) return count;
  throw new OperatorError(
    `--products est incorrect (« ${text} ») : il faut un nombre entier de 1 à 10000000.`,
  );
}

async function readState(): Promise<"empty" | "demo" | "other"> {
  if ((await db.$count(users)) === 0) return "empty";
  return (await db.$count(users, eq(users.email, demoAdmin.email))) > 0 ? "demo" : "other";
}

void runCommand(async () => {
  const { products: text, quiet: isQuiet } = parseOptions({
    options: { products: { type: "string" }, quiet: { type: "boolean", default: false } },
    usage: "Usage : npm run db:seed, ou npm run db:seed -- --products 1000000",
  });
  const products = text === undefined ? null : readProducts(text);
  await withDatabase({ command: "npm run db:seed", isQuiet }, async ({ url }) => {
    const begin = Date.now();
    const state = await readState();
    // A large catalogue is added to the demonstration shop, never to somebody's real one.
    if (state === "other" || (state === "demo" && products === null)) {
      throw new OperatorError(
        "Cette base de données contient déjà des utilisateurs : elle n'est pas remplie, pour ne rien abîmer. La boutique de démonstration demande une base vide.",
      );
    }
    if (state === "empty") {
      const { seedDemo } = await import("@/db/seed/demo");
      const { writeDemoFiles } = await import("@/db/seed/files");
      const { addSoldFile } = await import("@/lib/downloads/storage");
      // Files first: this can be repeated where seeding then fails.
      await writeDemoFiles(addSoldFile);
      await seedDemo();
    }
    if (products !== null) {
      const { seedLargeCatalogue } = await import("@/db/seed/large");
      await seedLargeCatalogue({ url, products, log: print });
    }
    const seconds = ((Date.now() - begin) / 1000).toLocaleString("fr-FR", {
      maximumFractionDigits: 1,
    });
    if (!isQuiet) print(`La base de données est remplie (${seconds} s).`);
  });
});
