import { POSTAL_CODE_EMPTY, POSTAL_CODE_WRONG } from "@/lib/addresses/texts";

/** The most addresses that one person may have. */
export const MAX_ADDRESSES = 50;

export const ADDRESS_TYPES = ["shipping", "billing"] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** The sentence about a wrong postal code, which is trimmed already; null for a good one. */
export function postalCodeProblem(postalCode: string): string | null {
  if (postalCode === "") return POSTAL_CODE_EMPTY;
  return /^[0-9]{5}(?:-[0-9]{4})?$/.test(postalCode) ? null : POSTAL_CODE_WRONG;
}

interface DefaultFlags {
  isDefault: boolean;
  isDefaultBilling: boolean;
}

/**
 * A person's addresses after one of them was saved: it replaces its older state, or is added at the end. If
 * it is a default, the other addresses lose that flag.
 */
export function withAddress<Address extends DefaultFlags & { id: number }>(
  addresses: readonly Address[],
  written: Address,
): Address[] {
  const others = addresses.map((address) => ({
    ...address,
    isDefault: address.isDefault && !written.isDefault,
    isDefaultBilling: address.isDefaultBilling && !written.isDefaultBilling,
  }));
  const isKnown = addresses.some(({ id }) => id === written.id);
  if (!isKnown) return [...others, written];
  return others.map((address) => (address.id === written.id ? written : address));
}

/** The flags that an address of this type can have: each default is for one type only. */
export function allowedDefaults({
  type,
  isDefault,
  isDefaultBilling,
}: DefaultFlags & { type: AddressType }): DefaultFlags {
  return {
    isDefault: isDefault && type === "shipping",
    isDefaultBilling: isDefaultBilling && type === "billing",
  };
}
