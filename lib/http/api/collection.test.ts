import { expect, test } from "@playwright/test";
import { z } from "zod";
import { hydraSearch, hydraView } from "@/lib/http/api/collection";
import { type Page, paging } from "@/lib/http/api/paging";
import { parseQuery, queryPrice, queryReader, querySearch } from "@/lib/http/api/query";

const schema = z.object({
  search: querySearch({ description: "Texte" }).optional(),
  min_price: queryPrice({ description: "Prix" }).meta({ property: "price" }).optional(),
  recent: z.array(z.string()).default([]),
  ...paging,
});
const reader = queryReader(schema);
const rows = (count: number) => Array.from({ length: count }, (_, index) => index);

function view(search: string, page: Page<unknown>) {
  const raw = reader.read(search);
  return hydraView({ path: "/api/things", raw, request: parseQuery(schema, raw), page });
}

const type = "hydra:PartialCollectionView";

test("the only page of an unfiltered list has no view", () => {
  expect(view("", { items: rows(3), total: 3 })).toBeNull();
  expect(view("?page=1", { items: rows(3), total: 3 })).toBeNull();
  expect(view("", { items: [], total: 0 })).toBeNull();
});

test("a filtered list of one page has a view that names only that page", () => {
  expect(view("?search=a%26b", { items: rows(3), total: 3 })).toEqual({
    "@id": "/api/things?search=a%26b",
    "@type": type,
  });
  expect(view("?itemsPerPage=50&page=1", { items: rows(3), total: 3 })).toEqual({
    "@id": "/api/things?itemsPerPage=50",
    "@type": type,
  });
});

test("several pages are linked, with the filters", () => {
  expect(view("", { items: rows(30), total: 90 })).toEqual({
    "@id": "/api/things?page=1",
    "@type": type,
    "hydra:first": "/api/things?page=1",
    "hydra:last": "/api/things?page=3",
    "hydra:next": "/api/things?page=2",
  });
  expect(view("?page=2&search=%C3%A9t%C3%A9&itemsPerPage=2", { items: rows(2), total: 5 })).toEqual(
    {
      "@id": "/api/things?search=%C3%A9t%C3%A9&itemsPerPage=2&page=2",
      "@type": type,
      "hydra:first": "/api/things?search=%C3%A9t%C3%A9&itemsPerPage=2&page=1",
      "hydra:last": "/api/things?search=%C3%A9t%C3%A9&itemsPerPage=2&page=3",
      "hydra:previous": "/api/things?search=%C3%A9t%C3%A9&itemsPerPage=2&page=1",
      "hydra:next": "/api/things?search=%C3%A9t%C3%A9&itemsPerPage=2&page=3",
    },
  );
  expect(view("?page=3&itemsPerPage=2", { items: rows(1), total: 5 })).not.toHaveProperty(
    "hydra:next",
  );
});

test("a page beyond the end links back to the last page", () => {
  expect(view("?page=9", { items: [], total: 40 })).toEqual({
    "@id": "/api/things?page=9",
    "@type": type,
    "hydra:first": "/api/things?page=1",
    "hydra:last": "/api/things?page=2",
    "hydra:previous": "/api/things?page=2",
  });
});

test("the number of rows that were read overrides an estimated total", () => {
  const more = view("?page=3", { items: rows(30), total: 60, hasNext: true });
  expect(more).toMatchObject({
    "hydra:next": "/api/things?page=4",
    "hydra:last": "/api/things?page=4",
  });
  const end = view("?page=3", { items: rows(4), total: 500, hasNext: false });
  expect(end).toMatchObject({ "hydra:last": "/api/things?page=3" });
  expect(end).not.toHaveProperty("hydra:next");
});

test("a page with no items per page has no links", () => {
  const first = view("?itemsPerPage=0", { items: [], total: 500, hasNext: true });
  expect(first).not.toHaveProperty("hydra:next");
  expect(view("?itemsPerPage=0", { items: [], total: 500 })).toEqual({
    "@id": "/api/things?itemsPerPage=0",
    "@type": type,
  });
});

test("the search names every filter and no paging", () => {
  expect(hydraSearch("/api/things", reader)).toEqual({
    "@type": "hydra:IriTemplate",
    "hydra:template": "/api/things{?search,min_price,recent[]}",
    "hydra:variableRepresentation": "BasicRepresentation",
    "hydra:mapping": [
      { "@type": "IriTemplateMapping", variable: "search", property: "search", required: false },
      { "@type": "IriTemplateMapping", variable: "min_price", property: "price", required: false },
      { "@type": "IriTemplateMapping", variable: "recent[]", property: "recent", required: false },
    ],
  });
});
