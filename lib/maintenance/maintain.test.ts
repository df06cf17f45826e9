import { eq } from "drizzle-orm";
import { contactMessages } from "@/db/schema/contact";
import { expect, test } from "@/e2e/database-fixtures";
import { maintain } from "@/lib/maintenance/maintain";

test("expired data is deleted once an hour per process, or on request", async ({ database }) => {
  const isTestMessage = eq(contactMessages.email, "retention@exemple.fr");
  const count = async () =>
    (await database.select().from(contactMessages).where(isTestMessage)).length;
  await maintain({ isEager: true });
  await database.insert(contactMessages).values({
    name: "Camille",
    email: "retention@exemple.fr",
    message: "Bonjour",
    createdAt: new Date("2020-01-01T00:00:00Z"),
  });
  await maintain();
  expect(await count()).toBe(1);
  await maintain({ isEager: true });
  expect(await count()).toBe(0);
});
