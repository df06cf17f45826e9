import { expect, test } from "@playwright/test";
import {
  type AddressType,
  allowedDefaults,
  chosenAddresses,
  offeredAddresses,
  phoneProblem,
  postalCodeProblem,
  withAddress,
} from "@/lib/addresses/rules";

const WRONG = "Le code postal doit être valide (format: 12345 ou 12345-6789).";

test("a postal code has five digits, and four more if one likes", () => {
  for (const good of ["69003", "00000", "12345-6789"]) expect(postalCodeProblem(good)).toBeNull();
  for (const bad of ["6900", "69 003", "2A004", "12345-678", "123456789", "٦٩٠٠٣", "69003\n"])
    expect(postalCodeProblem(bad), bad).toBe(WRONG);
  expect(postalCodeProblem("")).toBe("Le code postal ne doit pas être vide.");
});

test("a phone number may be written in many ways, or be missing", () => {
  const numbers = ["0612345678", "06 12 34 56 78", "06.12.34.56.78", "06-12-34-56-78"];
  for (const good of ["", ...numbers, "+33 6 12 34 56 78", "+33 (0)6 12 34 56 78", "(0)6/12345678"])
    expect(phoneProblem(good), good).toBeNull();
  for (const bad of ["12345", "1".repeat(21), "0612345678 B", "06+12345678", "+", "-612345678"])
    expect(phoneProblem(bad), bad).toMatch(/^Le numéro de téléphone doit avoir de 6 à 20 signes/);
});

test("an address can only be the default of its own type", () => {
  const both = { isDefault: true, isDefaultBilling: true };
  expect(allowedDefaults({ type: "shipping", ...both })).toEqual({
    isDefault: true,
    isDefaultBilling: false,
  });
  expect(allowedDefaults({ type: "billing", ...both })).toEqual({
    isDefault: false,
    isDefaultBilling: true,
  });
});

test("a checkout begins with the picked, the default or the only addresses", () => {
  const address = (id: number, type: AddressType, isStandard = false) => ({
    id,
    type,
    isDefault: isStandard && type === "shipping",
    isDefaultBilling: isStandard && type === "billing",
  });
  const idsOf = (addresses: ReturnType<typeof address>[], picked = {}) => {
    const { shipping, billing } = chosenAddresses({ addresses, picked });
    return [shipping?.id, billing?.id];
  };
  const [home, office] = [address(1, "shipping"), address(2, "shipping")];
  expect(idsOf([])).toEqual([undefined, undefined]);
  expect(idsOf([home])).toEqual([1, 1]);
  // Nothing tells which of two is meant; the billing address follows the one that is picked.
  expect(idsOf([home, office])).toEqual([undefined, undefined]);
  expect(idsOf([home, office], { shipping: 2 })).toEqual([2, 2]);
  expect(idsOf([home, address(2, "shipping", true)])).toEqual([2, 2]);
  expect(idsOf([home, address(3, "billing")])).toEqual([1, 3]);
  expect(idsOf([home, address(3, "billing"), address(4, "billing")])).toEqual([1, undefined]);
  expect(idsOf([home, address(3, "billing"), address(4, "billing", true)])).toEqual([1, 4]);
  expect(idsOf([address(3, "billing")])).toEqual([3, 3]);
  // A picked address that was deleted meanwhile is as good as none.
  const standard = address(1, "shipping", true);
  expect(idsOf([standard, office], { shipping: 9, billing: 2 })).toEqual([1, 2]);
  expect(offeredAddresses([home, address(3, "billing")], "billing")).toEqual([
    address(3, "billing"),
  ]);
  expect(offeredAddresses([home, office], "billing")).toEqual([home, office]);
});

test("a saved address replaces the old one in the list, and is the only default of its type", () => {
  const none = { isDefault: false, isDefaultBilling: false };
  const [first, second, billing] = [
    { id: 1, ...none, isDefault: true },
    { id: 2, ...none },
    { id: 3, ...none, isDefaultBilling: true },
  ];
  const chosen = { ...second, isDefault: true };
  const former = { ...first, isDefault: false };
  expect(withAddress([first, second, billing], chosen)).toEqual([former, chosen, billing]);
  const added = { id: 4, ...none, isDefaultBilling: true };
  const replaced = { ...billing, isDefaultBilling: false };
  expect(withAddress([first, billing], added)).toEqual([first, replaced, added]);
  const renamed = { ...first, street: "2 rue Basse" };
  expect(withAddress([first, second], renamed)).toEqual([renamed, second]);
});
