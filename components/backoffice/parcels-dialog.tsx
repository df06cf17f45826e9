"use client";

import { type FormEvent, useState } from "react";
import { TrackingLink } from "@/components/orders/tracking-link";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useCall } from "@/components/ui/use-call";
import { formatDateTime } from "@/lib/dates";
import { correctParcel } from "@/lib/shipments/client";
import { FormDialog } from "./form-dialog";
import { sentencesOf, WHOLE } from "./form-errors";
import { carrierOf, ParcelFields, parcelProblem, parcelValues } from "./parcel-fields";
import type { OrderRow } from "./ship-dialog";
import { useFocusOnError } from "./use-focus-on-error";

type Parcel = OrderRow["shipments"][number];

interface ParcelsDialogProps {
  order: OrderRow;
  onSaved: () => void;
  onClose: () => void;
}

/** The parcels of an order, whose carrier and number can be corrected. */
export function ParcelsDialog({ order, onSaved, onClose }: ParcelsDialogProps) {
  const [isDirty, setIsDirty] = useState(false);
  return (
    <FormDialog
      isDirty={isDirty}
      isBusy={false}
      onClose={onClose}
      title={`Colis de la commande ${order.number}`}
    >
      <ul className="flex flex-col gap-5 overflow-y-auto px-6 py-5">
        {order.shipments.map((parcel) => (
          <li key={parcel.id} className="flex flex-col gap-4 rounded-md border border-line p-4">
            <div>
              <p className="font-medium">
                <TrackingLink shipment={parcel} />
              </p>
              <p className="text-muted text-sm">
                Expédié le {formatDateTime(parcel.shippedAt)}
                {parcel.deliveredAt && `, livré le ${formatDateTime(parcel.deliveredAt)}`}
                {"\u00a0: "}
                {parcel.items.map(({ name, quantity }) => `${name} × ${quantity}`).join(", ")}
              </p>
            </div>
            <ParcelForm parcel={parcel} onTyped={() => setIsDirty(true)} onSaved={onSaved} />
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}

interface ParcelFormProps {
  parcel: Parcel;
  onTyped: () => void;
  onSaved: () => void;
}

function ParcelForm({ parcel, onTyped, onSaved }: ParcelFormProps) {
  const [values, setValues] = useState(() => parcelValues(parcel));
  const { isBusy, problem, setProblem, run } = useCall((error) =>
    sentencesOf(error, {
      fields: /^(carrier|trackingNumber)$/,
      failed: "Le colis n’a pas pu être modifié.",
    }),
  );
  const form = useFocusOnError(problem);

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = parcelProblem(values);
    if (found) return setProblem(found);
    void run(async () => {
      await correctParcel(parcel.id, {
        carrier: carrierOf(values),
        trackingNumber: values.trackingNumber,
      });
      onSaved();
    });
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <ParcelFields
        values={values}
        onChange={(next) => {
          onTyped();
          setValues(next);
        }}
        errors={problem ?? {}}
      />
      {problem?.[WHOLE] && <Alert kind="error">{problem[WHOLE]}</Alert>}
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        className="self-end"
        busy={isBusy}
        pendingLabel="Enregistrement en cours..."
      >
        Enregistrer
      </Button>
    </form>
  );
}
