"use client";

import { Boxes, Package, PackageCheck, Truck } from "lucide-react";
import { useState } from "react";
import { takeStep } from "@/lib/shipments/client";
import { NoButton, RowButton } from "./cells";
import type { ActionTools } from "./crud-entity";
import { ParcelsDialog } from "./parcels-dialog";
import { type OrderRow, ShipDialog } from "./ship-dialog";

interface OrderStepsProps {
  order: OrderRow;
  tools: ActionTools;
}

/** What follows for an order, in one click, and its parcels. */
export function OrderSteps({ order, tools }: OrderStepsProps) {
  const [dialog, setDialog] = useState<"ship" | "parcels" | null>(null);
  const isBusy = tools.isBusy(order.id);
  const close = () => setDialog(null);
  const isOpen = order.status === "paid" || order.status === "preparing";
  const canShip = isOpen && order.orderItems.some(({ toSend }) => toSend > 0);

  const step = (name: "prepare" | "deliver") => () =>
    tools.change(
      order.id,
      () => takeStep(order.id, name),
      ({ message }) => ({ text: message }),
    );

  function finish(text: string) {
    close();
    void tools.done(order.id, text);
  }

  return (
    <>
      {order.status === "paid" && (
        <RowButton
          label="Préparer"
          Icon={Package}
          className="text-accent!"
          disabled={isBusy}
          onClick={step("prepare")}
        />
      )}
      {order.status === "shipped" && (
        <RowButton
          label="Marquer comme livrée"
          Icon={PackageCheck}
          className="text-accent!"
          disabled={isBusy}
          onClick={step("deliver")}
        />
      )}
      {order.status !== "paid" && order.status !== "shipped" && <NoButton />}
      {canShip ? (
        <RowButton
          label="Expédier"
          Icon={Truck}
          className="text-accent!"
          disabled={isBusy}
          onClick={() => setDialog("ship")}
        />
      ) : (
        <NoButton />
      )}
      {order.shipments.length > 0 ? (
        <RowButton label="Colis" Icon={Boxes} onClick={() => setDialog("parcels")} />
      ) : (
        <NoButton />
      )}
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
