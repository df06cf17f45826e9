import clsx from "clsx";
import { TrackingLink } from "@/components/orders/tracking-link";
import { formatLongDate } from "@/lib/dates";
import type { OrderJson } from "@/lib/orders/client";
import { arrivalText } from "@/lib/shop/arrival";
import { ORDER_STATUS_LABELS, type OrderStatus } from "@/lib/shop/order-status";
import { piecesText } from "@/lib/text/pieces-text";

/** The progress of an order: its states with their days, its parcels, and what is left to send. */
export function OrderProgress({ order }: { order: OrderJson }) {
  const left = order.items.filter(({ toSend }) => toSend > 0);
  return (
    <section aria-label="Suivi de la commande" className="flex flex-col gap-5">
      <States order={order} />
      {order.shipments.length > 0 && (
        <div>
          <h3 className="font-semibold">
            {order.shipments.length > 1 ? "Vos colis" : "Votre colis"}
          </h3>
          <ul className="mt-2 flex flex-col gap-3">
            {order.shipments.map((shipment) => (
              <li key={shipment.id} className="rounded-md border border-line px-4 py-3">
                <p>
                  <TrackingLink shipment={shipment} />
                </p>
                <p className="text-muted text-sm">
                  {[
                    shipment.deliveredAt
                      ? `Livré le ${formatLongDate(shipment.deliveredAt)}`
                      : `Expédié le ${formatLongDate(shipment.shippedAt)}`,
                    piecesText(shipment.items),
                  ].join("\u00a0: ")}
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      {order.shipments.length > 0 && left.length > 0 && order.status !== "cancelled" && (
        <p>
          <span className="font-semibold">Reste à envoyer&nbsp;:</span>{" "}
          <span>
            {piecesText(
              left.map(({ product, toSend }) => ({ name: product.name, quantity: toSend })),
            )}
          </span>
        </p>
      )}
    </section>
  );
}

/** When the objects of an order arrive, as it was promised; nothing once they are there, or without a promise. */
export function OrderArrival({ order }: { order: OrderJson }) {
  const { shippingDelay, status, date } = order;
  if (!shippingDelay || status === "delivered" || status === "cancelled") return null;
  return (
    <p className="font-semibold text-lg">
      {arrivalText({ delay: shippingDelay, from: date }) ?? `Délai\u00a0: ${shippingDelay}`}
    </p>
  );
}

/** The states still to come after each state; the last states have none. */
const AHEAD: Partial<Record<OrderStatus, readonly OrderStatus[]>> = {
  paid: ["preparing", "shipped", "delivered"],
  preparing: ["shipped", "delivered"],
  shipped: ["delivered"],
};

/** The order's past and present states with their days, and the states still to come. */
function States({ order: { history, status } }: { order: OrderJson }) {
  const ahead = (AHEAD[status] ?? []).map((next) => ({ status: next, date: null }));
  return (
    <ol className="grid gap-x-4 gap-y-3 sm:auto-cols-fr sm:grid-flow-col">
      {[...history, ...ahead].map((state) => (
        <li
          key={state.status}
          aria-current={state.status === status ? "step" : undefined}
          className={clsx(
            "border-l-4 py-0.5 pl-3 sm:border-t-4 sm:border-l-0 sm:pt-2 sm:pl-0",
            state.date === null ? "border-line border-dashed text-muted" : "border-accent",
            state.status === "cancelled" && "border-danger",
          )}
        >
          <span className={clsx("block", state.status === status && "font-semibold")}>
            {ORDER_STATUS_LABELS[state.status]}
          </span>
          <span className="block text-muted text-sm">
            {state.date === null ? (
              "À venir"
            ) : (
              <span>
                le <time dateTime={state.date}>{formatLongDate(state.date)}</time>
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
