"use client";

import clsx from "clsx";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import type { ComponentProps, ReactNode } from "react";
import useSWR from "swr";
import {
  SellerMissing,
  SellingRefused,
  TermsMissing,
} from "@/components/backoffice/seller/seller-missing";
import { fullName } from "@/components/backoffice/shared/option-sources";
import { ChipButton } from "@/components/ui/chip";
import { Skeleton } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import { type DashboardJson, getDashboard, listOrderTotals } from "@/lib/dashboard/client";
import {
  isPeriod,
  labelOfPoint,
  type OrdersPoint,
  PERIODS,
  type Period,
} from "@/lib/dashboard/rules";
import { formatDateTime } from "@/lib/dates";
import { formatAmount } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import { DashboardWaiting } from "./dashboard-waiting";
import { FailedMails } from "./failed-mails";

const OrdersChart = dynamic(() => import("./orders-chart").then((module) => module.OrdersChart), {
  ssr: false,
  loading: () => <Skeleton className="h-72" />,
});

const swrOptions = { shouldRetryOnError: false, keepPreviousData: true } as const;

/** The home page of the back office. A part that cannot be loaded is not shown. */
export function Dashboard() {
  const chosen = useSearchParams().get("period");
  const period: Period = isPeriod(chosen) ? chosen : "30d";
  const figures = useSWR<DashboardJson>(
    ["dashboard", period],
    () => getDashboard(period),
    swrOptions,
  );
  const totals = useSWR<OrdersPoint[]>(
    ["order-totals", period],
    () => listOrderTotals({ period, today: new Date() }),
    swrOptions,
  );
  const isOfPeriod = figures.data?.period.name === period;
  const isLoading = (figures.isLoading && !figures.data) || (totals.isLoading && !totals.data);
  return (
    <div className="flex flex-col gap-8">
      <div>
        <h1 className="font-semibold text-heading md:text-2xl">
          Bienvenue sur le panneau d'administration
        </h1>
        <p className="mt-1 text-muted">
          Utilisez le menu de gauche pour gérer les données de la boutique. L’identité du vendeur se
          renseigne sous{" "}
          <Link href="/backoffice/seller" prefetch={false} className="link">
            Coordonnées du vendeur
          </Link>
          .
        </p>
      </div>
      {isLoading && <Spinner label="Chargement" size={28} />}
      {figures.data && (
        <>
          {figures.data.missingToSell.length > 0 && (
            <SellingRefused missing={figures.data.missingToSell} />
          )}
          {!figures.data.sellerIsKnown && <SellerMissing link />}
          {!figures.data.termsAreKnown && <TermsMissing />}
          <DashboardWaiting waiting={figures.data.waiting} />
          {figures.data.failedMails.total > 0 && <FailedMails mails={figures.data.failedMails} />}
          <Today today={figures.data.today} />
        </>
      )}
      <section aria-label="Sur la période" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="font-medium text-muted text-sm">Sur la période</h2>
          <PeriodChoice period={period} />
        </div>
        {figures.data && (isOfPeriod || !figures.error) && (
          <PeriodFigures figures={isOfPeriod ? figures.data.period : null} />
        )}
        {totals.data && !totals.error && totals.data.length > 0 && (
          <Evolution points={totals.data} period={period} />
        )}
      </section>
      {figures.data && <Lists figures={figures.data} />}
    </div>
  );
}

function PeriodChoice({ period }: { period: Period }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
    <div role="group" aria-label="Période" className="flex flex-wrap gap-2">
      {(Object.keys(PERIODS) as Period[]).map((each) => (
        <ChipButton
          key={each}
          aria-pressed={each === period}
          className="print:not-aria-pressed:hidden print:bg-transparent! print:text-ink!"
          onClick={() => window.history.pushState(null, "", `?period=${each}`)}
        >
          {PERIODS[each].label}
        </ChipButton>
      ))}
    </div>
  );
}

function Today({ today }: Pick<DashboardJson, "today">) {
  return (
    <section aria-label="Aujourd’hui" className="flex flex-col gap-3">
      <h2 className="font-medium text-muted text-sm">Aujourd’hui</h2>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure label="Commandes" value={formatNumber(today.orders)} />
        <Figure label="Chiffre d’affaires" value={formatAmount(today.total)} />
        <Figure label="Nouveaux clients" value={formatNumber(today.newCustomers)} />
        <Figure
          label="Avis en attente"
          value={
            <QuietLink href="/backoffice/reviews?status=PENDING">
              {formatNumber(today.reviewsPending)}
            </QuietLink>
          }
        />
      </dl>
    </section>
  );
}

