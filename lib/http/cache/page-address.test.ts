import { expect, test } from "@playwright/test";
import { addressInData, addressInDocument, isOwnAddress } from "./page-address";

const dataOf = (url: string, query: string) =>
  `1:"$Sreact.fragment"\n0:{"P":null,"c":${JSON.stringify(url.split("/"))},"q":${JSON.stringify(query)},"i":false}\n`;

test("the URL is read from a page's RSC data and from its document", () => {
  const address = { url: '/product/21?a="]b\\', query: '?a="]b\\' };
  const data = dataOf(address.url, address.query);
  expect(addressInData(data)).toEqual(address);
  // A document brings the data in several pieces.
  const pieces = [data.slice(0, 40), data.slice(40)].map(
    (piece) => `<script>self.__next_f.push(${JSON.stringify([1, piece])})</script>`,
  );
  expect(addressInDocument(`<!DOCTYPE html>${pieces.join("")}`)).toEqual(address);
  expect(addressInData('0:{"P":null}')).toBeNull();
});

test("a text that looks like a URL is not taken for the page's", () => {
  const text = JSON.stringify('"c":["","x"],"q":""');
  expect(addressInData(`0:{"t":${text}}\n`)).toBeNull();
});

const KEY = "/route-cache/APP_PAGE/0a1b/$/site/fr";

test("a page's URL is compared with its cache key", () => {
  const own: [key: string, url: string, query?: string][] = [
    [KEY, "/"],
    [KEY, "/?_rsc=abc_-1"],
    [`${KEY}/product/21`, "/product/21"],
    [`${KEY}/products/page/1`, "/products"],
    [`${KEY}/products/category/3/page/2`, "/products?category=3&page=2", "?category=3&page=2"],
    [`${KEY}/products/category/a%20b`, "/products?category=a+b", ""],
    ["/_not-found", "/_not-found"],
  ];
  for (const [key, url, query = ""] of own)
    expect(isOwnAddress(key, { url, query }), url).toBe(true);
  const others: [key: string, url: string, query?: string][] = [
    [KEY, "/?a", "?a"],
    [`${KEY}/product/21`, "/product/21?email=a", ""],
    [`${KEY}/product/21`, "/product/21", "?email=a"],
    [`${KEY}/product/21`, "/product/22"],
    [`${KEY}/reset-password`, "/reset-password/token"],
    [`${KEY}/products/page/1`, "/products?utm_source=a&page=1", "?page=1"],
  ];
  for (const [key, url, query = ""] of others)
    expect(isOwnAddress(key, { url, query }), url).toBe(false);
  expect(isOwnAddress(KEY, null)).toBe(false);
});
