"use client";

import Link from "next/link";
import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { AddressChoice } from "@/components/checkout/address-choice";
import {
  AddressEntryForm,
  type EntryHandle,
  type EntryState,
} from "@/components/checkout/address-entry";
import { Button, ButtonLink } from "@/components/ui/button";
import { CheckboxField } from "@/components/ui/field";
import { ChevronLeftIcon } from "@/components/ui/icons";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import type { AddressJson } from "@/lib/addresses/client";
import { type AddressType, offeredAddresses } from "@/lib/addresses/rules";
import type { CheckoutAddresses } from "./use-checkout-addresses";

interface AddressStepProps {
  /** Undefined until the addresses are loaded. */
  addresses: readonly AddressJson[] | undefined;
  choice: CheckoutAddresses;
  /** What is typed into an open form. */
  typed: Partial<Record<AddressType, EntryState>>;
  onTyped: (type: AddressType, state: EntryState) => void;
  /** Does the cart hold physical products? Files alone need one address. */
  hasObjects: boolean;
  hasFailed: boolean;
  onRetry: () => Promise<unknown>;
  /** True once the cart is loaded, too, and can be sent. */
  isReady: boolean;
  onContinue: (chosen: { shipping: AddressJson; billing: AddressJson }) => Promise<void>;
  /** Shown between the addresses and the button. */
  shippingChoice: ReactElement | null;
  /** The error of the last attempt to continue. */
  children: ReactElement | null;
}

const TITLES: Record<AddressType, string> = {
  shipping: "Adresse de livraison",
  billing: "Adresse de facturation",
};

const TO_FILL_IN = "Renseignez la rue, le code postal et la ville.";

/** Step 1: chooses both addresses, or takes new ones. */
export function AddressStep({
  addresses,
  choice,
  typed,
  onTyped,
  hasObjects,
  hasFailed,
  onRetry,
  isReady,
  onContinue,
  shippingChoice,
  children,
}: AddressStepProps) {
  const forms = { shipping: useRef<EntryHandle>(null), billing: useRef<EntryHandle>(null) };
  const [isBusy, setIsBusy] = useState(false);
  /** A ref, since it is set synchronously: the second of two clicks does nothing. */
  const isRunning = useRef(false);
  const { chosen, entries, isFirst, isBillingShared } = choice;

  if (hasFailed)
    return <RetryAlert message="Impossible de charger les adresses." onRetry={onRetry} />;
  if (!addresses)
    return (
      <div className="flex flex-col gap-4">
        <p role="status" className="sr-only">
          Chargement de vos adresses...
        </p>
        <Skeleton className="h-28" />
        <Skeleton className="h-28" />
      </div>
    );

  /** Is there an address of the type, chosen or typed? */
  const isGiven = (type: AddressType): boolean => {
    if (entries[type]) return typed[type]?.isValid ?? false;
    return type === "billing" && isBillingShared ? true : chosen[type] !== undefined;
  };
  const missing = (["shipping", "billing"] as const).find((type) => !isGiven(type));
  const canContinue = isReady && missing === undefined;

  async function addressOf(type: AddressType): Promise<AddressJson | null> {
    if (entries[type]) return (await forms[type].current?.save()) ?? null;
    return chosen[type] ?? null;
  }

  /** Saves what was typed, then goes on. An address that was saved before the other was refused stays. */
  async function proceed() {
    if (!canContinue || isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    choice.hold();
    try {
      const shipping = await addressOf("shipping");
      if (shipping === null) return;
      const isSame = isBillingShared && entries.billing === null;
      const billing = isSame ? shipping : await addressOf("billing");
      if (billing === null) return;
      await onContinue({ shipping, billing: billing.id === shipping.id ? shipping : billing });
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }

  const group = (type: AddressType, title = TITLES[type]) => {
    const entry = entries[type];
    return (
      <AddressGroup title={title}>
        {entry ? (
          <AddressEntryForm
            key={entry.address?.id ?? "new"}
            ref={forms[type]}
            type={type}
            address={entry.address}
            isFirst={isFirst}
            onState={(state) => onTyped(type, state)}
            onSubmit={() => void proceed()}
            onCancel={
              isFirst
                ? undefined
                : () => {
                    choice.closeEntry(type);
                    // Saved already, if only the other address was refused.
                    void onRetry();
                  }
            }
          />
        ) : (
          <AddressChoice
            type={type}
            addresses={offeredAddresses(addresses, type)}
            chosen={chosen[type]}
            onChoose={(id) => choice.pick(type, id)}
            onOpen={(opened) => choice.openEntry(type, opened)}
          />
        )}
      </AddressGroup>
    );
  };

  return (
    <div className="flex flex-col gap-8">
      {group("shipping", isFirst && !hasObjects ? TITLES.billing : TITLES.shipping)}
      {isFirst && hasObjects && (
        <CheckboxField
          label="Facturer à la même adresse"
          checked={choice.isBillingSame}
          onChange={({ target }) => choice.setBillingSame(target.checked)}
          disabled={isBusy}
        />
      )}
      {isFirst ? (
        entries.billing && group("billing")
      ) : isBillingShared && entries.shipping ? (
        <AddressGroup title={TITLES.billing}>
          <p>La même que l’adresse de livraison.</p>
        </AddressGroup>
      ) : (
        group("billing")
      )}
      {!isFirst && (
        <p>
          <Link href="/addresses?retour=/checkout" prefetch={false} className="link">
            Gérer mes adresses
          </Link>
        </p>
      )}
      {shippingChoice}
      {children}
      <div className="flex flex-col gap-3">
        <ButtonLink href="/cart" prefetch={false} variant="ghost" className="-ml-5 self-start">
          <ChevronLeftIcon size={18} />
          Retour au panier
        </ButtonLink>
        {missing && (
          <p id="step-missing" className="text-muted text-sm">
            {entries[missing] ? TO_FILL_IN : `Choisissez une ${TITLES[missing].toLowerCase()}.`}
          </p>
        )}
      </div>
      <div className="action-bar">
        <Button
          size="lg"
          block
          disabled={!canContinue}
          busy={isBusy}
          aria-describedby={missing && "step-missing"}
          onClick={() => void proceed()}
        >
          Continuer
        </Button>
      </div>
    </div>
  );
}

function AddressGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold text-lg">{title}</legend>
      <div className="mt-3">{children}</div>
    </fieldset>
  );
}
