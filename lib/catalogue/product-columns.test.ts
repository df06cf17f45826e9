import { expect, test } from "@playwright/test";
import { getTableColumns } from "drizzle-orm";
import { products } from "@/db/schema/catalogue";
import { digitalProductInput, physicalProductInput } from "./admin-schemas";
import { columnsOf } from "./product-columns";

/** Written to tables of their own, or by the rule of product-images.ts. */
const OTHERS = ["categories", "tags", "image", "images"];

for (const [type, schema] of [
  ["physical", physicalProductInput],
  ["digital", digitalProductInput],
] as const)
  test(`every field of a ${type} product has a column`, () => {
    const fields = Object.keys(schema.shape).filter((field) => !OTHERS.includes(field));
    const columns = columnsOf(type, Object.fromEntries(fields.map((field) => [field, 1])));
    expect(Object.keys(getTableColumns(products))).toEqual(
      expect.arrayContaining(Object.keys(columns)),
    );
    expect(Object.values(columns).filter((value) => value === 1)).toHaveLength(fields.length);
  });

test("columns of the other kind are cleared, and fields that are not sent are kept", () => {
  expect(columnsOf("physical", { price: 100, vatRate: undefined, characteristics: [] })).toEqual({
    type: "physical",
    priceCents: 100,
    characteristics: [],
    downloadLink: null,
    fileSizeKb: null,
    fileType: null,
  });
  expect(columnsOf("digital", { name: "Guide", filetype: "PDF" })).toEqual({
    type: "digital",
    name: "Guide",
    fileType: "PDF",
    characteristics: null,
    weight: null,
    stock: null,
    lowStockThreshold: null,
  });
});
