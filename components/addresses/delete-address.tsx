"use client";

import { AddressLines } from "@/components/addresses/address-lines";
import { DeleteConfirmation } from "@/components/ui/delete-confirmation";
import { type AddressJson, deleteAddress } from "@/lib/addresses/client";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";

interface DeleteAddressProps {
  address: AddressJson;
  /** With the success message. */
  onDeleted: (text: string) => Promise<void>;
  onCancel: () => void;
}

const DELETE_FAILED = "Erreur lors de la suppression de l'adresse.";

export function DeleteAddress({ address, onDeleted, onCancel }: DeleteAddressProps) {
  async function confirm() {
    await deleteAddress(address.id);
    trackEvent({ ...EVENTS.deletion, name: "adresse" });
    await onDeleted("Adresse supprimée avec succès!");
  }
  return (
    <DeleteConfirmation onConfirm={confirm} onCancel={onCancel} failure={DELETE_FAILED}>
      <p>Cette adresse sera supprimée. Vos commandes passées gardent la leur.</p>
      <div className="rounded-md bg-surface px-4 py-3">
        <AddressLines address={address} />
      </div>
    </DeleteConfirmation>
  );
}
