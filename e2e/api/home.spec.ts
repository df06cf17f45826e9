import { expect, test } from "../fixtures";

test("smoke", async ({ api, shop, database }) => {
  const home = await api.get<Record<string, unknown[]>>("/api/home");
  expect(home.status).toBe(200);
  console.log(Object.keys(home.json), shop.baseURL, shop.log());
  await shop.forgetCaches();
  console.log((await database.execute("select count(*) from products")).rows);
});
