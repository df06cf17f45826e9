import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { AddressLines } from "@/components/addresses/address-lines";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { AddressJson } from "@/lib/addresses/client";
import type { AddressType } from "@/lib/addresses/rules";
import type { AddressEntry } from "./use-checkout-addresses";

/** Up to so many addresses are all shown; of more, the chosen one. */
const SHOWN = 4;

interface AddressChoiceProps {
  type: AddressType;
  addresses: readonly AddressJson[];
  chosen: AddressJson | undefined;
  onChoose: (id: number) => void;
  onOpen: (entry: AddressEntry) => void;
}

/** The stored addresses of a type, to choose one. */
export function AddressChoice({ type, addresses, chosen, onChoose, onOpen }: AddressChoiceProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const rows = useRef<HTMLDivElement>(null);
  const id = useId();
  const isFolded = chosen !== undefined && addresses.length > SHOWN && !isUnfolded;
  const isForeign = chosen !== undefined && !addresses.includes(chosen);
  const shown = isFolded ? [chosen] : isForeign ? [chosen, ...addresses] : addresses;
  const action = { variant: "ghost", size: "sm" } as const;
  return (
    <>
      <div
        ref={rows}
        id={id}
        className="divide-y divide-line overflow-hidden rounded-lg border border-line"
      >
        {shown.map((address) => (
          <label
            key={address.id}
            className="flex cursor-pointer gap-3 px-4 py-3 has-checked:bg-accent-soft hover:bg-surface"
          >
            <input
              type="radio"
              name={type}
              value={address.id}
              checked={address.id === chosen?.id}
              onChange={() => onChoose(address.id)}
              className="mt-0.75 size-5 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <AddressLines address={address} />
            </span>
            {(address.isDefault || address.isDefaultBilling) && (
              <Badge className="self-start">Par défaut</Badge>
            )}
          </label>
        ))}
      </div>
      <div className="mt-1 -ml-3.5 flex flex-wrap">
        {chosen && (
          <Button {...action} aria-describedby={id} onClick={() => onOpen({ address: chosen })}>
            Modifier
          </Button>
        )}
        {isFolded && (
          <Button
            {...action}
            aria-describedby={id}
            onClick={() => {
              flushSync(() => setUnfolded(true));
              // The pressed button is gone.
              rows.current?.querySelector<HTMLElement>("input:checked")?.focus();
            }}
          >
            Changer
          </Button>
        )}
        <Button {...action} onClick={() => onOpen({ address: null })}>
          Nouvelle adresse
        </Button>
      </div>
    </>
  );
}
