"use client";

import { useState } from "react";
import useSWR from "swr";
import { AddressCard } from "@/components/addresses/address-card";
import { AddressForm } from "@/components/addresses/address-form";
import { DeleteAddress } from "@/components/addresses/delete-address";
import { Button } from "@/components/ui/button";
import { ChipButton } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { PlusIcon } from "@/components/ui/icons";
import { Modal } from "@/components/ui/modal";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { type AddressJson, listAddresses, setDefaultAddress } from "@/lib/addresses/client";
import { type AddressType, allowedDefaults, withAddress } from "@/lib/addresses/rules";
import { ADDRESS_BILLING_DEFAULT_SET, ADDRESS_DEFAULT_SET } from "@/lib/addresses/texts";
import { ApiError } from "@/lib/api-client";

type Filter = "all" | AddressType;

const FILTERS: readonly { id: Filter; label: string; empty: string }[] = [
  { id: "all", label: "Toutes", empty: "Vous n’avez pas encore d’adresse." },
  { id: "shipping", label: "Livraison", empty: "Vous n’avez pas d’adresse de livraison." },
  { id: "billing", label: "Facturation", empty: "Vous n’avez pas d’adresse de facturation." },
];

/** A change of the list, and the message about it. */
interface Changed {
  change: (list: AddressJson[]) => AddressJson[];
  text: string;
}

/** The dialog that is open, and what it is about. */
type OpenDialog = { kind: "add" } | { kind: "edit" | "delete"; address: AddressJson } | null;

const DEFAULT_FAILED: Record<AddressType, string> = {
  shipping: "Erreur lors de la mise à jour de l'adresse par défaut.",
  billing: "Erreur lors de la mise à jour de l'adresse de facturation par défaut.",
};

export function AddressesScreen() {
  const { data, error, mutate } = useSWR<AddressJson[], ApiError>(
    "/api/addresses_front",
    listAddresses,
    { shouldRetryOnError: false },
  );
  const [filter, setFilter] = useState<Filter>("all");
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [result, setResult] = useState<FormResult | null>(null);
  const [pendingId, setPendingId] = useState<number | null>(null);

  const close = () => setDialog(null);

  function open(next: OpenDialog) {
    setResult(null);
    setDialog(next);
  }

  /** After a change, which is shown even if the list cannot be loaded again. */
  async function showChange({ change, text }: Changed) {
    await mutate((list) => list && change(list), { revalidate: false });
    await mutate();
    setResult({ kind: "success", text });
  }

  /** After the change that a dialog was for: closes this dialog, and no other. */
  async function finish(changed: Changed) {
    await showChange(changed);
    setDialog((current) => (current === dialog ? null : current));
  }

  /** Returns whether it is the default now. */
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

  if (!data && error && !error.isSessionOver)
    return <RetryAlert message="Impossible de charger les adresses." onRetry={() => mutate()} />;

  const shown = data?.filter(({ type }) => filter === "all" || type === filter);
  const addButton = (
    <Button onClick={() => open({ kind: "add" })} disabled={!data}>
      <PlusIcon />
      Ajouter une adresse
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls */}
        <div role="group" aria-label="Filtrer les adresses" className="flex flex-wrap gap-2">
          {FILTERS.map(({ id, label }) => (
            <ChipButton key={id} aria-pressed={filter === id} onClick={() => setFilter(id)}>
              {label}
            </ChipButton>
          ))}
        </div>
        {addButton}
      </div>
      <FormAlert result={result} />
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

      <Modal
        open={dialog?.kind === "add" || dialog?.kind === "edit"}
        onClose={close}
        title={dialog?.kind === "edit" ? "Modifier l’adresse" : "Nouvelle adresse"}
      >
        {dialog && dialog.kind !== "delete" && (
          <AddressForm
            address={dialog.kind === "edit" ? dialog.address : null}
            onSaved={(saved, text) => finish({ change: (list) => withAddress(list, saved), text })}
            onCancel={close}
          />
        )}
      </Modal>
      <Modal open={dialog?.kind === "delete"} onClose={close} title="Supprimer l’adresse">
        {dialog?.kind === "delete" && (
          <DeleteAddress
            address={dialog.address}
            onDeleted={(text) =>
              finish({
                change: (list) => list.filter(({ id }) => id !== dialog.address.id),
                text,
              })
            }
            onCancel={close}
          />
        )}
      </Modal>
    </div>
  );
}
