import { POSTAL_CODE_EMPTY, POSTAL_CODE_WRONG } from "@/lib/addresses/texts";

/** Addresses that one person may have. */
export const MAX_ADDRESSES = 50;

export const ADDRESS_TYPES = ["shipping", "billing"] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** The sentence about a postal code, trimmed before; null where nothing is wrong with it. */
export function postalCodeProblem(postalCode: string): string | null {
  if (postalCode === "") return POSTAL_CODE_EMPTY;
  return /^[0-9]{5}(?:-[0-9]{4})?$/.test(postalCode) ? null : POSTAL_CODE_WRONG;
}

/** The flags that an address of this type can have: each default is of one kind alone. */
export function allowedDefaults({
  type,
  isDefault,
  isDefaultBilling,
}: {
  type: AddressType;
  isDefault: boolean;
  isDefaultBilling: boolean;
}): { isDefault: boolean; isDefaultBilling: boolean } {
  return {
    isDefault: isDefault && type === "shipping",
    isDefaultBilling: isDefaultBilling && type === "billing",
  };
}
