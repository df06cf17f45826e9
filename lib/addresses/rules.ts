import { PHONE_WRONG, POSTAL_CODE_EMPTY, POSTAL_CODE_WRONG } from "@/lib/addresses/texts";

/** The most addresses that one person may have. */
export const MAX_ADDRESSES = 50;

export const ADDRESS_TYPES = ["shipping", "billing"] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** The sentence about a wrong postal code, which is trimmed already; null for a good one. */
export function postalCodeProblem(postalCode: string): string | null {
  if (postalCode === "") return POSTAL_CODE_EMPTY;
  return /^[0-9]{5}(?:-[0-9]{4})?$/.test(postalCode) ? null : POSTAL_CODE_WRONG;
}

/**
 * The sentence about a wrong phone number, which is trimmed already; null for a good one, and for none. Any
 * country's way of writing will do, since a person reads it.
 */
export function phoneProblem(phone: string): string | null {
  if (phone === "") return null;
  const isLong = phone.length >= 6 && phone.length <= 20;
  return isLong && /^\+?[0-9(][0-9 .()/-]*$/.test(phone) ? null : PHONE_WRONG;
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

interface Choosable extends DefaultFlags {
  id: number;
  type: AddressType;
}

/** The addresses that a checkout offers for a type: the addresses of that type, or all if there are none. */
export function offeredAddresses<Address extends Choosable>(
  addresses: readonly Address[],
  type: AddressType,
): readonly Address[] {
  const ofType = addresses.filter((address) => address.type === type);
  return ofType.length > 0 ? ofType : addresses;
}

/**
 * The two addresses of a checkout: the picked ones, else the defaults, else the only ones. Without a billing
 * address, the shipping address is used for billing.
 *
 * @param picked ids; a picked address may have been deleted since
 */
export function chosenAddresses<Address extends Choosable>({
  addresses,
  picked,
}: {
  addresses: readonly Address[];
  picked: Partial<Record<AddressType, number>>;
}): Record<AddressType, Address | undefined> {
  const byId = (type: AddressType) => addresses.find(({ id }) => id === picked[type]);
  const only = (type: AddressType) => {
    const [first, ...others] = offeredAddresses(addresses, type);
    return others.length === 0 ? first : undefined;
  };
  const shipping =
    byId("shipping") ?? addresses.find(({ isDefault }) => isDefault) ?? only("shipping");
  const hasBilling = addresses.some(({ type }) => type === "billing");
  const billing =
    byId("billing") ??
    addresses.find(({ isDefaultBilling }) => isDefaultBilling) ??
    (hasBilling ? only("billing") : shipping);
  return { shipping, billing };
}

/** The addresses of a checkout in which none has to be chosen; null where one has to be. */
export function usualAddresses<Address extends Choosable>(
  addresses: readonly Address[],
): Record<AddressType, Address> | null {
  const { shipping, billing } = chosenAddresses({ addresses, picked: {} });
  return shipping && billing ? { shipping, billing } : null;
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
