import { expect, test } from "@playwright/test";
import { circleOf, faultOf, folderOf, importsOf, listFaults } from "@/scripts/directions";

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

test("a file belongs to its folder, or stands apart from it", () => {
  expect(folderOf("lib/money.ts")).toBe("lib");
  expect(folderOf("lib/text/email.ts")).toBe("lib");
  expect(folderOf("lib/http/server/page.ts")).toBe("lib/http");
  expect(folderOf("db/index.ts")).toBe("db");
  expect(folderOf("db/seed/demo.ts")).toBe("db/seed");
  expect(folderOf("lib/shipments/rules")).toBe("lib/shipments/rules");
  expect(folderOf("db/factories/people.ts")).toBe("db/factories");
  expect(folderOf("components/cart/cart.tsx")).toBeUndefined();
});

for (const [file, target, fault] of [
  ["lib/catalogue/queries.ts", "lib/money", undefined],
  ["lib/catalogue/queries.ts", "lib/uploads/files", undefined],
  ["lib/http/api/access.ts", "lib/auth/token", "what domains are built on knows no domain"],
  ["lib/http/api/access.ts", "db", "lib/http knows no database"],
  ["lib/http/server/log.ts", "lib/workarounds/json", undefined],
  ["lib/cart/client.ts", "components/ui/button", "lib and db know neither components nor routes"],
  ["components/cart/cart.tsx", "lib/cart/client", undefined],
  ["components/cart/cart.tsx", "db", "routes and components reach the database through lib"],
  ["components/cart/cart.tsx", "app/api", "components know no routes"],
  ["components/ui/button.tsx", "components/cart/cart", "components/ui knows no domain"],
  ["components/ui/button.tsx", "lib/cart/rules", "components/ui knows no domain"],
  ["components/ui/button.tsx", "lib/text/email", undefined],
  [
    "app/api/cart/route.ts",
    "db/schema/carts",
    "routes and components reach the database through lib",
  ],
  ["app/api/cart/route.ts", "drizzle-orm", "routes and components reach the database through lib"],
  ["db/index.ts", "lib/orders/document-numbers", "what domains are built on knows no domain"],
  ["db/index.ts", "lib/http/etag", "the database knows no requests"],
  ["db/seed/demo.ts", "lib/orders/document-numbers", undefined],
] as const)
  test(`${file} ${fault ? "may not" : "may"} import ${target}`, () => {
    expect(faultOf({ file, line: 1, target })).toBe(fault);
  });

test("a circle of folders is found, however long", () => {
  const imports = [
    { file: "lib/home/queries.ts", line: 1, target: "lib/cart/rules" },
    { file: "lib/cart/rules.ts", line: 2, target: "lib/orders/rules" },
    { file: "lib/orders/rules.ts", line: 3, target: "lib/catalogue/rules" },
    { file: "lib/orders/rules.ts", line: 4, target: "lib/shipments/rules" },
    { file: "lib/shipments/parcels.ts", line: 5, target: "lib/orders/queries" },
  ];
  expect(listFaults(imports)).toEqual([]);
  const wrong = { file: "lib/catalogue/queries.ts", line: 6, target: "lib/cart/queries" };
  expect(circleOf([...imports, wrong])).toMatchObject([imports[1], imports[2], wrong]);
});

test("a shared file of lib imports no folder that imports it", () => {
  const imports = [
    { file: "lib/http/api/call.ts", line: 1, target: "lib/env" },
    { file: "lib/money.ts", line: 2, target: "lib/http/etag" },
  ];
  expect(listFaults(imports)).toEqual([
    "lib/http/api/call.ts:1: imports lib/env: a circle of folders",
    "lib/money.ts:2: imports lib/http/etag: a circle of folders",
  ]);
});
