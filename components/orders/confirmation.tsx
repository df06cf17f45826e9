"use client";

import { useEffect, useState } from "react";
import { OrderAddresses } from "@/components/orders/order-detail";
import { FileLink, OrderItems } from "@/components/orders/order-items";
import { OrderArrival, OrderProgress } from "@/components/orders/order-progress";
import { OrderShipping, OrderTotal } from "@/components/orders/order-shipping";
import { InvoiceButton } from "@/components/orders/order-table";
import { Alert } from "@/components/ui/alert";
import { ButtonLink, buttonClass } from "@/components/ui/button";
import { CheckCircleIcon } from "@/components/ui/icons";
import { Price } from "@/components/ui/price";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { useLoaded } from "@/components/ui/use-loaded";
import { productTypeOf } from "@/lib/catalogue/rules";
import { getOrder, lastOrderId, type OrderJson, orderUrl } from "@/lib/orders/client";
import { CONFIRMATION_FAILED } from "@/lib/orders/texts";

/** The order that has just been paid in this tab. Any other order redirects to the home page. */
export function Confirmation() {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    // One static page for every order (next.config.ts): the id is read from the URL.
    const [, requestedId = ""] =
      /^\/order\/([^/]+)\/confirmation/.exec(window.location.pathname) ?? [];
    if (requestedId !== "" && requestedId === lastOrderId()) setId(requestedId);
    // A page load: after a client-side navigation this early, this page's metadata would stay in the head.
    else window.location.replace("/");
  }, []);
  return id && <ConfirmedOrder id={Number(id)} />;
}

function ConfirmedOrder({ id }: { id: number }) {
  const { data, failure, mutate } = useLoaded(["/api/orders", id], () => getOrder(id));
  if (failure)
    return (
      <div className="mt-8 flex flex-col items-start gap-4">
        <h1 className="text-title">Confirmation de commande</h1>
        <RetryAlert message={failure.sentence || CONFIRMATION_FAILED} onRetry={() => mutate()}>
          <ButtonLink href="/orders" prefetch={false}>
            Voir mes commandes
          </ButtonLink>
        </RetryAlert>
      </div>
    );
  if (!data)
    return (
      <div className={COLUMNS}>
        <p role="status" className="sr-only">
          Chargement de la commande...
        </p>
        <Skeleton className="h-72" />
        <Skeleton className="h-56" />
      </div>
    );
  const isFilesOnly = data.items.every(isFile);
  return (
    <div className={COLUMNS}>
      <div className="flex min-w-0 flex-col gap-8">
        <div className="flex flex-col gap-4">
          <h1 className="flex items-center gap-3 text-title">
            <CheckCircleIcon size={32} className="shrink-0 text-success" />
            <span>Merci pour votre commande&#8239;!</span>
          </h1>
          <p className="max-w-prose text-lg text-muted">
            {data.total > 0 && (
              <span>
                Votre paiement de <Price euros={data.total} className="font-semibold text-ink" />{" "}
                est accepté.{" "}
              </span>
            )}
            <span>
              Votre commande <strong className="whitespace-nowrap text-ink">{data.number}</strong>{" "}
              est enregistrée&#8239;; une confirmation vous est envoyée par e-mail, avec la facture.
            </span>
          </p>
        </div>
        <Downloads items={data.items} />
        {!isFilesOnly && (
          <div className="flex flex-col gap-5">
            <OrderArrival order={data} />
            <OrderProgress order={data} />
          </div>
        )}
        <div className="flex flex-wrap gap-3">
          <ButtonLink href={orderUrl(data.number)} prefetch={false}>
            Suivre ma commande
          </ButtonLink>
          <ButtonLink href="/orders" prefetch={false} variant="secondary">
            Voir mes commandes
          </ButtonLink>
          <ButtonLink href="/products" variant="ghost">
            Continuer mes achats
          </ButtonLink>
        </div>
      </div>
      <section
        aria-label="Récapitulatif de la commande"
        className="flex min-w-0 flex-col gap-5 rounded-lg border border-line p-5 sm:p-6"
      >
        <OrderItems order={data} />
        <OrderShipping order={data} />
        <OrderTotal order={data} />
        <OrderInvoice order={data} />
        <OrderAddresses order={data} withoutShipping={isFilesOnly} />
      </section>
    </div>
  );
}

const COLUMNS =
  "mt-8 grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_min(30rem,45%)] lg:gap-16";

const isFile = ({ product }: OrderJson["items"][number]) => productTypeOf(product) === "digital";

/** The files of the order, first: they are there already. */
function Downloads({ items }: Pick<OrderJson, "items">) {
  const files = items.filter((item) => isFile(item) && item.product.downloadLink);
  if (files.length === 0) return null;
  return (
    <section aria-label="Vos fichiers" className="rounded-lg bg-accent-soft p-5">
      <h2 className="font-semibold text-lg">
        {files.length > 1 ? "Vos fichiers sont prêts" : "Votre fichier est prêt"}
      </h2>
      <ul className="mt-3 flex flex-col gap-3">
        {files.map(({ id, product }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span className="min-w-0 flex-1 font-medium">{product.name}</span>
            <FileLink product={product} className={buttonClass({ size: "sm" })} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The invoice, to be downloaded at once. */
function OrderInvoice({ order: { invoiceId } }: { order: OrderJson }) {
  const [problem, setProblem] = useState<string | null>(null);
  if (typeof invoiceId !== "number") return null;
  return (
    <div className="flex flex-col items-start gap-3">
      {problem && <Alert kind="error">{problem}</Alert>}
      <div className="-ml-3.75">
        <InvoiceButton invoiceId={invoiceId} onProblem={setProblem} />
      </div>
    </div>
  );
}
