import { expect, test } from "@playwright/test";
import { withOwnAddress } from "@/lib/http/cache/page-address";

const START = "/route-cache/APP_PAGE/0a1b/$/site/fr";

const dataOf = (url: string) =>
  `1:"$Sreact.fragment"\n0:{"P":null,"c":${JSON.stringify(url.split("/"))},"q":"","i":false}\n2:["a"]\n`;
const escaped = (text: string) => text.replaceAll("&", "\\u0026").replaceAll("<", "\\u003c");
const htmlOf = (data: string) =>
  `<p>Une page</p><script>self.__next_f.push([0])</script><script>self.__next_f.push(${escaped(JSON.stringify([1, data]))})</script>`;

/** What a page names that is rendered for `url` and stored under `key`; null if it must not be stored. */
function namedAddress(key: string, url: string) {
  const data = dataOf(url);
  const page = withOwnAddress({ key: START + key, html: htmlOf(data), data });
  if (!page) return null;
  const [, parts = ""] = /"c":(\[.*?\])/.exec(page.data) ?? [];
  const named = (JSON.parse(parts) as string[]).join("/");
  expect(page).toEqual({ html: htmlOf(dataOf(named)), data: dataOf(named) });
  return named;
}

test("a page names the address of its key, whatever the visitor's contained", () => {
  for (const [key, url, named] of [
    ["", "/", "/"],
    ["", "/?email=camille@exemple.fr&x=<b>", "/"],
    ["/product/12", "/product/12?utm_source=lettre", "/product/12"],
    ["/login", "/login?retour=/cart", "/login"],
    ["/products", "/products?utm=1", "/products"],
    ["/products/page/1", "/products", "/products"],
    ["/products/category/3/page/2", "/products?page=2&a=b", "/products?category=3&page=2"],
    ["/products/category/%2Fapi", "/products?category=%2Fapi", "/products?category=%2Fapi"],
    ["/product/caf%C3%A9", "/product/caf%C3%A9?a", "/product/caf%C3%A9"],
  ] as const)
    expect(namedAddress(key, url), url).toBe(named);
});

test("a page of another path than its key's is not stored, nor one without an address", () => {
  expect(namedAddress("/product/12", "/product/13")).toBeNull();
  expect(namedAddress("/product/12", "/PRODUCT/12")).toBeNull();
  expect(withOwnAddress({ key: `${START}/contact`, html: "", data: "1:{}" })).toBeNull();
  // Its address is in no script.
  const page = { key: `${START}/contact`, html: "<p>", data: dataOf("/contact?a") };
  expect(withOwnAddress(page)).toBeNull();
});
