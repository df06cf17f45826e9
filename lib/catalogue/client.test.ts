import { expect, test } from "@playwright/test";
import { viewOfUrl } from "./client";
import { parseView } from "./queries";
import { readRecentlyViewed, rememberProduct } from "./recently-viewed";
import { urlOfView } from "./url";

test("browser and server parse a URL alike", () => {
  for (const search of [
    "",
    "search=th%C3%A9%20vert",
    "search=%20%20&category=",
    "search=a&search=b",
    "category=3",
    "category=1&category=2",
    "category=/api/categories/3&tags.id=/api/tags/4",
    "category=3&category=",
    "tags.id=7&type=digital",
    "min_price=12.345&max_price=20,5",
    "min_price=%2012%20",
    "min_price=0.999",
    "max_price=99999999999999",
    "price_sort=desc",
    "price_sort=DESC&date_sort=Oldest&type=DIGITAL",
    "date_sort=oldest",
    "date_sort=newest&date_sort=asc",
    "tags[]=4&tags[]=3&tags[]=4",
    "tags.id=7&tags[]=/api/tags/9",
    "tags[]=7&tags[]=",
    "min_rating=4&availability=in_stock",
    "min_rating=4,5&availability=IN_STOCK",
    "min_rating=0",
    "characteristics[Mati%C3%A8re][]=Bois&characteristics[Mati%C3%A8re][]=Acier&characteristics[A]=b",
    "characteristics[Taille%20[cm]][]=10&characteristics[x][]=",
    "page=3",
    "page=2&page=5&type=physical",
    "page=02",
    "page=00000000002",
  ]) {
    const parameters: Record<string, string[]> = {};
    for (const [name, value] of new URLSearchParams(search))
      parameters[name] = [...(parameters[name] ?? []), value];
    const read = parseView(parameters);
    expect(read, search).not.toBeNull();
    expect(viewOfUrl(search), search).toEqual({ ...viewOfUrl(""), ...read });
    if (read)
      expect(viewOfUrl(urlOfView(read).replace("/products", ""))).toEqual(viewOfUrl(search));
  }
});

test("the browser keeps the last ten products, most recent first, once each", () => {
  let stored: string | null = null;
  const localStorage = {
    getItem: () => stored,
    setItem: (_: string, value: string) => {
      stored = value;
    },
  };
  Object.assign(globalThis, { localStorage });
  try {
    expect(readRecentlyViewed()).toEqual([]);
    for (const id of [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 20, 3]) rememberProduct(id);
    expect(stored).toBe("[3,20,1,2,4,5,6,7,8,9]");
    for (const [text, ids] of [
      ['[2000000000,5,"x",null,-1]', [2_000_000_000, 5]],
      ["{", []],
      ['"[1]"', []],
    ] as const) {
      stored = text;
      expect(readRecentlyViewed(), text).toEqual(ids);
    }
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
  }
});
