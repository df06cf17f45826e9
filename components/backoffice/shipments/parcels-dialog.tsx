"use client";

import { type FormEvent, useState } from "react";
import { CrudConflict } from "@/components/backoffice/crud/crud-conflict";
import { FormDialog } from "@/components/backoffice/forms/form-dialog";
import { FORM_KEY, sentencesOf } from "@/components/backoffice/forms/form-errors";
import { useFocusOnError } from "@/components/backoffice/forms/use-focus-on-error";
import { TrackingLink } from "@/components/orders/tracking-link";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useCall } from "@/components/ui/use-call";
import { ApiError } from "@/lib/api-error";
import { currentOf, differencesOf } from "@/lib/backoffice/rules";
import { formatDateTime } from "@/lib/dates";
import { correctParcel } from "@/lib/shipments/client";
import { carrierOf, ParcelFields, parcelProblem, parcelValues } from "./parcel-fields";
import type { OrderRow } from "./ship-dialog";

type Parcel = OrderRow["shipments"][number];

interface ParcelsDialogProps {
  order: OrderRow;
  onSaved: () => void;
  /** `isStale`: a parcel was changed elsewhere since the list was loaded. */
  onClose: (isStale: boolean) => void;
}

/** The parcels of an order; their carriers and numbers can be corrected. */
export function ParcelsDialog({ order, onSaved, onClose }: ParcelsDialogProps) {
  const [isDirty, setIsDirty] = useState(false);
  const [isStale, setIsStale] = useState(false);
  return (
    <FormDialog
      isDirty={isDirty}
      isBusy={false}
      onClose={() => onClose(isStale)}
      title={`Colis de la commande ${order.number}`}
    >
      <ul className="flex flex-col gap-5 overflow-y-auto px-6 py-5">
        {order.shipments.map((parcel) => (
          <ParcelItem
            key={parcel.id}
            parcel={parcel}
            onTyped={() => setIsDirty(true)}
            onConflict={() => setIsStale(true)}
            onSaved={onSaved}
          />
        ))}
      </ul>
    </FormDialog>
  );
}

interface ParcelItemProps {
  parcel: Parcel;
  onTyped: () => void;
  onConflict: () => void;
  onSaved: () => void;
}

function ParcelItem({ parcel: openedParcel, onConflict, ...props }: ParcelItemProps) {
  /** After a conflict, the parcel's latest version. */
  const [parcel, setParcel] = useState(openedParcel);
  return (
    <li className="flex flex-col gap-4 rounded-md border border-line p-4">
      <div>
        <p className="font-medium">
          <TrackingLink shipment={parcel} />
        </p>
        <p className="text-muted text-sm">
          {[
            `Expédié le ${formatDateTime(parcel.shippedAt)}`,
            parcel.deliveredAt && `, livré le ${formatDateTime(parcel.deliveredAt)}`,
            "\u00a0: ",
            parcel.items.map(({ name, quantity }) => `${name} × ${quantity}`).join(", "),
          ].join("")}
        </p>
      </div>
      <ParcelForm
        {...props}
        parcel={parcel}
        onConflict={(current) => {
          onConflict();
          setParcel(current);
        }}
      />
    </li>
  );
}

const LABELS = { trackingNumber: "Numéro de suivi", carrier: "Transporteur" };

interface ParcelFormProps extends Pick<ParcelItemProps, "parcel" | "onTyped" | "onSaved"> {
  onConflict: (current: Parcel) => void;
}

function ParcelForm({ parcel, onTyped, onConflict, onSaved }: ParcelFormProps) {
  const [values, setValues] = useState(() => parcelValues(parcel));
  /** Does the shown refusal come from a change by somebody else? */
  const [isConflict, setIsConflict] = useState(false);
  const { isBusy, problem, setProblem, run } = useCall((error) =>
    sentencesOf(error, {
      fields: /^(carrier|trackingNumber)$/,
      failed: "Le colis n’a pas pu être modifié.",
    }),
  );
  const form = useFocusOnError(problem);
  const typed = { carrier: carrierOf(values), trackingNumber: values.trackingNumber };

  function submit(event: FormEvent) {
    event.preventDefault();
    setIsConflict(false);
    const found = parcelProblem(values);
    if (found) return setProblem(found);
    void run(async () => {
      try {
        await correctParcel(parcel.id, { ...typed, version: parcel.version });
        onSaved();
      } catch (error) {
        const current = error instanceof ApiError ? currentOf<Parcel>(error) : null;
        if (current) {
          setIsConflict(true);
          onConflict(current);
        }
        throw error;
      }
    });
  }

  function takeStored() {
    setIsConflict(false);
    setProblem(null);
    setValues(parcelValues(parcel));
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
      {problem?.[FORM_KEY] && <Alert kind="error">{problem[FORM_KEY]}</Alert>}
      {isConflict && (
        <CrudConflict
          differences={differencesOf({ mine: typed, theirs: parcel, labels: LABELS })}
          onKeep={() => form.current?.requestSubmit()}
          onTake={takeStored}
        />
      )}
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
