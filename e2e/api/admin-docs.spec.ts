import { parseHydraDocumentation } from "@api-platform/api-doc-parser";
import { newAdmin } from "../admin";
import { expect, test } from "../fixtures";

test("API Platform's client knows the back office's lists", async ({ api, database, shop }) => {
  const { token } = await newAdmin(database);
  const { api: parsed } = await parseHydraDocumentation(`${shop.baseURL}/api`);
  const entrypoint = await api.get<Record<string, string>>("/api", { accept: "application/json" });
  const paths = Object.values(entrypoint.json);
  expect(paths).toEqual(expect.arrayContaining(["/api/orders", "/api/admin/invoices"]));
  const find = (path: string) => parsed.resources?.find(({ url }) => url === shop.baseURL + path);
  const read: string[] = [];
  for (const path of paths) {
    const list = await api.get<object[]>(`${path}?itemsPerPage=1`, {
      token,
      accept: "application/json",
    });
    expect(list.status, path).toBe(200);
    const [member] = list.json;
    if (!member) continue;
    const keys = Object.keys(member).filter((key) => !key.startsWith("@"));
    const fields = find(path)?.readableFields?.map(({ name }) => name);
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
    const resource = find(`/api/${path}`);
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
  expect(await api.get("/api/users?order[id]=UP", { token })).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining("valeurs permises : asc, desc.") },
  });
});
