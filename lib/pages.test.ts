import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { PUBLIC_PAGE, RENDERED_PAGE } from "@/lib/http/server/page";
import { accessOf, folderOf, pathsOf } from "@/lib/pages";
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
  // `search` is not in the table: it renders views of the catalogue on hosts that do not rewrite them to a
  // cached page.
  const found = foldersOfPages("app/site/[locale]").filter((folder) => folder !== "search");
  expect(found.toSorted()).toEqual(folders.toSorted());

  const others = new Set(foldersOfPages("app").map((folder) => folder.split("/")[0]));
  const rendered = pathsOf(({ isRendered }) => isRendered === true);
  expect([...others].toSorted()).toEqual(
    ["site", "unavailable", ...rendered.map((path) => path.split("/")[1] ?? "")].toSorted(),
  );
});

test("the middleware's matcher, which must be a literal, matches the table", () => {
  const guarded = pathsOf(({ access }) => access !== "everybody");
  expect(config.matcher).toEqual([...guarded, "/_next/image", "/mailbox/:path*"]);
});

test("Varnish keeps the pages that the shop itself stores", () => {
  const rules = readFileSync("deploy/varnish/default.vcl", "utf8");
  expect(rules).toContain(`"${PUBLIC_PAGE.source.replaceAll("\\/", "/")}"`);
});

test("every indexed page has texts for search engines, except the catalogue's views", () => {
  const indexed = pathsOf(({ isIndexed }) => isIndexed === true);
  expect(Object.keys(PAGE_TEXTS).toSorted()).toEqual(
    indexed.filter((path) => path !== "/products").toSorted(),
  );
});

const urls = {
  public: [
    "/",
    "/?a=1",
    "/products",
    "/products?page=2",
    "/product/7",
    "/contact",
    "/contact/merci",
  ],
  rendered: ["/backoffice", "/backoffice/orders?page=2", "/mailbox?x", "/mailbox/1.json"],
  neither: [
    "/productsx",
    "/product",
    "/product/7/8",
    "/product/?a",
    "/contact/other",
    "/cart",
    "/login",
    "/backofficex",
    "/mailboxes",
    "/api/products",
    "/site/fr",
    "/a//",
  ],
};

test("a URL is that of a public page, of a rendered one, or of neither", () => {
  for (const [kind, list] of Object.entries(urls))
    for (const url of list) {
      expect(PUBLIC_PAGE.test(url), url).toBe(kind === "public");
      expect(RENDERED_PAGE.test(url), url).toBe(kind === "rendered");
    }
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
