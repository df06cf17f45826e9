import { expect, test } from "@playwright/test";
import { addressLines, addressText, givenDetails } from "@/lib/shop/postal-address";

const home = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };

test("an address is written like on an envelope, without empty lines", () => {
  expect(addressLines(home)).toEqual(["12 rue des Lilas", "69003 Lyon"]);
  expect(addressLines(home, "Camille Martin")[0]).toBe("Camille Martin");
  const full = {
    ...home,
    recipient: "Jeanne Roux",
    company: "Atelier Roux",
    complement: "Bâtiment B",
    phone: "06 12 34 56 78",
  };
  expect(addressLines(full, "Camille Martin")).toEqual([
    "Jeanne Roux",
    "Atelier Roux",
    "Bâtiment B",
    "12 rue des Lilas",
    "69003 Lyon",
  ]);
  expect(addressText({ ...home, complement: "" })).toBe("12 rue des Lilas, 69003 Lyon");
});

test("empty details are left out", () => {
  expect(givenDetails({ recipient: "", company: null, phone: "06 12 34 56 78" })).toEqual({
    phone: "06 12 34 56 78",
  });
});
