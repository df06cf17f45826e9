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
const DEFAULTS = { page: 1, itemsPerPage: 30, recent: [] };

test("a query is read in every notation; what is empty or unknown is ignored", () => {
  for (const [search, values] of [
    ["", {}],
    ["?&&", {}],
    ["?search=&type=&page=&min_price", {}],
    ["?unknown=1&%5B=2", {}],
    ["?__proto__=1&constructor=2&toString=3&__proto__[page]=4", {}],
    ["?search=caf%C3%A9+cr%C3%A8me&level=0", { search: "café crème", level: 0 }],
    ["?search=%25_%5C%27%22", { search: `%_\\'"` }],
    [`?search=${"a".repeat(10_000)}`, { search: "a".repeat(200) }],
    // Cut between characters, not in the middle of one.
    [`?search=${"a".repeat(199)}${encodeURIComponent("🦊")}`, { search: "a".repeat(199) }],
    ["?type=DIGITAL", { type: "d" }],
    ["?type=digital&type=physical", { type: "p" }],
    ["?tags.id=3", { "tags.id": 3 }],
    ["?tags%2Eid=/api/tags/3", { "tags.id": 3 }],
    ["?recent[]=4&recent[]=2", { recent: ["4", "2"] }],
    ["?recent%5B%5D=4&recent=2", { recent: ["4", "2"] }],
    ["?recent[0]=4&recent[1]=2", { recent: ["4", "2"] }],
    ["?order%5Bname%5D=asc&order[other]=asc&order[name][]=desc", { "order[name]": "asc" }],
    ["?itemsPerPage=500", { itemsPerPage: 100 }],
    ["?itemsPerPage=0", { itemsPerPage: 0 }],
    ["?page=99999999999999999999999999", { page: 1_000_000_000 }],
  ] as const)
    expect(read(search), search).toEqual({ ...DEFAULTS, ...values });
  expect(({} as { page?: string }).page).toBeUndefined();
});

test("prices are parsed to exact cents", () => {
  for (const [price, cents] of [
    ["0", 0],
    ["12", 1200],
    ["12.3", 1230],
    ["12,34", 1234],
    ["19.999", 1999],
    ["0.07", 7],
    ["999999999999", 2_147_483_647],
  ] as const)
    expect(read(`?min_price=${price}`).min_price, price).toBe(cents);
});

test("invalid values are refused with a sentence that names their parameter", () => {
  for (const [parameter, expected, ...searches] of [
    [
      "page",
      "un nombre entier à partir de 1 est attendu.",
      ...["page=0", "page=-1", "page=deux", "page=1.5"],
    ],
    ["page", "avec « itemsPerPage » à 0 il n'y a que la page 1.", "page=2&itemsPerPage=0"],
    ["itemsPerPage", "un nombre entier à partir de 0 est attendu.", "itemsPerPage=-1"],
    [
      "min_price",
      "un prix en euros, de 0 ou plus, est attendu.",
      ...["min_price=-1", "min_price=abc"],
    ],
    ["type", "valeurs permises : physical, digital.", "type=autre", "type=constructor"],
    ["type", "une seule valeur est attendue.", "type[]=digital"],
    ["tags.id", "un identifiant est attendu.", "tags.id=abc"],
    ["level", "un nombre entier de 0 à 5 est attendu.", "level=6"],
    ["search", "caractère interdit.", "search=a%00b"],
  ] as const)
    for (const search of searches)
      expect(() => read(`?${search}`), search).toThrow(
        `Le paramètre « ${parameter} » n'est pas valable : ${expected}`,
      );
  for (const search of ["?search=%E0%A4%A", "?search=50%"])
    expect(() => read(search), search).toThrow("L'adresse demandée est mal encodée.");
});

test("the filters are kept in the schema's order, freshly encoded, without the page", () => {
  expect(
    reader.read("?page=2&type=digital&x=1&search=a%20b%26c&recent[]=9&recent[]=8&itemsPerPage=5"),
  ).toMatchObject({
    filters: "search=a%20b%26c&type=digital&recent%5B%5D=9&recent%5B%5D=8&itemsPerPage=5",
    page: "2",
  });
});

test("a plain array is complete unless a page is requested", () => {
  const part = (query: Record<string, string>) => plainArrayPart(plainArrayQuery.parse(query));
  expect(part({})).toEqual({ page: 1, itemsPerPage: 1000 });
  expect(part({ page: "2" })).toEqual({ page: 2, itemsPerPage: 30 });
  expect(part({ itemsPerPage: "500" })).toEqual({ page: 1, itemsPerPage: 100 });
});
