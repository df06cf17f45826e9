import { expect, test } from "@playwright/test";
import { exportUrl, parseView, queryOfView, rowsUrl } from "./view";

const FIRST_VIEW = { page: 1, pageSize: 25, search: "", order: null, filters: {} };

const parse = (query: string) =>
  parseView({
    query: new URLSearchParams(query),
    fields: ["id", "name"],
    filters: ["type", "date[after]"],
  });

test("a view can be restored from its URL", () => {
  const view = {
    page: 3,
    pageSize: 50,
    search: "théière & tasse",
    order: { field: "name", direction: "desc" as const },
    filters: { type: "digital", "date[after]": "2026-11-01" },
  };
  const query = queryOfView(view);
  expect(query).toContain("order[name]=desc");
  expect(parse(query)).toEqual(view);
  expect(queryOfView(parse(query))).toBe(query);
});

test("the first view has no query, and invalid queries lead to it", () => {
  expect(queryOfView(FIRST_VIEW)).toBe("");
  for (const query of ["", "page=0", "page=-1", "page=1.5", "page=x", "page=1e99", "page=1"])
    expect(parse(query), query).toEqual(FIRST_VIEW);
  for (const query of ["itemsPerPage=7", "order[price]=asc", "status=PENDING", "type=", "search= "])
    expect(parse(query), query).toEqual(FIRST_VIEW);
});

test("rows are sorted newest first by default", () => {
  expect(rowsUrl({ path: "/api/tags", view: FIRST_VIEW })).toBe(
    "/api/tags?order[id]=desc&page=1&itemsPerPage=25",
  );
  expect(rowsUrl({ path: "/api/tags", view: parse("order[name]=asc&page=2") })).toBe(
    "/api/tags?order[name]=asc&page=2&itemsPerPage=25",
  );
});

test("an export has the filters and the order, and no page", () => {
  const view = parse("type=digital&search=livre&order[name]=asc&page=2&itemsPerPage=10");
  expect(exportUrl({ path: "/api/products", view })).toBe(
    "/api/products?type=digital&search=livre&order[name]=asc",
  );
});
