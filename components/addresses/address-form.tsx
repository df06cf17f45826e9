"use client";

import { useMemo } from "react";
import {
  ADDRESS_FIELDS,
  AddressFields,
  addressValues,
} from "@/components/addresses/address-fields";
import { Button } from "@/components/ui/button";
import { DraftNotice } from "@/components/ui/draft-notice";
import { CheckboxField, SelectField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { useApiForm } from "@/components/ui/use-api-form";
import { type AddressJson, createAddress, updateAddress } from "@/lib/addresses/client";
import { addressInput } from "@/lib/addresses/schemas";
import { changedFields } from "@/lib/browser/changed-fields";

interface AddressFormProps {
  /** Null for a new address. */
  address: AddressJson | null;
  /** `text` is the success message. */
  onSaved: (saved: AddressJson, text: string) => Promise<void>;
  onCancel: () => void;
}

export function AddressForm({ address, onSaved, onCancel }: AddressFormProps) {
  const values = useMemo(() => addressValues(address), [address]);
  const form = useApiForm({
    schema: addressInput,
    fields: ADDRESS_FIELDS,
    values,
    draftKey: `address/${address?.id ?? "new"}`,
    send: async (input) => {
      const saved = await (address
        ? updateAddress({ id: address.id, ...changedFields(input, values) })
        : createAddress(input));
      await onSaved(
        saved,
        address ? "Adresse mise à jour avec succès!" : "Adresse ajoutée avec succès!",
      );
      return {};
    },
    fallback: () => "Erreur lors de l'enregistrement de l'adresse.",
  });
  const isShipping = form.form.watch("type") !== "billing";
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <DraftNotice isRestored={form.isRestored} />
      <AddressFields form={form} />
      <SelectField {...form.field("type")} label="Type d’adresse">
        <option value="shipping">Livraison</option>
        <option value="billing">Facturation</option>
      </SelectField>
      {isShipping ? (
        <CheckboxField
          key="shipping"
          {...form.field("isDefault")}
          label="Adresse de livraison par défaut"
        />
      ) : (
        <CheckboxField
          key="billing"
          {...form.field("isDefaultBilling")}
          label="Adresse de facturation par défaut"
        />
      )}
      <FormAlert {...form.alertProps} />
      <ModalActions>
        <Button variant="secondary" onClick={onCancel} disabled={form.isSending}>
          Annuler
        </Button>
        <Button
          {...form.submitProps}
          disabled={form.submitProps.disabled || form.hasErrors}
          pendingLabel={address ? "Enregistrement en cours..." : "Ajout en cours..."}
        >
          {address ? "Enregistrer" : "Ajouter"}
        </Button>
      </ModalActions>
    </form>
  );
}
