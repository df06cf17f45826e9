import clsx from "clsx";
import { DownloadButton } from "@/components/orders/download-button";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { Button } from "@/components/ui/button";
import { Price } from "@/components/ui/price";
import { TABLE_ROLES } from "@/components/ui/table-roles";
import { useCall } from "@/components/ui/use-call";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { formatDate } from "@/lib/dates";
import { formatNumber } from "@/lib/numbers";
import { downloadInvoice, type OrderSummaryJson } from "@/lib/orders/client";
import { INVOICE_FAILED, partRefunded, partSent } from "@/lib/orders/texts";

interface OrderTableProps {
  orders: readonly OrderSummaryJson[];
  onProblem: InvoiceButtonProps["onProblem"];
  onOpen: (order: OrderSummaryJson) => void;
}

const HEADINGS = [
  { label: "Numéro" },
  { label: "Date" },
  { label: "État" },
  { label: "Total", isRight: true },
  { label: "Articles", isRight: true },
  { label: "Actions", isRight: true },
];

const cell = "lg:border-line lg:border-t lg:px-4 lg:py-3 lg:align-middle";

/** A table from 1024 px up; on narrower screens each order is a card, of one column where text is large. */
export function OrderTable({ orders, onOpen, onProblem }: OrderTableProps) {
  return (
    <div className="@container lg:overflow-hidden lg:rounded-lg lg:border lg:border-line">
      <table {...TABLE_ROLES.table} className="block w-full border-collapse text-left lg:table">
        <caption className="sr-only">Mes commandes, de la plus récente à la plus ancienne</caption>
        <thead
          {...TABLE_ROLES.group}
          // Cards need no headings: hidden above cards, except from screen readers.
          className="sr-only bg-surface text-sm lg:not-sr-only lg:table-header-group"
        >
          <tr {...TABLE_ROLES.row}>
            {HEADINGS.map(({ label, isRight }) => (
              <th
                key={label}
                {...TABLE_ROLES.heading}
                scope="col"
                className={clsx("px-4 py-3 font-medium text-muted", isRight && "text-right")}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...TABLE_ROLES.group} className="grid gap-4 @2xl:grid-cols-2 lg:table-row-group">
          {orders.map((order) => (
            <tr
              key={order.id}
              {...TABLE_ROLES.row}
              className="grid grid-cols-[minmax(0,1fr)] @2xs:grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-1 rounded-lg border border-line p-4 lg:table-row lg:rounded-none lg:border-0 lg:hover:bg-surface"
            >
              <th
                id={`order-${order.id}`}
                {...TABLE_ROLES.rowHeading}
                scope="row"
                className={`${cell} text-left font-semibold @2xs:whitespace-nowrap`}
              >
                {order.number}
              </th>
              <td
                {...TABLE_ROLES.cell}
                className={`${cell} text-muted lg:text-ink max-lg:@2xs:text-right`}
              >
                <time dateTime={order.date}>{formatDate(order.date)}</time>
              </td>
              <td {...TABLE_ROLES.cell} className={`${cell} order-3 @2xs:col-span-2`}>
                <OrderStatusBadge status={order.status} />
                {order.status === "preparing" && (
                  <span className="ml-2 text-muted text-sm">{partSent(order)}</span>
                )}
              </td>
              <td
                {...TABLE_ROLES.cell}
                className={`${cell} order-2 font-semibold lg:text-right lg:font-normal @2xs:text-right`}
              >
                <Price euros={order.total} />
                <span className="block font-normal text-muted text-sm">{partRefunded(order)}</span>
              </td>
              <td
                {...TABLE_ROLES.cell}
                className={`${cell} order-1 text-muted tabular-nums lg:text-right lg:text-ink`}
              >
                <span>{formatNumber(order.itemsCount)}</span>
                <span className="lg:hidden">{order.itemsCount > 1 ? " articles" : " article"}</span>
              </td>
              <td {...TABLE_ROLES.cell} className={`${cell} order-4 mt-3 lg:mt-0 @2xs:col-span-2`}>
                <div className="flex flex-wrap gap-2 lg:justify-end">
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-describedby={`order-${order.id}`}
                    onClick={() => onOpen(order)}
                  >
                    Détails
                  </Button>
                  {typeof order.invoiceId === "number" && (
                    <InvoiceButton
                      invoiceId={order.invoiceId}
                      describedBy={`order-${order.id}`}
                      onProblem={onProblem}
                    />
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface InvoiceButtonProps {
  invoiceId: number;
  describedBy?: string;
  /** Says what went wrong; null when the download is tried again. */
  onProblem: (problem: string | null) => void;
}

export function InvoiceButton({ invoiceId, describedBy, onProblem }: InvoiceButtonProps) {
  const { isBusy, run } = useCall(() => onProblem(INVOICE_FAILED));

  function download() {
    onProblem(null);
    void run(async () => {
      await downloadInvoice(invoiceId);
      trackEvent(EVENTS.invoiceDownload);
    });
  }

  return (
    <DownloadButton aria-describedby={describedBy} busy={isBusy} onClick={download}>
      Télécharger la facture
    </DownloadButton>
  );
}
