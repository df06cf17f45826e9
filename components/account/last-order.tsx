"use client";

import type { ReactNode } from "react";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { ButtonLink } from "@/components/ui/button";
import { Price } from "@/components/ui/price";
import { Skeleton } from "@/components/ui/skeleton";
import { useLoaded } from "@/components/ui/use-loaded";
import { formatLongDate } from "@/lib/dates";
import { listMyOrders, orderUrl } from "@/lib/orders/client";
import { LIST_FAILED, NO_ORDERS } from "@/lib/orders/texts";

/** The newest order, and the link to it. Each state has the same height, so that nothing below it moves. */
export function LastOrder() {
  const { data, failure } = useLoaded("/api/my-orders", listMyOrders);
  const order = data?.[0];
  return (
    <section
      aria-labelledby="last-order"
      className="noscript:hidden mb-4 rounded-xl border border-line p-5 md:mb-6 md:p-7"
    >
      <h2 id="last-order" className="text-heading">
        Dernière commande
      </h2>
      {order ? (
        <Row link={{ href: orderUrl(order.number), label: "Suivre ma commande" }}>
          <p className="flex flex-wrap items-center gap-x-3">
            <span className="font-semibold">{order.number}</span>
            <OrderStatusBadge status={order.status} />
          </p>
          <p className="flex flex-wrap gap-x-3 text-muted">
            <time dateTime={order.date}>{formatLongDate(order.date)}</time>
            <Price euros={order.total} />
          </p>
        </Row>
      ) : data ? (
        <Row link={{ href: "/products", label: "Parcourir le catalogue" }}>
          <p className="text-muted">{NO_ORDERS}</p>
        </Row>
      ) : failure ? (
        <Row link={{ href: "/orders", label: "Voir mes commandes" }}>
          <p>{LIST_FAILED}</p>
        </Row>
      ) : (
        <Row link={null}>
          <Skeleton className="h-13 w-60 max-w-full" />
        </Row>
      )}
    </section>
  );
}

interface RowProps {
  /** Null while the orders are loading. */
  link: { href: string; label: string } | null;
  children: ReactNode;
}

function Row({ link, children }: RowProps) {
  return (
    <div className="mt-3 flex flex-col gap-4 sm:flex-row sm:items-center sm:justify-between">
      <div className="flex min-h-13 min-w-0 flex-col justify-center">{children}</div>
      {link ? (
        <ButtonLink href={link.href} prefetch={false} variant="secondary">
          {link.label}
        </ButtonLink>
      ) : (
        <Skeleton className="h-11 sm:w-52" />
      )}
    </div>
  );
}
