import { expect, test } from "@playwright/test";
import { VIEW_HEADER } from "./url";
import { noteView, parametersOfPath } from "./view-path";

/** The parameters of the cached page of `url`; undefined where it has none. */
function parametersFor(url: string) {
  const headers: Record<string, unknown> = {};
  noteView({ url, headers });
  const view = headers[VIEW_HEADER];
  return typeof view === "string" ? parametersOfPath(view.split("/")) : undefined;
}

test("the known filters of a URL reach the page, in a fixed order", () => {
  const view = { category: "3", type: "digital", page: "2" };
  expect(parametersFor("/products?page=2&type=digital&category=3")).toEqual(view);
  expect(parametersFor("/products?category=%2Fapi%2Fcategories%2F3")).toEqual({
    category: "/api/categories/3",
  });
  expect(parametersFor("/products?category=3?&page=2")).toEqual({ category: "3?", page: "2" });
  expect(parametersFor("/products?type=&utm_source=x")).toEqual({ page: "1" });
});

/** The path of the page of `url`, and whether Next.js stores that page. */
function pathFor(url: string) {
  const headers: Record<string, unknown> = {};
  return { path: noteView({ url, headers }), isStored: VIEW_HEADER in headers };
}

const searchPath = (text: string) => `search/${Buffer.from(text).toString("base64url")}`;

test("a search has a path of its text, whatever its characters, and is rendered per request", () => {
  for (const text of ["thé", "Tasse à thé", "50%", "%41", "a/b", "..", "?#&", "日本 😀", "C++"]) {
    const url = `/products?type=digital&search=${encodeURIComponent(text)}`;
    const path = `${searchPath(text)}/type/digital`;
    expect(pathFor(url), text).toEqual({ path, isStored: false });
  }
  const spaced = "/products?search=+tasse%0A++%C3%A0%C2%A0the%CC%81+";
  expect(pathFor(spaced).path).toBe(searchPath("tasse à thé"));
  expect(parametersFor("/products?search=+%09&page=2")).toEqual({ page: "2" });
  // The page cuts the text at 200 characters, without splitting the last one.
  const long = pathFor(`/products?search=${"a".repeat(5_000)}`).path;
  expect(long).toBe(searchPath("a".repeat(201)));
});

test("other pages have no catalogue view, and a client cannot set the header", () => {
  for (const url of ["/productsx?type=digital", "/"]) {
    const headers: Record<string, unknown> = { [VIEW_HEADER]: "type/digital" };
    noteView({ url, headers });
    expect(headers).toEqual({});
  }
});

test("no value escapes the catalogue's path or breaks its parsing", () => {
  for (const value of [".", "..", "%", "%E0%A4%A", "%2500", "../..", "?", "#", "%00"]) {
    const headers: Record<string, unknown> = {};
    noteView({ url: `/products?type=${value}&max_price=${value}`, headers });
    const view = String(headers[VIEW_HEADER]);
    expect(new URL(`/a/${view}`, "http://shop.test").pathname, value).toBe(`/a/${view}`);
    expect(() => parametersOfPath(view.split("/")), value).not.toThrow();
    // Next.js may have decoded the segments already.
    expect(() => parametersOfPath(view.split("/").map(decodeURIComponent)), value).not.toThrow();
  }
});
