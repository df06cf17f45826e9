import { sql } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { expect, test } from "@/e2e/database-fixtures";
import { type ListSource, readPage } from "./list";

test("a page beyond the end of a list reads none of its rows", async ({ database: db }) => {
  for (let i = 0; i < 3; i++) await createProduct({ db, name: `Grelot ${i}` });
  const page = (page: number, source: Partial<ListSource> = {}) =>
    readPage({
      source: {
        from: sql`products p`,
        id: sql`p.id`,
        where: [sql`p.name like 'Grelot %'`],
        direction: "asc",
        ...source,
      },
      request: { page, itemsPerPage: 2 },
      rows: async (ids) => ids.map((id) => ({ id })),
    });
  expect(await page(2)).toMatchObject({ items: [{}], total: 3, hasNext: false });
  expect(await page(3)).toEqual({ items: [], total: 3, hasNext: false });
  // A sort expression that fails as soon as a row is read.
  const unreadable = { by: sql`1 / (p.id - p.id)` };
  expect(await page(1_000_000, unreadable)).toEqual({ items: [], total: 3, hasNext: false });
  await expect(page(2, unreadable)).rejects.toThrow();
});