/** With null, shows placeholders until the figures are loaded. */
function PeriodFigures({ figures }: { figures: DashboardJson["period"] | null }) {
  const shown = (format: (of: DashboardJson["period"]) => string) =>
    figures ? format(figures) : <Skeleton className="h-lh w-24" />;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3" aria-busy={figures === null}>
      <Figure label="Commandes" value={shown(({ orders }) => formatNumber(orders))} />
      <Figure label="Chiffre d’affaires" value={shown(({ total }) => formatAmount(total))} />
      <Figure label="Panier moyen" value={shown((of) => formatAmount(of.averageBasket))} />
    </dl>
  );
}

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className="flex flex-col-reverse rounded-lg border border-line p-4">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-semibold text-xl tabular-nums md:text-2xl">{value}</dd>
    </div>
  );
}

function Evolution({ points, period }: { points: readonly OrdersPoint[]; period: Period }) {
  const { interval } = PERIODS[period];
  const labelled = points.map(({ date, total }) => ({
    label: labelOfPoint({ date, interval }),
    total,
  }));
  return (
    <section
      aria-labelledby="evolution"
      className="flex break-inside-avoid flex-col gap-4 rounded-lg border border-line p-4 md:p-6"
    >
      <h3 id="evolution" className="font-semibold text-base">
        Évolution des Commandes
      </h3>
      <OrdersChart points={labelled} />
      <table className="sr-only" aria-labelledby="evolution">
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Montant</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ date, total }, index) => (
            <tr key={date}>
              <th scope="row">{labelled[index]?.label}</th>
              <td>{formatAmount(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Lists({ figures }: { figures: DashboardJson }) {
  const { latestOrders, pendingReviews, productsWithoutImage } = figures;
  return (
    <div className="grid items-start gap-6 xl:grid-cols-3">
      <ListCard
        title="Dernières commandes"
        more={{ href: "/backoffice/orders?order[date]=desc", label: "Toutes les commandes" }}
        empty="Aucune commande."
      >
        {latestOrders.map(({ id, number, date, total, user, buyer }) => (
          <li key={id} className="flex justify-between gap-4 py-2.5">
            <span className="min-w-0">
              <QuietLink href={`/backoffice/orders?search=${number}`} className="block font-medium">
                {number}
              </QuietLink>
              <span className="block text-muted">
                {`${fullName(user ?? buyer)}, ${formatDateTime(date)}`}
              </span>
            </span>
            <span className="shrink-0 font-medium tabular-nums">{formatAmount(total)}</span>
          </li>
        ))}
      </ListCard>
      <ListCard
        title="Avis à modérer"
        more={{ href: "/backoffice/reviews?status=PENDING", label: "Tous les avis en attente" }}
        empty="Aucun avis en attente."
      >
        {pendingReviews.map(({ id, rating, content, product, user }) => (
          <li key={id} className="py-2.5">
            <span className="flex justify-between gap-4">
              <QuietLink
                href={`/backoffice/reviews?status=PENDING&user=${user.id}&search=${encodeURIComponent(product.name)}`}
                className="font-medium"
              >
                {product.name}
              </QuietLink>
              <span className="shrink-0 tabular-nums">{`${rating}/5`}</span>
            </span>
            <span className="line-clamp-2 text-muted">{content}</span>
          </li>
        ))}
      </ListCard>
      <ListCard
        title={`Produits sans image (${formatNumber(productsWithoutImage.total)})`}
        more={{ href: "/backoffice/products?withoutImage=true", label: "Tous ces produits" }}
        empty="Aucun produit sans image."
      >
        {productsWithoutImage.items.map(({ id, name }) => (
          <li key={id} className="py-2.5">
            <QuietLink href={`/backoffice/products?withoutImage=true&search=%23${id}`}>
              {name}
            </QuietLink>
          </li>
        ))}
      </ListCard>
    </div>
  );
}

/** A link that looks like a text until a pointer is over it. */
function QuietLink({ className, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...props}
      prefetch={false}
      className={clsx("underline-offset-4 hover:underline", className)}
    />
  );
}

interface ListCardProps {
  title: string;
  more: { href: string; label: string };
  empty: string;
  children: readonly ReactNode[];
}

function ListCard({ title, more, empty, children }: ListCardProps) {
  return (
    <section aria-label={title} className="rounded-lg border border-line p-4 text-sm md:p-5">
      <h2 className="font-semibold text-base">{title}</h2>
      {children.length === 0 ? (
        <p className="py-4 text-muted">{empty}</p>
      ) : (
        <>
          <ul className="mt-2 divide-y divide-line">{children}</ul>
          <p className="mt-3">
            <Link href={more.href} prefetch={false} className="link">
              {more.label}
            </Link>
          </p>
        </>
      )}
    </section>
  );
}
