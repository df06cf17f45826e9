import { expect, test } from "@playwright/test";
import { circles, faultOf, folderOf, importsOf, listFaults } from "@/scripts/directions";

test("every import of the sources is allowed", () => {
  expect(listFaults()).toEqual([]);
});

test("imports of every form are found, with their lines", () => {
  const source = `import { a } from "@/lib/money";
import "./side-effect";
export { b } from "../orders/rules";
const c = await import("@/db");
import type {
  D,
} from "zod";
`;
  expect(importsOf("lib/cart/rules.ts", source)).toEqual([
    { file: "lib/cart/rules.ts", line: 1, target: "lib/money" },
    { file: "lib/cart/rules.ts", line: 2, target: "lib/cart/side-effect" },
    { file: "lib/cart/rules.ts", line: 3, target: "lib/orders/rules" },
    { file: "lib/cart/rules.ts", line: 4, target: "db" },
    { file: "lib/cart/rules.ts", line: 7, target: "zod" },
  ]);
});

test("a file belongs to the most precise entry", () => {
  expect(folderOf("lib/money.ts")).toBe("lib");
  expect(folderOf("lib/text/email.ts")).toBe("lib");
  expect(folderOf("lib/http/server/page.ts")).toBe("lib/http");
  expect(folderOf("db/index.ts")).toBe("db");
  expect(folderOf("db/seed/demo.ts")).toBe("db/seed");
  expect(folderOf("lib/shipments/rules")).toBe("lib/shipments/rules.ts");
  expect(folderOf("db/factories/people.ts")).toBe("db/factories");
  expect(folderOf("lib/unknown/rules.ts")).toBeUndefined();
});

for (const [file, target, fault] of [
  ["lib/catalogue/queries.ts", "lib/money", null],
  ["lib/catalogue/queries.ts", "lib/uploads/files", null],
  ["lib/catalogue/queries.ts", "lib/cart/rules", "lib/catalogue may not import lib/cart"],
  ["lib/http/api/access.ts", "lib/auth/token", "lib/http may not import lib/auth"],
  ["lib/money.ts", "lib/http/url", "lib may not import lib/http"],
  ["lib/cart/client.ts", "components/ui/button", "lib and db know neither components nor routes"],
  ["components/cart/cart.tsx", "lib/cart/client", null],
  ["components/cart/cart.tsx", "db", "components may not import db"],
  ["components/ui/button.tsx", "components/cart/cart", "components/ui knows no domain"],
  ["components/ui/button.tsx", "lib/cart/rules", "components/ui may not import lib/cart"],
  ["app/api/cart/route.ts", "db/schema/carts", "app may not import db/schema/carts"],
  ["app/api/cart/route.ts", "drizzle-orm", "app may not import drizzle-orm"],
  ["db/index.ts", "lib/orders/document-numbers", "db may not import lib/orders"],
  ["db/seed/demo.ts", "lib/orders/document-numbers", null],
] as const)
  test(`${file} ${fault ? "may not" : "may"} import ${target}`, () => {
    expect(faultOf({ file, line: 1, target })).toBe(fault);
  });

test("a circle in the table is found", () => {
  expect(circles({ a: "", b: "a" })).toEqual([]);
  expect(circles({ a: "b", b: "a" })).toEqual(["a names b, which does not stand above it"]);
});
