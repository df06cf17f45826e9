import { expect, test } from "@playwright/test";
import { partRefunded, partSent } from "./texts";

test("in a partly shipped order only physical products are counted", () => {
  expect(partSent({ itemsCount: 4, shippedItems: 2, filesCount: 2 })).toBeNull();
  expect(partSent({ itemsCount: 5, shippedItems: 2, filesCount: 1 })).toBe("1 objet expédié sur 4");
  expect(partSent({ itemsCount: 5, shippedItems: 4, filesCount: 1 })).toBe(
    "3 objets expédiés sur 4",
  );
  expect(partSent({ itemsCount: 2715, shippedItems: 1500, filesCount: 0 })).toBe(
    "1\u202f500 objets expédiés sur 2\u202f715",
  );
});

test("a total shows how much of it was refunded", () => {
  expect(partRefunded({ total: 20, refundedTotal: 0 })).toBeNull();
  expect(partRefunded({ total: 20, refundedTotal: 15 })).toBe("Remboursé\u00a0: 15,00\u00a0€");
  expect(partRefunded({ total: 20, refundedTotal: 20 })).toBe("Remboursée");
});
