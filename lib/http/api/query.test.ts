import { expect, test } from "@playwright/test";
import { z } from "zod";
import { paging, plainArrayPart, plainArrayQuery } from "@/lib/http/api/paging";
import {
  parseQuery,
  queryChoice,
  queryId,
  queryInt,
  queryPrice,
  queryReader,
  querySearch,
} from "@/lib/http/api/query";

const schema = z.object({
  search: querySearch({ description: "Texte" }).optional(),
  type: queryChoice({ physical: "p", digital: "d" }, { description: "Sorte" }).optional(),
  min_price: queryPrice({ description: "Prix" }).optional(),
  "tags.id": queryId("tags", { description: "Étiquette" }).optional(),
  level: queryInt({ min: 0, max: 5, description: "Niveau" }).optional(),
  recent: z.array(z.string()).default([]),
  "order[name]": queryChoice(["asc", "desc"], { description: "Tri" }).optional(),
  ...paging,
});
const reader = queryReader(schema);
const read = (search: string) => parseQuery(schema, reader.read(search));
const page1 = { page: 1, itemsPerPage: 30, recent: [] };

test("an empty query gives the defaults", () => {
  for (const search of ["", "?", "?&&", "?search=&type=&page=&min_price", "?unknown=1&%5B=2"])
    expect(read(search), search).toEqual(page1);
});

test("values are decoded and converted", () => {
  expect(
    read("?search=caf%C3%A9+cr%C3%A8me&type=digital&min_price=12,5&tags.id=3&level=0"),
  ).toEqual({
    ...page1,
    search: "café crème",
    type: "d",
    min_price: 1250,
    "tags.id": 3,
    level: 0,
  });
  expect(read("?tags.id=/api/tags/3")).toMatchObject({ "tags.id": 3 });
  expect(read("?tags%2Eid=3")).toMatchObject({ "tags.id": 3 });
});

test("lists are read in every notation; of a repeated single value the last one counts", () => {
  for (const search of [
    "?recent[]=4&recent[]=2",
    "?recent%5B%5D=4&recent=2",
    "?recent[0]=4&recent[1]=2",
  ])
    expect(read(search), search).toMatchObject({ recent: ["4", "2"] });
  expect(read("?type=digital&type=physical")).toMatchObject({ type: "p" });
});

test("a field's own name may have brackets", () => {
  expect(read("?order[name]=desc")).toMatchObject({ "order[name]": "desc" });
  expect(read("?order%5Bname%5D=asc&order[other]=asc&order[name][]=desc")).toEqual({
    ...page1,
    "order[name]": "asc",
  });
});

test("the values of a choice are case-insensitive", () => {
  expect(read("?type=DIGITAL")).toMatchObject({ type: "d" });
  expect(read("?type=Physical")).toMatchObject({ type: "p" });
});

test("prices are parsed to exact cents", () => {
  const cents = {
    "0": 0,
    "12": 1200,
    "12.3": 1230,
    "12,34": 1234,
    "19.999": 1999,
    "0.07": 7,
    "999999999999": 2_147_483_647,
  };
  for (const [price, value] of Object.entries(cents))
    expect(read(`?min_price=${price}`).min_price, price).toBe(value);
});

test("texts are trimmed and cut, between characters", () => {
  expect(read(`?search=${"a".repeat(10_000)}`).search).toBe("a".repeat(200));
  expect(read(`?search=${"a".repeat(199)}${encodeURIComponent("🦊")}`).search).toBe(
    "a".repeat(199),
  );
  expect(read("?search=%25_%5C%27%22")).toMatchObject({ search: `%_\\'"` });
});

test("page sizes are capped, and page numbers limited", () => {
  expect(read("?itemsPerPage=500").itemsPerPage).toBe(100);
  expect(read("?itemsPerPage=0").itemsPerPage).toBe(0);
  expect(read("?page=99999999999999999999999999").page).toBe(1_000_000_000);
});

const INVALID: [search: string, parameter: string, expected: string][] = [
  ...["0", "-1", "deux", "1.5"].map((page): [string, string, string] => [
    `?page=${page}`,
    "page",
    "un nombre entier à partir de 1 est attendu.",
  ]),
  ["?page=2&itemsPerPage=0", "page", "avec « itemsPerPage » à 0 il n'y a que la page 1."],
  ["?itemsPerPage=-1", "itemsPerPage", "un nombre entier à partir de 0 est attendu."],
  ["?min_price=-1", "min_price", "un prix en euros, de 0 ou plus, est attendu."],
  ["?min_price=abc", "min_price", "un prix en euros, de 0 ou plus, est attendu."],
  ["?type=autre", "type", "valeurs permises : physical, digital."],
  ["?type=constructor", "type", "valeurs permises : physical, digital."],
  ["?type[]=digital", "type", "une seule valeur est attendue."],
  ["?tags.id=abc", "tags.id", "un identifiant est attendu."],
  ["?level=6", "level", "un nombre entier de 0 à 5 est attendu."],
  ["?search=a%00b", "search", "caractère interdit."],
];

test("invalid values are refused with a sentence that names their parameter", () => {
  for (const [search, parameter, expected] of INVALID)
    expect(() => read(search), search).toThrow(
      `Le paramètre « ${parameter} » n'est pas valable : ${expected}`,
    );
  for (const search of ["?search=%E0%A4%A", "?search=50%"])
    expect(() => read(search), search).toThrow("L'adresse demandée est mal encodée.");
});

test("keys like __proto__ are ignored", () => {
  expect(read("?__proto__=1&constructor=2&toString=3&__proto__[page]=4")).toEqual(page1);
  expect(({} as { page?: string }).page).toBeUndefined();
});

test("the filters are kept in the schema's order, freshly encoded, without the page", () => {
  const raw = reader.read(
    "?page=2&type=digital&x=1&search=a%20b%26c&recent[]=9&recent[]=8&itemsPerPage=5",
  );
  expect(raw.filters).toBe(
    "search=a%20b%26c&type=digital&recent%5B%5D=9&recent%5B%5D=8&itemsPerPage=5",
  );
  expect(raw.page).toBe("2");
});

test("a plain array is complete unless a page is requested", () => {
  const part = (query: Record<string, string>) => plainArrayPart(plainArrayQuery.parse(query));
  expect(part({})).toEqual({ page: 1, itemsPerPage: 1000 });
  expect(part({ page: "2" })).toEqual({ page: 2, itemsPerPage: 30 });
  expect(part({ itemsPerPage: "500" })).toEqual({ page: 1, itemsPerPage: 100 });
});
