import { sql } from "drizzle-orm";
import { createCategory, createTag } from "@/db/factories/catalogue";
import { inFrenchOrder } from "@/db/french-order";
import { expect, test } from "../fixtures";
import { type Collection, type LabelJson, readWhole } from "../representation";

const kinds = [
  { path: "/api/categories", type: "Category", table: "categories", create: createCategory },
  { path: "/api/tags", type: "Tag", table: "tags", create: createTag },
] as const;

test.beforeAll(({ shop }) => shop.forgetCaches());

for (const { path, type, table, create } of kinds)
  test.describe(path, () => {
    test("lists all by name, without hydra:view if one page contains them", async ({
      api,
      database,
    }) => {
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
    });

    test("returns a single one, in both formats", async ({ api, arrange }) => {
      const row = await arrange((db) => create({ db, name: "Été & « hiver »", color: "#0a0b0c" }));
      const fields = { id: row.id, name: "Été & « hiver »", color: "#0a0b0c" };
      const item = await api.get(`${path}/${row.id}`);
      expect(item.json).toEqual({
        "@context": `/api/contexts/${type}`,
        "@id": `${path}/${row.id}`,
        "@type": type,
        ...fields,
      });
      const plain = await api.get(`${path}/${row.id}`, { accept: "application/json" });
      expect(plain.json).toEqual(fields);
      expect(await readWhole({ api, path })).toContainEqual(fields);
    });

    test("is paged", async ({ api }) => {
      const whole = await readWhole<LabelJson>({ api, path });
      const total = whole.length;
      const last = Math.ceil(total / 3);
      const seen: number[] = [];
      let next: string | undefined = `${path}?itemsPerPage=3`;
      for (let page = 1; next; page++) {
        const { json }: { json: Collection<LabelJson> } = await api.get(next);
        seen.push(...json["hydra:member"].map(({ id }) => id));
        const view: Record<string, string> = json["hydra:view"] ?? {};
        const pageUrl = (number: number) => `${path}?itemsPerPage=3&page=${number}`;
        expect(view).toEqual({
          "@id": pageUrl(page),
          "@type": "hydra:PartialCollectionView",
          "hydra:first": pageUrl(1),
          "hydra:last": pageUrl(last),
          ...(page > 1 ? { "hydra:previous": pageUrl(page - 1) } : {}),
          ...(page < last ? { "hydra:next": pageUrl(page + 1) } : {}),
        });
        next = view["hydra:next"];
      }
      expect(seen).toEqual(whole.map(({ id }) => id));
      const beyond = await api.get<Collection<LabelJson>>(`${path}?page=999`);
      expect(beyond.status).toBe(200);
      expect(beyond.json).toMatchObject({ "hydra:totalItems": total, "hydra:member": [] });
      const plain = await api.get<unknown[]>(`${path}?itemsPerPage=2&page=2`, {
        accept: "application/json",
      });
      expect(plain.json).toHaveLength(2);
    });

    test("a page that cannot be read is 400, an unknown id 404", async ({ api }) => {
      for (const query of [
        "page=0",
        "page=-1",
        "page=abc",
        "itemsPerPage=-1",
        "itemsPerPage=abc",
      ]) {
        const { status, json } = await api.get(`${path}?${query}`);
        expect(status, query).toBe(400);
        expect(json).toMatchObject({ "@type": "hydra:Error", status: 400 });
      }
      for (const id of ["0", "-1", "1.5", "abc", "99999999999", "2147483647", "1%00"]) {
        const { status, headers, json } = await api.get(`${path}/${id}`);
        expect(status, id).toBe(404);
        expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
        expect(json).toMatchObject({ "@type": "hydra:Error", error: "Élément introuvable." });
      }
    });
  });
