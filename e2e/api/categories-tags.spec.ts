import { sql } from "drizzle-orm";
import { inFrenchOrder } from "@/db/french-order";
import { expect, test } from "../fixtures";
import type { Collection, LabelJson } from "../representation";

const kinds = [
  { path: "/api/categories", type: "Category", table: "categories" },
  { path: "/api/tags", type: "Tag", table: "tags" },
] as const;

test.beforeAll(({ shop }) => shop.forgetCaches());

for (const { path, type, table } of kinds)
  test(`${path} lists all by name, without hydra:view on one page`, async ({ api, database }) => {
    const rows = await database.execute<{ id: number; name: string; color: string }>(
      sql`select id, name, color from ${sql.identifier(table)} order by ${inFrenchOrder(sql`name`)}, id`,
    );
    // Other tests of this worker may have added rows, so only the first page is compared.
    expect(rows.length).toBeGreaterThan(7);
    const first = rows.slice(0, 30);
    const { status, headers, json } = await api.get<Collection<LabelJson>>(path);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/ld+json; charset=utf-8");
    const { "hydra:search": search, "hydra:view": view, ...rest } = json;
    expect(view === undefined).toBe(rows.length <= 30);
    expect(rest).toEqual({
      "@context": `/api/contexts/${type}`,
      "@id": path,
      "@type": "hydra:Collection",
      "hydra:totalItems": rows.length,
      "hydra:member": first.map((row) => ({
        "@id": `${path}/${row.id}`,
        "@type": type,
        ...row,
      })),
    });
    expect(search["@type"]).toBe("hydra:IriTemplate");
    expect(search["hydra:template"]).toMatch(new RegExp(`^${path}`));
    const plain = await api.get<unknown[]>(path, { accept: "application/json, text/plain, */*" });
    expect(plain.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(plain.json).toEqual(first);
    const second = await api.get<unknown[]>(`${path}?itemsPerPage=3&page=2`, {
      accept: "application/json",
    });
    expect(second.json).toEqual(rows.slice(3, 6));
  });
