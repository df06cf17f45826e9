"use client";

import { useState } from "react";
import type { FormResult } from "@/components/ui/form-alert";
import { useLoaded } from "@/components/ui/use-loaded";
import { type AddressJson, listAddresses, setDefaultAddress } from "@/lib/addresses/client";
import { type AddressType, allowedDefaults, withAddress } from "@/lib/addresses/rules";
import { ADDRESS_BILLING_DEFAULT_SET, ADDRESS_DEFAULT_SET } from "@/lib/addresses/texts";
import { ApiError } from "@/lib/api-error";

/** A change of the list, and the message about it. */
export interface Changed {
  change: (list: AddressJson[]) => AddressJson[];
  text: string;
}

const DEFAULT_FAILED: Record<AddressType, string> = {
  shipping: "Erreur lors de la mise à jour de l'adresse par défaut.",
  billing: "Erreur lors de la mise à jour de l'adresse de facturation par défaut.",
};

/** The customer's addresses, and the result of the last change. */
export function useAddresses() {
  const { data, failure, mutate } = useLoaded("/api/addresses_front", listAddresses);
  const [result, setResult] = useState<FormResult | null>(null);
  const [pendingId, setPendingId] = useState<number | null>(null);

  /** Shows a change, even if the list cannot be loaded again. */
  async function showChange({ change, text }: Changed) {
    await mutate((list) => list && change(list), { revalidate: false });
    await mutate();
    setResult({ kind: "success", text });
  }

  /** Returns whether the address is the default afterwards. */
  async function makeDefault(address: AddressJson): Promise<boolean> {
    const { id, type } = address;
    const isShipping = type === "shipping";
    const updated = {
      ...address,
      ...allowedDefaults({ type, isDefault: true, isDefaultBilling: true }),
    };
    setResult(null);
    setPendingId(id);
    try {
      await setDefaultAddress({ id, type });
      await showChange({
        change: (list) => withAddress(list, updated),
        text: isShipping ? ADDRESS_DEFAULT_SET : ADDRESS_BILLING_DEFAULT_SET,
      });
      return true;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      if (!problem.isSessionOver) setResult({ kind: "error", text: DEFAULT_FAILED[type] });
      return false;
    } finally {
      setPendingId((pending) => (pending === id ? null : pending));
    }
  }

  return {
    addresses: data,
    hasFailed: failure !== null,
    reload: () => mutate(),
    result,
    clearResult: () => setResult(null),
    pendingId,
    showChange,
    makeDefault,
  };
}
