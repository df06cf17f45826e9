import { expect, test } from "@playwright/test";
import { hasView, parametersOfPath, viewPathOf } from "./view-path";

const pathFor = (query: string) => viewPathOf(new URLSearchParams(query));

/** The parameters that the stored page of a view gets; undefined where it has none. */
function parametersFor(query: string) {
  const path = pathFor(query);
  return path === null ? undefined : parametersOfPath(path.split("/"));
}

test("the known filters of a URL reach the page, in a fixed order", () => {
  const view = { category: "3", type: "digital", page: "2" };
  expect(parametersFor("page=2&type=digital&category=3")).toEqual(view);
  expect(parametersFor("category=%2Fapi%2Fcategories%2F3")).toEqual({
    category: "/api/categories/3",
  });
  expect(parametersFor("category=3?&page=2")).toEqual({ category: "3?", page: "2" });
  expect(parametersFor("type=&utm_source=x")).toEqual({ page: "1" });
});

test("a text search has no stored page; white space is no text", () => {
  expect(pathFor("type=digital&search=th%C3%A9")).toBeNull();
  expect(pathFor("search=+%09&page=2")).toBe("page/2");
});

test("filters with very many combinations have no stored page", () => {
  for (const query of [
    "tags[]=3",
    "category=3&tags%5B%5D=3&tags%5B%5D=4",
    "min_rating=4",
    "availability=in_stock&page=2",
    "characteristics[Mati%C3%A8re][]=Bois",
    "characteristics[a]=b",
  ]) {
    expect(pathFor(query), query).toBeNull();
    expect(hasView(new URLSearchParams(query)), query).toBe(true);
  }
  expect(pathFor("min_rating=&tags[]=&category=3")).toBe("category/3");
  expect(hasView(new URLSearchParams("utm_source=x&characteristics[a][]="))).toBe(false);
});

test("no value escapes the catalogue's path or breaks its parsing", () => {
  for (const value of [".", "..", "%", "%E0%A4%A", "%2500", "../..", "?", "#", "%00"]) {
    const view = String(pathFor(`type=${value}&max_price=${value}`));
    expect(new URL(`/a/${view}`, "http://shop.test").pathname, value).toBe(`/a/${view}`);
    expect(() => parametersOfPath(view.split("/")), value).not.toThrow();
    // Next.js may have decoded the segments already.
    expect(() => parametersOfPath(view.split("/").map(decodeURIComponent)), value).not.toThrow();
  }
});
