import { expect, test } from "@playwright/test";
import { isGtin } from "./gtin";

test("a GTIN has 8, 12, 13 or 14 digits, and the right check digit", () => {
  for (const digits of ["96385074", "036000291452", "4006381333931", "10012345678902"])
    expect(isGtin(digits), digits).toBe(true);
  for (const digits of ["96385075", "4006381333932", "400638133393", "1", "", "400638133393a"])
    expect(isGtin(digits), digits).toBe(false);
});
