import { expect, test } from "@playwright/test";
import { viewOfUrl } from "./client";
import { parseView } from "./queries";

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
  }
});
