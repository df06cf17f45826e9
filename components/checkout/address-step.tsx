"use client";

import Link from "next/link";
import type { ReactElement, ReactNode } from "react";
import { AddressLines } from "@/components/addresses/address-lines";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import type { AddressJson } from "@/lib/addresses/client";
import type { AddressType } from "@/lib/addresses/rules";
import type { ChosenAddresses } from "./use-chosen-addresses";

interface AddressStepProps {
  /** Undefined until the addresses are loaded. */
  addresses: readonly AddressJson[] | undefined;
  chosen: ChosenAddresses;
  onPick: (type: AddressType, id: number) => void;
  hasFailed: boolean;
  onRetry: () => Promise<unknown>;
  /** True once the cart is loaded, too. */
  isReady: boolean;
  isBusy: boolean;
  onContinue: (chosen: { shipping: AddressJson; billing: AddressJson }) => void;
  /** Shown between the addresses and the button, if there are addresses. */
  shippingChoice: ReactElement | null;
  /** The error of the last attempt to continue. */
  children: ReactNode;
}

const GROUPS: readonly { type: AddressType; title: string }[] = [
  { type: "shipping", title: "Adresse de livraison" },
  { type: "billing", title: "Adresse de facturation" },
];

/** Step 1: selects both addresses. */
export function AddressStep({
  addresses,
  chosen,
  onPick,
  hasFailed,
  onRetry,
  isReady,
  isBusy,
  onContinue,
  shippingChoice,
  children,
}: AddressStepProps) {
  if (hasFailed)
    return <RetryAlert message="Impossible de charger les adresses." onRetry={onRetry} />;
  if (!addresses)
    return (
      <div className="grid gap-4 sm:grid-cols-2">
        <p role="status" className="sr-only">
          Chargement de vos adresses...
        </p>
        <Skeleton className="h-28" />
        <Skeleton className="h-28" />
      </div>
    );
  /** The addresses of the type, or all of them if there are none. */
  const offered = (type: AddressType) => {
    const ofType = addresses.filter((address) => address.type === type);
    return ofType.length > 0 ? ofType : addresses;
  };
  const { shipping, billing } = chosen;

  return (
    <form
      noValidate
      className="flex flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        if (shipping && billing) onContinue({ shipping, billing });
      }}
    >
      {addresses.length === 0 ? (
        <EmptyState title="Vous n’avez pas encore d’adresse.">
          <ButtonLink href="/addresses" prefetch={false}>
            Ajouter une adresse
          </ButtonLink>
        </EmptyState>
      ) : (
        <>
          {GROUPS.map(({ type, title }) => (
            <AddressChoice
              key={type}
              name={type}
              title={title}
              addresses={offered(type)}
              chosenId={chosen[type]?.id}
              onChoose={(id) => onPick(type, id)}
            />
          ))}
          <p>
            <Link href="/addresses" prefetch={false} className="link">
              Gérer mes adresses
            </Link>
          </p>
          {shippingChoice}
        </>
      )}
      {children}
      {addresses.length > 0 && (!shipping || !billing) && (
        <p className="text-muted text-sm">
          {`Choisissez une ${GROUPS.find(({ type }) => !chosen[type])?.title.toLowerCase()}.`}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink href="/cart" prefetch={false} variant="secondary" size="lg">
          Retour au panier
        </ButtonLink>
        <Button
          type="submit"
          size="lg"
          className="flex-1 sm:max-w-72"
          disabled={!shipping || !billing || !isReady}
          busy={isBusy}
        >
          Continuer
        </Button>
      </div>
    </form>
  );
}

interface AddressChoiceProps {
  name: string;
  title: string;
  addresses: readonly AddressJson[];
  chosenId: number | undefined;
  onChoose: (id: number) => void;
}

function AddressChoice({ name, title, addresses, chosenId, onChoose }: AddressChoiceProps) {
  return (
    <fieldset>
      <legend className="font-semibold text-lg">{title}</legend>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        {addresses.map((address) => (
          <label
            key={address.id}
            className="flex cursor-pointer gap-3 rounded-lg border border-line p-4 has-checked:border-accent has-checked:bg-accent-soft hover:border-line-strong"
          >
            <input
              type="radio"
              name={name}
              value={address.id}
              checked={address.id === chosenId}
              onChange={() => onChoose(address.id)}
              className="mt-1 size-5 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <AddressLines address={address} />
              {(address.isDefault || address.isDefaultBilling) && (
                <>
                  <br />
                  <Badge className="mt-2">Par défaut</Badge>
                </>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
