import { useId } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { AddressJson } from "@/lib/addresses/client";

interface AddressCardProps {
  address: AddressJson;
  /** It is being made the default. */
  isPending: boolean;
  onEdit: () => void;
  onDelete: () => void;
  onMakeDefault: () => void;
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
  return (
    <article
      aria-labelledby={id}
      className="flex h-full flex-col gap-4 rounded-xl border border-line p-5"
    >
      <div className="flex flex-wrap gap-2">
        <Badge>{type === "shipping" ? "Livraison" : "Facturation"}</Badge>
        {(isDefault || isDefaultBilling) && <Badge tone="accent">Par défaut</Badge>}
      </div>
      <div id={id} className="flex-1">
        <AddressLines address={address} />
      </div>
      <div className="-mx-2 flex flex-wrap gap-x-1">
        <Button variant="ghost" size="sm" className="px-2!" aria-describedby={id} onClick={onEdit}>
          Modifier
        </Button>
        <Button
          variant="ghost"
          size="sm"
          className="px-2!"
          aria-describedby={id}
          onClick={onDelete}
        >
          Supprimer
        </Button>
        {!isDefault && !isDefaultBilling && (
          <Button
            variant="ghost"
            size="sm"
            className="px-2!"
            aria-describedby={id}
            busy={isPending}
            onClick={onMakeDefault}
          >
            Définir par défaut
          </Button>
        )}
      </div>
    </article>
  );
}

/** As on an envelope, without the name. */
export function AddressLines({ address }: { address: AddressJson }) {
  const { street, postalCode, city } = address;
  return (
    <address className="not-italic">
      {street}
      <br />
      {postalCode} {city}
    </address>
  );
}
