import { useState } from "react";
import type { AddressJson } from "@/lib/addresses/client";
import { type AddressType, chosenAddresses } from "@/lib/addresses/rules";

/** The addresses that are chosen for the checkout. */
export interface ChosenAddresses {
  shipping: AddressJson | undefined;
  billing: AddressJson | undefined;
}

/** An open form in the page: of an address that is changed, or of a new one. */
export interface AddressEntry {
  address: AddressJson | null;
}

/** The form of a customer who has no address yet. */
const FIRST: AddressEntry = { address: null };

/** Which addresses are chosen, and which forms stand open instead. */
export function useCheckoutAddresses(addresses: readonly AddressJson[] | undefined) {
  const [picked, setPicked] = useState<Partial<Record<AddressType, number>>>({});
  const [entries, setEntries] = useState<Partial<Record<AddressType, AddressEntry>>>({});
  const [isBillingSame, setBillingSame] = useState(true);
  const [isHeld, setHeld] = useState(false);
  const isFirst = isHeld || addresses?.length === 0;
  const chosen = chosenAddresses({ addresses: addresses ?? [], picked });
  return {
    isFirst,
    chosen,
    pick: (type: AddressType, id: number) => setPicked((before) => ({ ...before, [type]: id })),
    /** The open form of a type; null where an address is chosen. */
    entries: {
      shipping: entries.shipping ?? (isFirst ? FIRST : null),
      billing: entries.billing ?? (isFirst && !isBillingSame ? FIRST : null),
    },
    openEntry: (type: AddressType, entry: AddressEntry) =>
      setEntries((before) => ({ ...before, [type]: entry })),
    closeEntry: (type: AddressType) => setEntries(({ [type]: _, ...others }) => others),
    /** The checkbox 'Facturer à la même adresse' of the first form. */
    isBillingSame,
    setBillingSame,
    /** Does the billing address follow the shipping address? */
    isBillingShared:
      isFirst ||
      (picked.billing === undefined && !addresses?.some(({ type }) => type === "billing")),
    /** Keeps the first forms while they are saved: the list may show one address before the other is saved. */
    hold: () => setHeld(isFirst),
    /** Chooses saved addresses, and closes their forms. */
    keep: ({ shipping, billing }: { shipping: AddressJson; billing: AddressJson }) => {
      setPicked((before) => ({
        ...before,
        shipping: shipping.id,
        ...(billing.id !== shipping.id && { billing: billing.id }),
      }));
      setEntries({});
      setHeld(false);
    },
  };
}

export type CheckoutAddresses = ReturnType<typeof useCheckoutAddresses>;
