import { useState } from "react";
import type { z } from "zod";
import { TextField } from "@/components/ui/field";
import type { useApiForm } from "@/components/ui/use-api-form";
import { useDeferDuringPress } from "@/components/ui/use-defer-during-press";
import type { addressInput, NewAddress } from "@/lib/addresses/schemas";

/** The form of an address, as `useApiForm` gives it. */
export type AddressApiForm = ReturnType<
  typeof useApiForm<z.input<typeof addressInput>, NewAddress>
>;

interface AddressFieldsProps {
  form: AddressApiForm;
  /** Tells browsers which of two addresses on one page they fill in. */
  section?: "shipping" | "billing";
  /** The name of the person who gets the parcel where no other is named. */
  buyer?: string;
}

/** Street, complement, postal code, town and phone; somebody else's name and a company only on demand. */
export function AddressFields({ form, section, buyer }: AddressFieldsProps) {
  const deferDuringPress = useDeferDuringPress();
  const token = (name: string) => (section ? `${section} ${name}` : name);

  /** A field that is checked as soon as it is left. */
  function checkedField(name: "postalCode" | "phone") {
    const field = form.field(name);
    return {
      ...field,
      onChange: async (event: { target: unknown; type?: unknown }) => {
        await field.onChange(event);
        // A corrected value enables the button while the field still has the focus.
        if (field.error) await form.form.trigger(name);
      },
      onBlur: async (event: { target: unknown; type?: unknown }) => {
        await field.onBlur(event);
        deferDuringPress(() => void form.form.trigger(name));
      },
      liveError: true,
    };
  }

  // Registered in the order of the form, so that the focus goes to its first wrong field.
  const street = form.field("street");
  const complement = form.field("complement");
  const postalCode = checkedField("postalCode");
  const city = form.field("city");
  const phone = checkedField("phone");
  const recipient = form.field("recipient");
  const company = form.field("company");
  const [isOpen, setIsOpen] = useState(() => {
    const given = form.form.getValues();
    return Boolean(given.recipient || given.company);
  });
  const hasError = recipient.error !== null || company.error !== null;
  return (
    <>
      <TextField
        data-autofocus
        {...street}
        label="Rue"
        autoComplete={token("address-line1")}
        required
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...postalCode}
          label="Code postal"
          autoComplete={token("postal-code")}
          inputMode="numeric"
          required
        />
        <TextField {...city} label="Ville" autoComplete={token("address-level2")} required />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...complement}
          label="Complément d’adresse"
          optional
          placeholder="Bâtiment, étage, digicode"
          autoComplete={token("address-line2")}
        />
        <TextField
          {...phone}
          type="tel"
          label="Téléphone"
          optional
          placeholder="Pour le transporteur"
          autoComplete={token("tel")}
        />
      </div>
      <details
        open={isOpen || hasError}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary className="link w-fit cursor-pointer py-1 text-sm">
          Autre destinataire, ou société
        </summary>
        <div className="mt-3 grid gap-5 sm:grid-cols-2">
          <TextField
            {...recipient}
            label="Destinataire"
            optional
            placeholder={buyer}
            autoComplete={token("name")}
          />
          <TextField {...company} label="Société" optional autoComplete={token("organization")} />
        </div>
      </details>
    </>
  );
}

/** The texts and flags of an address as its form's values; of a new address by default. */
export function addressValues(
  address: z.input<typeof addressInput> | null,
): z.input<typeof addressInput> {
  return {
    street: address?.street ?? "",
    complement: address?.complement ?? "",
    postalCode: address?.postalCode ?? "",
    city: address?.city ?? "",
    phone: address?.phone ?? "",
    recipient: address?.recipient ?? "",
    company: address?.company ?? "",
    type: address?.type ?? "shipping",
    isDefault: address?.isDefault ?? false,
    isDefaultBilling: address?.isDefaultBilling ?? false,
  };
}

/** The fields of an address in the order of its form. */
export const ADDRESS_FIELDS = [
  "street",
  "postalCode",
  "city",
  "complement",
  "phone",
  "recipient",
  "company",
  "type",
  "isDefault",
  "isDefaultBilling",
] as const;
