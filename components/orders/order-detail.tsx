"use client";

import { AddressLines } from "@/components/addresses/address-lines";
import { OrderAgain } from "@/components/orders/order-again";
import { OrderItems } from "@/components/orders/order-items";
import { OrderArrival, OrderProgress } from "@/components/orders/order-progress";
import { OrderRefunds } from "@/components/orders/order-refunds";
import { OrderShipping, OrderTotal } from "@/components/orders/order-shipping";
import { InvoiceButton } from "@/components/orders/order-table";
import { Withdrawal } from "@/components/orders/withdrawal";
import { Alert } from "@/components/ui/alert";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { useLoaded } from "@/components/ui/use-loaded";
import { formatLongDate } from "@/lib/dates";
import { getOrderDetail, type OrderJson, type OrderSummaryJson } from "@/lib/orders/client";
import { DETAIL_FAILED } from "@/lib/orders/texts";

interface OrderDetailProps {
  order: OrderSummaryJson;
  /** The error of the invoice's download. */
  problem: string | null;
  onProblem: (problem: string | null) => void;
}

/** The dialog of one order, loaded whenever it opens: its download links expire. */
export function OrderDetail({ order, problem, onProblem }: OrderDetailProps) {
  const { data, failure, mutate } = useLoaded(
    ["/api/orders_details", order.id],
    () => getOrderDetail(order.id),
    { revalidateIfStale: true, dedupingInterval: 0 },
  );
  if (failure) return <RetryAlert message={DETAIL_FAILED} onRetry={() => mutate()} />;
  return (
    <div className="flex flex-col gap-6">
      <p className="text-muted">{`Passée le ${formatLongDate(order.date)}`}</p>
      {problem && <Alert kind="error">{problem}</Alert>}
      {data ? (
        <>
          <OrderArrival order={data} />
          <OrderProgress order={data} />
          <OrderAddresses order={data} />
          <OrderItems order={data} canReview={data.status === "delivered"} />
          <OrderShipping order={data} />
        </>
      ) : (
        <>
          <p role="status" className="sr-only">
            Chargement de la commande...
          </p>
          <Skeleton className="h-24" />
          <Skeleton className="h-40" />
        </>
      )}
      <OrderTotal order={order} />
      {typeof order.invoiceId === "number" && (
        <div className="-ml-3.75">
          <InvoiceButton invoiceId={order.invoiceId} onProblem={onProblem} />
        </div>
      )}
      {data && <OrderAgain items={data.items} />}
      {data && <OrderRefunds order={data} />}
      {data && (
        <Withdrawal
          order={data}
          onRecorded={(withdrawal) =>
            // Kept in the cache: an order that is opened again is first shown from there.
            void mutate({ ...data, withdrawal }, { revalidate: false })
          }
          onOutdated={() => void mutate()}
        />
      )}
    </div>
  );
}

interface OrderAddressesProps {
  order: OrderJson;
  /** For an order of files only: nothing is delivered. */
  withoutShipping?: boolean;
}

/** The shipping and the billing address. */
export function OrderAddresses({ order, withoutShipping = false }: OrderAddressesProps) {
  const billing = { title: "Adresse de facturation", address: order.billingAddress };
  const shipping = { title: "Adresse de livraison", address: order.shippingAddress };
  return (
    <dl className="grid gap-6 rounded-lg bg-surface p-5 sm:grid-cols-2">
      {(withoutShipping ? [billing] : [shipping, billing]).map(({ title, address }) => (
        <div key={title}>
          <dt className="text-muted text-sm">{title}</dt>
          <dd className="mt-1">
            <AddressLines address={address} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
