"use client";

import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { DraftNotice } from "@/components/ui/draft-notice";
import { CheckboxField, SelectField, TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { ModalActions } from "@/components/ui/modal";
import { useApiForm } from "@/components/ui/use-api-form";
import { useDeferDuringPress } from "@/components/ui/use-defer-during-press";
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

const NEW_ADDRESS = {
  street: "",
  city: "",
  postalCode: "",
  type: "shipping",
  isDefault: false,
  isDefaultBilling: false,
} as const;

export function AddressForm({ address, onSaved, onCancel }: AddressFormProps) {
  const values = useMemo(() => {
    const { street, city, postalCode, type, isDefault, isDefaultBilling } = address ?? NEW_ADDRESS;
    return { street, city, postalCode, type, isDefault, isDefaultBilling };
  }, [address]);
  const form = useApiForm({
    schema: addressInput,
    fields: ["street", "city", "postalCode", "type", "isDefault", "isDefaultBilling"],
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
  const deferDuringPress = useDeferDuringPress();
  const isShipping = form.form.watch("type") !== "billing";
  // Registered in the order of the form, so that the focus goes to its first wrong field.
  const street = form.field("street");
  const postalCode = form.field("postalCode");
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <DraftNotice isRestored={form.isRestored} />
      <TextField data-autofocus {...street} label="Rue" autoComplete="address-line1" required />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...postalCode}
          onChange={async (event) => {
            await postalCode.onChange(event);
            // A corrected value enables the button while the field still has the focus.
            if (postalCode.error) await form.form.trigger("postalCode");
          }}
          onBlur={async (event) => {
            await postalCode.onBlur(event);
            deferDuringPress(() => void form.form.trigger("postalCode"));
          }}
          label="Code postal"
          liveError
          autoComplete="postal-code"
          required
        />
        <TextField {...form.field("city")} label="Ville" autoComplete="address-level2" required />
      </div>
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
