"use client";

import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { OrderDetail } from "@/components/orders/order-detail";
import { OrderTable } from "@/components/orders/order-table";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Modal } from "@/components/ui/modal";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { useLoaded } from "@/components/ui/use-loaded";
import {
  listMyOrders,
  ORDER_PARAMETER,
  type OrderSummaryJson,
  orderUrl,
} from "@/lib/orders/client";
import {
  DOWNLOAD_FAILED,
  FILE_MISSING,
  LINK_EXPIRED,
  LIST_FAILED,
  NO_ORDERS,
  NOT_FOUND,
} from "@/lib/orders/texts";

/** Rows shown initially, and added by the button. */
const STEP = 50;

export function OrdersScreen() {
  const { data, failure, mutate } = useLoaded("/api/my-orders", listMyOrders);
  const { number, open, close } = useOpenOrder();
  const opened = data?.find((order) => order.number === number) ?? null;
  /** The error of an invoice's download. */
  const [problem, setProblem] = useState<string | null>(null);
  const [shown, setShown] = useState(STEP);

  if (failure) return <RetryAlert message={LIST_FAILED} onRetry={() => mutate()} />;

  return (
    <div className="flex flex-col gap-6">
      <LinkNotice />
      {data && number !== null && !opened && <Alert kind="warning">{NOT_FOUND}</Alert>}
      {problem && !opened && (
        // Sticky, so that visitors who have scrolled down to the last order see it, too.
        <Alert kind="error" className="sticky top-20 z-10">
          {problem}
        </Alert>
      )}
      {!data && <OrdersSkeleton />}
      {data?.length === 0 && (
        <EmptyState title={NO_ORDERS}>
          <ButtonLink href="/products">Parcourir le catalogue</ButtonLink>
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <OrderTable
          orders={data.slice(0, shown)}
          onProblem={setProblem}
          onOpen={(order) => {
            setProblem(null);
            open(order);
          }}
        />
      )}
      {data && data.length > shown && (
        <Button
          variant="secondary"
          className="self-center"
          onClick={({ currentTarget: { parentElement } }) => {
            flushSync(() => setShown(shown + STEP));
            // The button disappears with the last rows: the focus moves to the first added row.
            const [added] = [...(parentElement?.querySelectorAll("tbody tr") ?? [])].slice(shown);
            added?.querySelector("button")?.focus();
          }}
        >
          Afficher plus de commandes
        </Button>
      )}
      <Modal
        open={opened !== null}
        onClose={close}
        title={
          opened && (
            <span>
              Commande <span className="whitespace-nowrap">{opened.number}</span>
            </span>
          )
        }
        size="lg"
      >
        {opened && <OrderDetail order={opened} problem={problem} onProblem={setProblem} />}
      </Modal>
    </div>
  );
}

/**
 * The number of the order whose detail is open, which stands in the URL: a reload shows it again, and the
 * browser's Back closes it.
 */
function useOpenOrder() {
  const [number, setNumber] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setNumber(new URLSearchParams(window.location.search).get(ORDER_PARAMETER));
    read();
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, []);

  return {
    number,
    open: (order: OrderSummaryJson) => {
      history.pushState(OPENED_HERE, "", orderUrl(order.number));
      setNumber(order.number);
    },
    close: () => {
      // An order that was opened by a link has the page before it behind it in the history.
      if (history.state?.order === OPENED_HERE.order) return history.back();
      history.replaceState(null, "", "/orders");
      setNumber(null);
    },
  };
}

/** State of the history entry of an order that was opened from the list. */
const OPENED_HERE = { order: "opened" };

/** Why a download link has redirected here: lib/downloads/answer.ts. */
function LinkNotice() {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const reason = new URLSearchParams(window.location.search).get("lien");
    if (reason === "expire") setText(LINK_EXPIRED);
    if (reason === "indisponible") setText(FILE_MISSING);
    if (reason === "echec") setText(DOWNLOAD_FAILED);
  }, []);
  return text && <Alert kind="warning">{text}</Alert>;
}

function OrdersSkeleton() {
  return (
    <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-1 lg:gap-3">
      <p role="status" className="sr-only">
        Chargement de vos commandes...
      </p>
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton key={key} className="h-36 lg:h-14" />
      ))}
    </div>
  );
}
