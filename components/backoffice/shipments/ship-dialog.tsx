"use client";

import { type FormEvent, useState } from "react";
import { FormDialog } from "@/components/backoffice/forms/form-dialog";
import { FORM_KEY, sentencesOf } from "@/components/backoffice/forms/form-errors";
import { useFocusOnError } from "@/components/backoffice/forms/use-focus-on-error";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { NumberField } from "@/components/ui/number-field";
import { useCall } from "@/components/ui/use-call";
import { ApiError } from "@/lib/api-error";
import { currentOf } from "@/lib/backoffice/rules";
import { formatDate } from "@/lib/dates";
import type { JsonOf } from "@/lib/http/api/resource";
import { formatNumber, wholeNumber } from "@/lib/numbers";
import type { adminOrderResource } from "@/lib/orders/admin-resource";
import { type ShipmentJson, sendParcel } from "@/lib/shipments/client";
import { CARRIERS, carrierOfMethod } from "@/lib/shipments/rules";
import { NOTHING_TO_SEND } from "@/lib/shipments/texts";
import { DuplicateTrackingQuestion, noteShipped, shippedWith } from "./duplicate-tracking-question";
import { carrierOf, ParcelFields, parcelProblem, parcelValues } from "./parcel-fields";

export type OrderRow = JsonOf<typeof adminOrderResource>;

const NO_PIECES = "Veuillez indiquer au moins un article à envoyer.";
const WRONG_COUNT = "Veuillez indiquer un nombre entier.";

/** The carrier of the last parcel in this tab: most parcels of a day go the same way. */
let lastCarrier: string | null = null;

interface ShipDialogProps {
  order: OrderRow;
  onSent: (shipment: ShipmentJson) => void;
  /** `isStale`: the order was changed elsewhere since the list was loaded. */
  onClose: (isStale: boolean) => void;
}

/** Sends a parcel of an order: by default all items that are left. */
export function ShipDialog({ order: openedOrder, onSent, onClose }: ShipDialogProps) {
  /** After a conflict, the latest order. */
  const [order, setOrder] = useState(openedOrder);
  const items = order.orderItems.filter(({ toSend }) => toSend > 0);
  const [parcel, setParcel] = useState(() =>
    parcelValues({
      carrier: carrierOfMethod(order.shippingMethod) ?? lastCarrier ?? CARRIERS[0]?.name ?? "",
      trackingNumber: null,
    }),
  );
  /** The typed quantities; other items are sent whole. */
  const [counts, setCounts] = useState<Readonly<Record<number, string>>>({});
  const countOf = ({ id, toSend }: (typeof items)[number]) => counts[id] ?? String(toSend);
  /** Another order with the same tracking number, while the question about it is open. */
  const [other, setOther] = useState<OrderRow | null>(null);
  const { isBusy, problem, setProblem, run } = useCall((error) =>
    sentencesOf(error, {
      fields: /^(carrier|trackingNumber|items\[.*)$/,
      failed: "Le colis n’a pas pu être expédié.",
    }),
  );
  const form = useFocusOnError(problem);
  const errors: Readonly<Record<string, string>> = problem ?? {};
  const contents = items.map((item) => ({
    item: item.id,
    quantity: wholeNumber(countOf(item) || "0"),
  }));
  const named = contents.filter(({ quantity }) => quantity !== 0);

  /** The API identifies items by their index in the request; the form, by their id. */
  function problemOfItem(id: number): string | undefined {
    const index = named.findIndex(({ item }) => item === id);
    return (
      errors[`item ${id}`] ?? errors[`items[${index}].quantity`] ?? errors[`items[${index}].item`]
    );
  }

  function check(): boolean {
    const wrong = contents.filter(({ quantity }) => !Number.isInteger(quantity) || quantity < 0);
    const found = {
      ...parcelProblem(parcel),
      ...Object.fromEntries(wrong.map(({ item }) => [`item ${item}`, WRONG_COUNT])),
      ...(named.length === 0 && { [FORM_KEY]: NO_PIECES }),
    };
    setProblem(found);
    return Object.keys(found).length === 0;
  }

  async function send() {
    try {
      const shipment = await sendParcel(order.id, {
        carrier: carrierOf(parcel),
        trackingNumber: parcel.trackingNumber,
        items: named,
        version: order.version,
      });
      lastCarrier = parcel.choice;
      noteShipped(order, parcel.trackingNumber);
      onSent(shipment);
    } catch (error) {
      const current = error instanceof ApiError ? currentOf<OrderRow>(error) : null;
      if (current) setOrder(current);
      throw error;
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!check()) return;
    const sameNumber = shippedWith(order, parcel.trackingNumber);
    if (sameNumber) setOther(sameNumber);
    else void run(send);
  }

  const close = () => onClose(order !== openedOrder);

  return (
    <FormDialog
      isDirty={parcel.trackingNumber !== "" || Object.keys(counts).length > 0}
      isBusy={isBusy}
      onClose={close}
      title={`Expédier la commande ${order.number}`}
    >
      <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <div className="flex min-h-0 flex-col gap-5 overflow-y-auto px-6 py-5">
          {order.withdrawnAt && (
            <Alert kind="warning" live={false}>
              {`Rétractation reçue le ${formatDate(order.withdrawnAt)}. Vérifiez ce qui est rendu avant d’expédier.`}
            </Alert>
          )}
          {order.isDisputed && (
            <Alert kind="warning" live={false}>
              Le client conteste ce paiement auprès de sa banque, qui le retient.
            </Alert>
          )}
          <ParcelFields values={parcel} onChange={setParcel} errors={errors} />
          <fieldset className="flex flex-col gap-3 rounded-md border border-line p-4">
            <legend className="px-1 font-medium text-sm">Articles à envoyer</legend>
            {items.map((item) => (
              <NumberField
                key={item.id}
                label={item.product.name}
                hint={
                  item.toSend === 1
                    ? "1 pièce reste à envoyer."
                    : `${formatNumber(item.toSend)} pièces restent à envoyer.`
                }
                min={0}
                max={item.toSend}
                step={1}
                value={countOf(item)}
                onChange={({ target }) => setCounts({ ...counts, [item.id]: target.value })}
                error={problemOfItem(item.id) ?? null}
              />
            ))}
            {items.length === 0 && <p className="text-muted">{NOTHING_TO_SEND}</p>}
          </fieldset>
        </div>
        <div className="flex shrink-0 flex-col gap-3 border-line border-t px-6 py-4">
          {/* Outside the list of items, which may scroll. */}
          {errors[FORM_KEY] && <Alert kind="error">{errors[FORM_KEY]}</Alert>}
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={close} disabled={isBusy}>
              Annuler
            </Button>
            <Button type="submit" busy={isBusy} pendingLabel="Expédition en cours...">
              Expédier
            </Button>
          </div>
        </div>
      </form>
      <DuplicateTrackingQuestion
        trackingNumber={parcel.trackingNumber}
        other={other}
        onConfirm={() => {
          setOther(null);
          void run(send);
        }}
        onCancel={() => setOther(null)}
      />
    </FormDialog>
  );
}
