"use client";

import { useEffect, useState } from "react";
import { OrderAddresses } from "@/components/orders/order-detail";
import { OrderItems } from "@/components/orders/order-items";
import { OrderShipping } from "@/components/orders/order-shipping";
import { ButtonLink } from "@/components/ui/button";
import { CheckCircleIcon } from "@/components/ui/icons";
import { Price } from "@/components/ui/price";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { useLoaded } from "@/components/ui/use-loaded";
import { productTypeOf } from "@/lib/catalogue/rules";
import { getOrder, lastOrderId } from "@/lib/orders/client";
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
      <div className="mx-auto mt-8 flex max-w-3xl flex-col gap-6">
        <p role="status" className="sr-only">
          Chargement de la commande...
        </p>
        <Skeleton className="h-40" />
        <Skeleton className="h-56" />
      </div>
    );
  return (
    <div className="mx-auto mt-8 flex max-w-3xl flex-col gap-8">
      <div className="flex flex-col items-center gap-4 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-success-soft text-success">
          <CheckCircleIcon size={32} />
        </span>
        <h1 className="text-title">Merci pour votre commande&#8239;!</h1>
        <p className="max-w-prose text-lg text-muted">
          {data.total > 0 && (
            <span>
              Votre paiement de <Price euros={data.total} className="font-semibold text-ink" /> est
              accepté.{" "}
            </span>
          )}
          <span>
            Votre commande <strong className="whitespace-nowrap text-ink">{data.number}</strong> est
            enregistrée&#8239;; une confirmation vous est envoyée par e-mail, avec la facture.
          </span>
        </p>
        <div className="mt-2 flex flex-wrap justify-center gap-3">
          <ButtonLink href="/orders" prefetch={false}>
            Voir mes commandes
          </ButtonLink>
          <ButtonLink href="/products" variant="secondary">
            Continuer mes achats
          </ButtonLink>
        </div>
      </div>
      <section aria-label="Récapitulatif de la commande" className="flex flex-col gap-6">
        <OrderItems items={data.items} />
        <OrderShipping order={data} />
        <OrderAddresses
          order={data}
          withoutShipping={data.items.every(({ product }) => productTypeOf(product) === "digital")}
        />
      </section>
    </div>
  );
}
