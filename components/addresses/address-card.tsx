import { useId, useRef } from "react";
import { AddressLines } from "@/components/addresses/address-lines";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { AddressJson } from "@/lib/addresses/client";

interface AddressCardProps {
  address: AddressJson;
  /** True while the address is being made the default. */
  isPending: boolean;
  onEdit: () => void;
  onDelete: () => void;
  /** Returns whether the address is the default afterwards. */
  onMakeDefault: () => Promise<boolean>;
}

export function AddressCard({
  address,
  isPending,
  onEdit,
  onDelete,
  onMakeDefault,
}: AddressCardProps) {
  const { type, isDefault, isDefaultBilling } = address;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const action = {
    variant: "ghost",
    size: "sm",
    className: "px-2!",
    "aria-describedby": id,
  } as const;

  async function makeDefault() {
    const isDone = await onMakeDefault();
    // The pressed button is gone: the default address has none.
    if (isDone && document.activeElement === document.body)
      card.current?.focus({ preventScroll: true });
  }

  return (
    <article
      ref={card}
      tabIndex={-1}
      aria-labelledby={id}
      className="focus-visible:outline-none flex h-full flex-col gap-4 rounded-xl border border-line p-5"
    >
      <div className="flex flex-wrap gap-2">
        <Badge>{type === "shipping" ? "Livraison" : "Facturation"}</Badge>
        {(isDefault || isDefaultBilling) && <Badge tone="accent">Par défaut</Badge>}
      </div>
      <div id={id} className="flex-1">
        <AddressLines address={address} />
      </div>
      <div className="-mx-2 flex flex-wrap gap-x-1">
        <Button {...action} onClick={onEdit}>
          Modifier
        </Button>
        <Button {...action} onClick={onDelete}>
          Supprimer
        </Button>
        {!isDefault && !isDefaultBilling && (
          <Button {...action} busy={isPending} onClick={makeDefault}>
            Définir par défaut
          </Button>
        )}
      </div>
    </article>
  );
}
