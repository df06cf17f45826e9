"use client";

import { useState } from "react";
import { AddressCard } from "@/components/addresses/address-card";
import { AddressForm } from "@/components/addresses/address-form";
import { AddressLines } from "@/components/addresses/address-lines";
import { ReturnBar } from "@/components/addresses/return-bar";
import { type Changed, useAddresses } from "@/components/addresses/use-addresses";
import { Button } from "@/components/ui/button";
import { ChipButton } from "@/components/ui/chip";
import { DeleteConfirmation } from "@/components/ui/delete-confirmation";
import { EmptyState } from "@/components/ui/empty-state";
import { FormAlert } from "@/components/ui/form-alert";
import { PlusIcon } from "@/components/ui/icons";
import { Modal } from "@/components/ui/modal";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { type AddressJson, deleteAddress } from "@/lib/addresses/client";
import { type AddressType, withAddress } from "@/lib/addresses/rules";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";

type Filter = "all" | AddressType;

const FILTERS: readonly { id: Filter; label: string; empty: string }[] = [
  { id: "all", label: "Toutes", empty: "Vous n’avez pas encore d’adresse." },
  { id: "shipping", label: "Livraison", empty: "Vous n’avez pas d’adresse de livraison." },
  { id: "billing", label: "Facturation", empty: "Vous n’avez pas d’adresse de facturation." },
];

/** The open dialog and its address. */
type OpenDialog = { kind: "add" } | { kind: "edit" | "delete"; address: AddressJson } | null;

export function AddressesScreen() {
  const { addresses, hasFailed, reload, result, clearResult, pendingId, showChange, makeDefault } =
    useAddresses();
  const [filter, setFilter] = useState<Filter>("all");
  const [dialog, setDialog] = useState<OpenDialog>(null);

  function open(next: OpenDialog) {
    clearResult();
    setDialog(next);
  }

  /** Shows the change that a dialog was for, then closes this dialog, and no other. */
  async function finish(changed: Changed) {
    await showChange(changed);
    setDialog((current) => (current === dialog ? null : current));
  }

  if (hasFailed)
    return <RetryAlert message="Impossible de charger les adresses." onRetry={reload} />;

  const shown = addresses?.filter(({ type }) => filter === "all" || type === filter);
  return (
    <div className="flex flex-col gap-6">
      <ReturnBar />
      <div className="flex flex-wrap items-center justify-between gap-4">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls */}
        <div role="group" aria-label="Filtrer les adresses" className="flex flex-wrap gap-2">
          {FILTERS.map(({ id, label }) => (
            <ChipButton key={id} aria-pressed={filter === id} onClick={() => setFilter(id)}>
              {label}
            </ChipButton>
          ))}
        </div>
        <Button onClick={() => open({ kind: "add" })} disabled={!addresses}>
          <PlusIcon />
          Ajouter une adresse
        </Button>
      </div>
      {/* Sticky, so that visitors who have scrolled down to the last address see it, too. */}
      <div className={result ? "sticky top-20 z-10" : "absolute"}>
        <FormAlert result={result} />
      </div>
      {!shown && (
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {["a", "b", "c"].map((key) => (
            <Skeleton key={key} className="h-52" />
          ))}
        </div>
      )}
      {shown?.length === 0 && <EmptyState title={FILTERS.find(({ id }) => id === filter)?.empty} />}
      {shown && shown.length > 0 && (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {shown.map((address) => (
            <li key={address.id}>
              <AddressCard
                address={address}
                isPending={pendingId === address.id}
                onEdit={() => open({ kind: "edit", address })}
                onDelete={() => open({ kind: "delete", address })}
                onMakeDefault={() => makeDefault(address)}
              />
            </li>
          ))}
        </ul>
      )}
      <AddressDialogs dialog={dialog} onChanged={finish} onClose={() => setDialog(null)} />
    </div>
  );
}

interface AddressDialogsProps {
  dialog: OpenDialog;
  onChanged: (changed: Changed) => Promise<void>;
  onClose: () => void;
}

function AddressDialogs({ dialog, onChanged, onClose }: AddressDialogsProps) {
  async function confirmDeletion(deletedId: number) {
    await deleteAddress(deletedId);
    trackEvent({ ...EVENTS.deletion, name: "adresse" });
    await onChanged({
      change: (list) => list.filter(({ id }) => id !== deletedId),
      text: "Adresse supprimée avec succès!",
    });
  }

  return (
    <>
      <Modal
        open={dialog?.kind === "add" || dialog?.kind === "edit"}
        onClose={onClose}
        title={dialog?.kind === "edit" ? "Modifier l’adresse" : "Nouvelle adresse"}
      >
        {dialog && dialog.kind !== "delete" && (
          <AddressForm
            address={dialog.kind === "edit" ? dialog.address : null}
            onSaved={(saved, text) =>
              onChanged({ change: (list) => withAddress(list, saved), text })
            }
            onCancel={onClose}
          />
        )}
      </Modal>
      <Modal open={dialog?.kind === "delete"} onClose={onClose} title="Supprimer l’adresse">
        {dialog?.kind === "delete" && (
          <DeleteConfirmation
            onConfirm={() => confirmDeletion(dialog.address.id)}
            onCancel={onClose}
            failure="Erreur lors de la suppression de l'adresse."
          >
            <p>Cette adresse sera supprimée. Vos commandes passées gardent la leur.</p>
            <div className="rounded-md bg-surface px-4 py-3">
              <AddressLines address={dialog.address} />
            </div>
          </DeleteConfirmation>
        )}
      </Modal>
    </>
  );
}
