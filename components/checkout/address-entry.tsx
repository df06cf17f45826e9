import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
} from "react";
import {
  ADDRESS_FIELDS,
  AddressFields,
  addressValues,
} from "@/components/addresses/address-fields";
import { Button } from "@/components/ui/button";
import { DraftNotice } from "@/components/ui/draft-notice";
import { FormAlert } from "@/components/ui/form-alert";
import { useApiForm } from "@/components/ui/use-api-form";
import {
  type AddressJson,
  createAddress,
  listAddresses,
  updateAddress,
} from "@/lib/addresses/client";
import { type AddressType, postalCodeProblem } from "@/lib/addresses/rules";
import { addressInput, type NewAddress } from "@/lib/addresses/schemas";
import { ApiError } from "@/lib/api-error";
import { changedFields } from "@/lib/browser/changed-fields";
import { readSession } from "@/lib/browser/session";

/** What the page needs to know of a form while it is filled in. */
export interface EntryState {
  isValid: boolean;
  /** Null until it is valid. */
  postalCode: string | null;
}

export interface EntryHandle {
  /** Saves the address; null where the shop refuses it, which the form then shows. */
  save: () => Promise<AddressJson | null>;
}

interface AddressEntryFormProps {
  ref: Ref<EntryHandle>;
  type: AddressType;
  /** Null for a new address. */
  address: AddressJson | null;
  /** The customer's first address becomes the default. */
  isFirst: boolean;
  onState: (state: EntryState) => void;
  onSubmit: () => void;
  /** Undefined where there is no address to return to. */
  onCancel: (() => void) | undefined;
}

/** The form of an address within the checkout: saved by the step's own button. */
export function AddressEntryForm({
  ref,
  type,
  address,
  isFirst,
  onState,
  onSubmit,
  onCancel,
}: AddressEntryFormProps) {
  const values = useMemo(
    () =>
      address
        ? addressValues(address)
        : {
            ...addressValues(null),
            type,
            isDefault: isFirst && type === "shipping",
            isDefaultBilling: isFirst && type === "billing",
          },
    [address, type, isFirst],
  );
  const { save, result } = useSaved(address);
  const form = useApiForm({
    schema: addressInput,
    fields: ADDRESS_FIELDS,
    values,
    draftKey: `checkout/${type}/${address?.id ?? "new"}`,
    send: async (input) => {
      await save(input);
      return {};
    },
    fallback: "Erreur lors de l'enregistrement de l'adresse.",
  });
  useImperativeHandle(ref, () => ({
    save: async () => {
      result.current = null;
      await form.formProps.onSubmit();
      return result.current;
    },
  }));

  const typed = form.form.watch();
  const isValid = addressInput.safeParse(typed).success;
  const code = String(typed.postalCode ?? "").trim();
  const postalCode = postalCodeProblem(code) === null ? code : null;
  const tell = useEffectEvent(onState);
  useEffect(() => tell({ isValid, postalCode }), [isValid, postalCode]);

  const { firstName, lastName } = readSession();
  const element = form.formProps.ref;
  useEffect(() => {
    // The first form stands in the page from the beginning: it does not take the focus.
    if (!isFirst) element.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  }, [element, isFirst]);

  /** The button that saves is outside this form, where Enter does not press it. */
  function submitOnEnter(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    onSubmit();
  }

  return (
    <form
      {...form.formProps}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={submitOnEnter}
      className="flex flex-col gap-5"
    >
      <DraftNotice isRestored={form.isRestored} />
      <AddressFields
        form={form}
        section={type}
        buyer={`${firstName ?? ""} ${lastName ?? ""}`.trim()}
      />
      <FormAlert {...form.alertProps} />
      {onCancel && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-3.5 self-start"
          onClick={onCancel}
          disabled={form.isSending}
        >
          Annuler
        </Button>
      )}
    </form>
  );
}

/** Saves an address once, however often the button is pressed. */
function useSaved(address: AddressJson | null) {
  /** The address as it is stored: later presses change it instead of adding another. */
  const stored = useRef(address);
  /** The response to the last attempt was lost: the shop may have the address. */
  const isUncertain = useRef(false);
  const result = useRef<AddressJson | null>(null);

  async function write(input: NewAddress): Promise<AddressJson> {
    if (stored.current === null && isUncertain.current)
      stored.current = (await listAddresses()).find((known) => isSame(known, input)) ?? null;
    const known = stored.current;
    if (known === null) return createAddress(input);
    const changed = changedFields(input, addressValues(known));
    return Object.keys(changed).length === 0 ? known : updateAddress({ id: known.id, ...changed });
  }

  async function save(input: NewAddress): Promise<void> {
    try {
      result.current = await write(input);
      stored.current = result.current;
      isUncertain.current = false;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 0 || error.status >= 500))
        isUncertain.current = true;
      throw error;
    }
  }

  return { save, result };
}

const isSame = (known: AddressJson, input: NewAddress) =>
  Object.keys(changedFields(input, addressValues(known))).length === 0;
