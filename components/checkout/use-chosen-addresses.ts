"use client";

import { useState } from "react";
import type { AddressJson } from "@/lib/addresses/client";
import type { AddressType } from "@/lib/addresses/rules";

/** The addresses that are picked for the checkout, initially the defaults. */
export interface ChosenAddresses {
  shipping: AddressJson | undefined;
  billing: AddressJson | undefined;
}

export function useChosenAddresses(addresses: readonly AddressJson[] | undefined) {
  const [picked, setPicked] = useState<Partial<Record<AddressType, number>>>({});
  const chosen = (type: AddressType) =>
    // The picked address may have been deleted since.
    addresses?.find(({ id }) => id === picked[type]) ??
    addresses?.find(({ isDefault, isDefaultBilling }) =>
      type === "shipping" ? isDefault : isDefaultBilling,
    );
  return {
    chosen: { shipping: chosen("shipping"), billing: chosen("billing") },
    pick: (type: AddressType, id: number) => setPicked((before) => ({ ...before, [type]: id })),
  };
}
