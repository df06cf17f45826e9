import { parseHydraDocumentation } from "@api-platform/api-doc-parser";
import { newAdmin } from "../admin";
import { expect, test } from "../fixtures";

test("API Platform's client knows the back office's lists", async ({ api, database, shop }) => {
  const { token } = await newAdmin(database);
  const { api: parsed } = await parseHydraDocumentation(`${shop.baseURL}/api`);
  const entrypoint = await api.get<Record<string, string>>("/api", { accept: "application/json" });
  expect(Object.values(entrypoint.json)).toEqual(
    expect.arrayContaining([
      "/api/products",
      "/api/physical_products",
      "/api/digital_products",
      "/api/categories",
      "/api/tags",
      "/api/users",
      "/api/addresses",
      "/api/carts",
      "/api/admin_orders",
      "/api/shipping_methods",
      "/api/orders",
      "/api/admin/invoices",
      "/api/reviews",
    ]),
  );
  const read: string[] = [];
  for (const path of Object.values(entrypoint.json)) {
    const list = await api.get<unknown>(`${path}?itemsPerPage=1`, { token });
    expect(list.status, path).toBe(200);
    const { "hydra:member": members } = list.json as { "hydra:member"?: object[] };
    const [member] = members ?? (list.json as object[]);
    if (!member) continue;
    const keys = Object.keys(member).filter((key) => !key.startsWith("@"));
    const resource = parsed.resources?.find(({ url }) => url === shop.baseURL + path);
    const fields = resource?.readableFields?.map(({ name }) => name);
    expect(fields, path).toEqual(expect.arrayContaining(keys));
    read.push(path);
  }
  expect(read.length).toBeGreaterThan(8);

  const operations = ["list", "create", "show", "edit", "delete"];
  for (const [path, fields] of [
    ["physical_products", ["name", "characteristics"]],
    ["digital_products", ["name", "filesize"]],
    ["categories", ["name", "color"]],
    ["tags", ["name", "color"]],
    ["addresses", ["street", "user"]],
    ["carts", ["user", "items"]],
    ["shipping_methods", ["name", "bands"]],
    ["admin_orders", ["user", "orderItems"]],
    ["reviews", ["rating", "status"]],
    ["users", ["email", "roles", "password"]],
    ["products", ["name", "productType"]],
  ] as const) {
    const resource = parsed.resources?.find(({ url }) => url === `${shop.baseURL}/api/${path}`);
    const types = resource?.operations?.map(({ type }) => type);
    expect(types, path).toEqual(expect.arrayContaining(operations));
    const writable = resource?.writableFields?.map(({ name }) => name);
    expect(writable, path).toEqual(expect.arrayContaining([...fields]));
  }
});

test("every list sorts by every field that it offers, in any case", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const { json } = await api.get<{
    paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
  }>("/api/docs.json");
  const sorts = Object.entries(json.paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter(({ name }) => /^order\[|_sort$/.test(name))
      .map(({ name }) => ({ path: path.replace(/\{\w+\}/, "1"), name })),
  );
  expect(new Set(sorts.map(({ path }) => path)).size).toBeGreaterThan(13);
  for (const { path, name } of sorts)
    for (const direction of ["ASC", "Desc"]) {
      const url = `${path}?${encodeURIComponent(name)}=${direction}&itemsPerPage=1`;
      const { status, text } = await api.get(url, { token });
      expect(status, `${url}: ${text}`).toBe(200);
    }
  const refused = await api.get<{ error: string }>("/api/users?order[id]=UP", { token });
  expect(refused.status).toBe(400);
  expect(refused.json.error).toContain("valeurs permises : asc, desc.");
});
