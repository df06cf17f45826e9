"use client";

import { useState } from "react";
import { AddressLines } from "@/components/addresses/address-card";
import { Button } from "@/components/ui/button";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { type AddressJson, deleteAddress } from "@/lib/addresses/client";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { ApiError } from "@/lib/api-client";

interface DeleteAddressProps {
  address: AddressJson;
  /** With the sentence about it. */
  onDeleted: (text: string) => Promise<void>;
  onCancel: () => void;
}

export function DeleteAddress({ address, onDeleted, onCancel }: DeleteAddressProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);

  async function confirm() {
    setIsBusy(true);
    setResult(null);
    try {
      await deleteAddress(address.id);
      trackEvent({ ...EVENTS.deletion, name: "adresse" });
      await onDeleted("Adresse supprimée avec succès!");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isSessionOver) return;
      setResult({ kind: "error", text: "Erreur lors de la suppression de l'adresse." });
      setIsBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-5">
      <p>Cette adresse sera supprimée. Vos commandes passées gardent la leur.</p>
      <div className="rounded-md bg-surface px-4 py-3">
        <AddressLines address={address} />
      </div>
      <FormAlert id="delete-address-result" result={result} />
      <ModalActions>
        <Button variant="secondary" onClick={onCancel} disabled={isBusy}>
          Annuler
        </Button>
        <Button
          variant="danger"
          busy={isBusy}
          pendingLabel="Suppression en cours..."
          onClick={confirm}
        >
          Supprimer
        </Button>
      </ModalActions>
    </div>
  );
}
