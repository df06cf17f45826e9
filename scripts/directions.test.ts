import { expect, test } from "@playwright/test";
import { circleOf, faultOf, importsOf, listFaults } from "@/scripts/directions";

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
  const found = importsOf("lib/cart/rules.ts", source);
  expect(found.map(({ line, target }) => [line, target])).toEqual([
    [1, "lib/money"],
    [2, "lib/cart/side-effect"],
    [3, "lib/orders/rules"],
    [4, "db"],
    [7, "zod"],
  ]);
});

test("each part of the shop may import what it is built on, and nothing else", () => {
  const throughLib = "routes and components reach the database through lib";
  const noDomain = "what domains are built on knows no domain";
  for (const [file, target, fault] of [
    ["lib/catalogue/queries.ts", "lib/money", undefined],
    ["lib/catalogue/queries.ts", "lib/uploads/files", undefined],
    ["lib/http/api/access.ts", "lib/auth/token", noDomain],
    ["lib/http/api/access.ts", "db", "lib/http knows no database"],
    ["lib/http/server/log.ts", "lib/workarounds/json", undefined],
    ["lib/cart/client.ts", "components/ui/button", "lib and db know neither components nor routes"],
    ["components/cart/cart.tsx", "lib/cart/client", undefined],
    ["components/cart/cart.tsx", "db", throughLib],
    ["components/cart/cart.tsx", "app/api", "components know no routes"],
    ["components/ui/button.tsx", "components/cart/cart", "components/ui knows no domain"],
    ["components/ui/button.tsx", "lib/cart/rules", "components/ui knows no domain"],
    ["components/ui/button.tsx", "lib/text/email", undefined],
    ["app/api/cart/route.ts", "db/schema/carts", throughLib],
    ["app/api/cart/route.ts", "drizzle-orm", throughLib],
    ["db/index.ts", "lib/orders/document-numbers", noDomain],
    ["db/index.ts", "lib/http/etag", "the database knows no requests"],
    ["db/seed/demo.ts", "lib/orders/document-numbers", undefined],
  ] as const)
    expect(faultOf({ file, line: 1, target }), `${file} imports ${target}`).toBe(fault);
});

test("a circle of folders is found, however long, and one through a shared file of lib", () => {
  const line = 1;
  const imports = [
    { file: "lib/home/queries.ts", line, target: "lib/cart/rules" },
    { file: "lib/cart/rules.ts", line, target: "lib/orders/rules" },
    { file: "lib/orders/rules.ts", line, target: "lib/catalogue/rules" },
    { file: "lib/orders/rules.ts", line, target: "lib/shipments/rules" },
    { file: "lib/shipments/parcels.ts", line, target: "lib/orders/queries" },
  ];
  expect(listFaults(imports)).toEqual([]);
  const wrong = { file: "lib/catalogue/queries.ts", line, target: "lib/cart/queries" };
  expect(circleOf([...imports, wrong])).toMatchObject([imports[1], imports[2], wrong]);
  const shared = [
    { file: "lib/http/api/call.ts", line, target: "lib/env" },
    { file: "lib/money.ts", line, target: "lib/http/etag" },
  ];
  expect(listFaults(shared)).toEqual([
    "lib/http/api/call.ts:1: imports lib/env: a circle of folders",
    "lib/money.ts:1: imports lib/http/etag: a circle of folders",
  ]);
});
