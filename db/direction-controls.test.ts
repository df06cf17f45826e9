import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { eq, sql } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createAddress, createUser } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { expect, test } from "@/e2e/database-fixtures";

const FOLDER = path.join(import.meta.dirname, "migrations");

test("the migration removes bidirectional control characters from stored single-line texts", async ({
  database: db,
}) => {
  const file = readdirSync(FOLDER).find((name) => name.endsWith("_email_changes.sql")) ?? "";
  const [cleaning = ""] = readFileSync(path.join(FOLDER, file), "utf8").split(
    "--> statement-breakpoint",
  );
  const user = await createUser({ db, firstName: "Ca\u202emille", lastName: "تونس\u200f" });
  const address = await createAddress({ db, userId: user.id, street: "1 \u2066rue\u2069 Haute" });
  const characteristics = [{ name: "Poi\u202dds", value: 'dit "1\u202c kg"' }];
  const product = await createProduct({ db, name: "Lam\u2068pe", characteristics });
  await db.execute(sql.raw(cleaning));
  const [person] = await db.select().from(users).where(eq(users.id, user.id));
  // Direction marks stay: they do not reorder other text.
  expect(person).toEqual({ ...user, firstName: "Camille" });
  const [home] = await db.select().from(addresses).where(eq(addresses.id, address.id));
  expect(home?.street).toBe("1 rue Haute");
  const [lamp] = await db.select().from(products).where(eq(products.id, product.id));
  expect(lamp).toMatchObject({
    name: "Lampe",
    characteristics: [{ name: "Poids", value: 'dit "1 kg"' }],
  });
});
