"use client";

import { Boxes, type LucideIcon, Package, PackageCheck, Truck } from "lucide-react";
import { useState } from "react";
import { NoButton, RowButton } from "@/components/backoffice/crud/cells";
import type { ActionTools } from "@/components/backoffice/crud/crud-entity";
import { ParcelsDialog } from "@/components/backoffice/shipments/parcels-dialog";
import { type OrderRow, ShipDialog } from "@/components/backoffice/shipments/ship-dialog";
import { takeStep } from "@/lib/shipments/client";
import type { OrderStatus } from "@/lib/shop/order-status";

interface OrderStepsProps {
  order: OrderRow;
  tools: ActionTools;
}

/** The next step that admins record, except shipping. */
const NEXT: Partial<
  Record<OrderStatus, { step: "prepare" | "deliver"; label: string; Icon: LucideIcon }>
> = {
  paid: { step: "prepare", label: "Préparer", Icon: Package },
  shipped: { step: "deliver", label: "Marquer comme livrée", Icon: PackageCheck },
};

/** Are items of the order left to send? */
export const isToSend = ({ status, orderItems }: OrderRow) =>
  (status === "paid" || status === "preparing") && orderItems.some(({ toSend }) => toSend > 0);

/** The next step of an order, in one click, and the order's parcels. */
export function OrderSteps({ order, tools }: OrderStepsProps) {
  const [dialog, setDialog] = useState<"ship" | "parcels" | null>(null);
  const isBusy = tools.isBusy(order.id);
  const next = NEXT[order.status];

  function close(isStale: boolean) {
    setDialog(null);
    if (isStale) void tools.reload();
  }

  function finish(text: string) {
    setDialog(null);
    void tools.done(text);
  }

  return (
    <>
      {next ? (
        <RowButton
          label={next.label}
          Icon={next.Icon}
          className="text-accent!"
          disabled={isBusy}
          onClick={() =>
            tools.change(
              order.id,
              () => takeStep(order.id, next.step),
              ({ message }) => ({ text: message }),
            )
          }
        />
      ) : (
        <NoButton />
      )}
      <RowButton
        shown={isToSend(order)}
        label="Expédier"
        Icon={Truck}
        className="text-accent!"
        disabled={isBusy}
        onClick={() => setDialog("ship")}
      />
      <RowButton
        shown={order.shipments.length > 0}
        label="Colis"
        Icon={Boxes}
        onClick={() => setDialog("parcels")}
      />
      {dialog === "ship" && (
        <ShipDialog
          order={order}
          onSent={() => finish("Colis expédié\u00a0: le client en est averti par e-mail.")}
          onClose={close}
        />
      )}
      {dialog === "parcels" && (
        <ParcelsDialog order={order} onSaved={() => finish("Colis modifié.")} onClose={close} />
      )}
    </>
  );
}
