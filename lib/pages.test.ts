import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { accessOf, folderOf, isStored, isStoredPath, pathsOf, urlPattern } from "@/lib/pages";
import { PAGE_TEXTS } from "@/lib/seo/texts";
import { config } from "@/middleware";

/** The folders with a page below `root`, relative to it; "" is `root` itself. */
const foldersOfPages = (root: string) =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?:^|\/)page\.tsx$/.test(file))
    .map((file) => file.replace(/\/?page\.tsx$/, ""));

test("every page of app/ is in the table, and the other way round", () => {
  const folders = pathsOf(({ isRendered }) => !isRendered)
    .map((path) =>
      folderOf(path)
        .slice(1)
        .replace(/:(\w+)/g, "[$1]"),
    )
    .map((folder) => (folder === "products" ? "products/[[...view]]" : folder));
  // `search` is not in the table: middleware.ts leads text searches there.
  const found = foldersOfPages("app/site/[locale]").filter((folder) => folder !== "search");
  expect(found.toSorted()).toEqual(folders.toSorted());

  const others = new Set(foldersOfPages("app").map((folder) => folder.split("/")[0]));
  const rendered = pathsOf(({ isRendered }) => isRendered === true);
  expect([...others].toSorted()).toEqual(
    ["site", ...rendered.map((path) => path.split("/")[1] ?? "")].toSorted(),
  );
});

test("the middleware's matcher, which must be a literal, matches the table", () => {
  const guarded = pathsOf(({ access }) => access !== "everybody");
  expect(config.matcher).toEqual([
    ...guarded,
    "/_next/image",
    "/mailbox/:path*",
    "/:path(.*%.*)",
    "/:path([^/]*[A-Z].*)",
    { source: "/:path((?!api/|api$).*)", has: [{ type: "header", key: "content-type" }] },
    "/products",
  ]);
});

test("Varnish keeps the pages that the shop itself stores", () => {
  const pages = urlPattern(pathsOf((page) => page.access === "everybody" && isStored(page)));
  const rules = readFileSync("deploy/varnish/default.vcl", "utf8");
  expect(rules).toContain(`"${pages.source.replaceAll("\\/", "/")}"`);
});

test("every indexed page has texts for search engines, except the catalogue's views", () => {
  const indexed = pathsOf(({ isIndexed }) => isIndexed === true);
  expect(Object.keys(PAGE_TEXTS).toSorted()).toEqual(
    indexed.filter((path) => path !== "/products").toSorted(),
  );
});

test("a page is stored unless it is rendered for each request or belongs to one person", () => {
  for (const path of [
    "/",
    "/products",
    "/product/7",
    "/cart",
    "/login",
    "/nothing",
    "/backofficex",
  ])
    expect(isStoredPath(path), path).toBe(true);
  for (const path of [
    ...["/backoffice", "/backoffice/orders", "/mailbox/1.json", "/reset-password/abc"],
    ...["/account-verification/abc", "/order/7/confirmation"],
  ])
    expect(isStoredPath(path), path).toBe(false);
});

test("an optional or repeated segment may be missing, any other not", () => {
  for (const [path, access] of [
    ["/reset-password", "guest"],
    ["/reset-password/abc", "guest"],
    ["/order/7/confirmation", "user"],
    ["/order//confirmation", "everybody"],
    ["/backoffice/a/b", "admin"],
  ] as const)
    expect(accessOf(path), path).toBe(access);
});
